/**
 * Redacts text from outside: errors of libraries and answers of receivers quote URLs, addresses and keys. Log calls leave secrets out
 * themselves; this is the second line of defence.
 */
import type { Log } from '../lib/log.ts'
import { within } from '../lib/text/text.ts'

const HIDDEN = '…'
/** Scheme; an optional login, which may contain unencoded characters; host; the rest. */
const URL_IN_TEXT = /\b([a-z][a-z0-9+.-]*:\/\/)(?:[^\s"'<>]*@)?([^\s"'<>/?#]*)([/?#][^\s"'<>]*)?/gi
/**
 * Matches form-encoded addresses too, and quoted names (also escaped as in JSON) up to 320 characters. No slash may precede the `@`:
 * package folders are not addresses. A match starts at the start of a word, so a long word is scanned once.
 */
const MAIL_ADDRESS =
  /(?:(?<![^\s<>()"',;:/@&])[^\s<>()"',;:/@&]+|"(?:\\.|[^"\\\r\n]){1,320}?"|\\"[^"\r\n]{1,320}?\\")(?:@|%40)[^\s<>()"',;:/@&]+/gi
/** Form fields that contain an address. Other text before a `=` may be part of the address, as in the senders of bounces. */
const FIELD = /^(?:(?:orig_)?to|from|cc|bcc|e?mail|address|recipient|sender|user(?:name)?|login)=/i
const UUID = /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi
const PHONE_NUMBER = /(?:\+|%2B)\d{7,15}(?!\d)/gi
/**
 * Matches keys without a digit too: API keys; ping keys, which are longer than any English word; and tokens of sessions and
 * one-time links, 43 characters with capitals and small letters.
 */
const OUR_KEY = /(?<![\w-])(?=[\w-]{0,42}[A-Z])(?=[\w-]{0,42}[a-z])[\w-]{43}(?![\w-])|od[wr]_\w{20,}|\b[a-z]{22}\b/g
/** Keys, tokens and signatures. A ping key is the shortest, with 22 characters. English words of that length have no digits. */
const KEY = /(?<![\w-])(?=[a-z_-]*\d)[\w-]{20,}/gi
/**
 * Names of hosts (short lower-case words with one short number) and of backups (a mark and the time at the end). A token has
 * longer parts, capitals or more numbers.
 */
const NAME = /^[a-z]{1,15}(?:-[a-z]{1,15})*(?:-?\d{1,3}(?:-[a-z]{1,15})*|(?:-[0-9a-f]{8})?-\d{8}T\d{6}Z)$/

/** Enough for a stack trace. The patterns are slow on longer text, and people don't read it. */
const LENGTH_LIMIT = 8_000
/** UTF-16 units of a word in which a text is cut: a URL with a login may be that long. */
const CUT_URL_LENGTH = 1_000

/**
 * Returns the text without logins, URL paths, email addresses, phone numbers, UUIDs and anything that could be a key. Keeps the host of a
 * URL, and long names of hosts and backups. Cuts at 8,000 UTF-16 units, and drops the word that is cut.
 */
export function redact(text: string): string {
  return beginningOf(text)
    .replace(URL_IN_TEXT, (_, scheme: string, host: string, rest?: string) => {
      return `${scheme}${host}${rest === undefined || rest === '/' ? (rest ?? '') : `/${HIDDEN}`}`
    })
    .replace(MAIL_ADDRESS, (address) => `${FIELD.exec(address)?.[0] ?? ''}${HIDDEN}`)
    .replace(PHONE_NUMBER, HIDDEN)
    .replace(UUID, HIDDEN)
    .replace(OUR_KEY, HIDDEN)
    .replace(KEY, (word) => (NAME.test(word) ? word : HIDDEN))
}

/**
 * Returns the beginning up to the limit, without its last word: the rest of a secret may be too short to be recognised, such as a login
 * without its `@`.
 */
function beginningOf(text: string): string {
  if (text.length <= LENGTH_LIMIT) return text
  const cut = within(text, LENGTH_LIMIT)
  return cut.slice(0, -CUT_URL_LENGTH) + cut.slice(-CUT_URL_LENGTH).replace(/\S+$/, HIDDEN)
}

/** UUIDs, because a check's UUID allows pings; and ping keys, which precede a slug in ping URLs and in addresses. */
const PING_SECRET =
  /[0-9a-f]{8}(?:-|%2d)(?:[0-9a-f]{4}(?:-|%2d)){3}[0-9a-f]{12}|(?<![\w-])[\w-]{22}(?=(?:\+|%2b|\/)(?:[-a-z0-9_]|…|$))|(?<![\w-])(?=[a-z]*\d)[a-z0-9]{22}(?![\w-])/
/**
 * Beginnings of these secrets, from which the rest could be guessed: after `/ping/`, of a UUID (but no date with a time), and of a key,
 * which has letters beyond hexadecimal digits. In a URL, a shorter beginning is recognisable as a key.
 */
const BEGINNING =
  /(?<=\/ping\/)[\w%-]{8,}|(?!\d{8}-\d{0,11}(?:…|$))[0-9a-f]{8}(?:-|%2d)(?:[0-9a-f]{4}(?:-|%2d)){0,3}[0-9a-f]{0,11}(?:%2?)?|(?<![\w-])(?=[a-z]*\d)(?=[a-f\d]*[g-z])(?:[a-z0-9]{16,21}|[a-z0-9]{10,15}(?<=:\/\/\S{1,300}))/
/** A text may have been cut anywhere before it was stored, without a trace; an ellipsis marks where this program has cut it. */
const CUT = /(?=…|$)/

const SECRETS = new RegExp(PING_SECRET, 'gi')
const SECRETS_OF_CUT = new RegExp(`${PING_SECRET.source}|(?:${BEGINNING.source})${CUT.source}`, 'gi')

/** Finds the ping secrets in a typed text, from left to right. */
export function typedPingSecretsIn(text: string): IterableIterator<RegExpExecArray> {
  return text.matchAll(SECRETS)
}

/** Finds the parts that {@link withoutPingSecrets} hides, from left to right. */
export function pingSecretsIn(text: string): IterableIterator<RegExpExecArray> {
  return text.matchAll(SECRETS_OF_CUT)
}

/**
 * Returns a ping's content for readers who must not ping: jobs write their ping URL into their output, and an email contains the address
 * that it was sent to. Also hides the beginning of a secret at the end of the text, which may have been cut when it was stored.
 * @param known the part of a longer text that this is; the whole word at the cut is hidden
 */
export function withoutPingSecrets(text: string, known: 'all' | 'start' | 'end' = 'all'): string {
  const shown = known === 'start' ? withoutLastWord(text, HIDDEN) : known === 'end' ? withoutFirstWord(text) : text
  return shown.replace(SECRETS_OF_CUT, HIDDEN)
}

/** Longer than a ping secret with the host of its URL. The ends of longer words are not searched for. */
const CUT_WORD_LENGTH = 100

/** Replaces the word in which a text was cut off: it may be the beginning of a secret. @param instead the replacement */
export function withoutLastWord(text: string, instead = ''): string {
  return text.slice(0, -CUT_WORD_LENGTH) + text.slice(-CUT_WORD_LENGTH).replace(/\S+$/, instead)
}

function withoutFirstWord(text: string): string {
  return text.slice(0, CUT_WORD_LENGTH).replace(/^\S+/, HIDDEN) + text.slice(CUT_WORD_LENGTH)
}

/** Names of details that we write ourselves: ids that give no access, and this server's address. */
const NOT_SECRET = new Set(['check', 'channel', 'delivery', 'address', 'mail'])

/** Returns the same log with redacted details. */
export function redactedLog(log: Log): Log {
  return (level, message, details) => {
    if (details === undefined) return log(level, message)
    const entries = Object.entries(details)
    log(level, message, Object.fromEntries(entries.map(([name, value]) => [name, redactedDetail(name, value)])))
  }
}

function redactedDetail(name: string, value: unknown): unknown {
  if (NOT_SECRET.has(name) || typeof value === 'number' || typeof value === 'boolean' || value === null) return value
  return value === undefined ? value : redact(String(value))
}
