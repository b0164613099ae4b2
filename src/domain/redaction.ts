/**
 * Redacts text from other systems, such as library errors and responses from receivers, which may contain URLs, addresses and keys. Code
 * that writes to the log already omits secrets, so this is a second line of defense.
 */
import type { Log } from '../lib/log.ts'
import { within } from '../lib/text/text.ts'

const HIDDEN = '…'
/** Matches a URL: the scheme; an optional login, which may contain unencoded characters; the host; and the rest. */
const URL_IN_TEXT = /\b([a-z][a-z0-9+.-]*:\/\/)(?:[^\s"'<>]*@)?([^\s"'<>/?#]*)([/?#][^\s"'<>]*)?/gi
/**
 * Matches email addresses of up to 320 characters, including form-encoded ones and those with quoted names (also as escaped in JSON). There
 * must be no slash before the `@`, because scoped package names are not addresses. A match begins at the start of a word, so that a long
 * word is scanned only once.
 */
const MAIL_ADDRESS =
  /(?:(?<![^\s<>()"',;:/@&])[^\s<>()"',;:/@&]+|"(?:\\.|[^"\\\r\n]){1,320}?"|\\"[^"\r\n]{1,320}?\\")(?:@|%40)[^\s<>()"',;:/@&]+/gi
/**
 * Matches the name of a form field that contains an address. Any other text before an `=` may belong to the address itself, as in bounce
 * addresses.
 */
const FIELD = /^(?:(?:orig_)?to|from|cc|bcc|e?mail|address|recipient|sender|user(?:name)?|login)=/i
const UUID = /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi
const PHONE_NUMBER = /(?:\+|%2B)\d{7,15}(?!\d)/gi
/**
 * Matches keys that may contain no digits: API keys; ping keys, which are longer than any English word; and tokens of sessions and one-time
 * links, which have 43 characters, including upper- and lower-case letters.
 */
const OUR_KEY = /(?<![\w-])(?=[\w-]{0,42}[A-Z])(?=[\w-]{0,42}[a-z])[\w-]{43}(?![\w-])|od[wr]_\w{20,}|\b[a-z]{22}\b/g
/**
 * Matches keys, tokens and signatures. The shortest of them is a ping key, which has 22 characters. English words of that length contain no
 * digits.
 */
const KEY = /(?<![\w-])(?=[a-z_-]*\d)[\w-]{20,}/gi
/**
 * Matches names of hosts (short lower-case words and one short number) and of backups (with a tag and a timestamp at the end). Tokens have
 * longer parts, upper-case letters or more numbers.
 */
const NAME = /^[a-z]{1,15}(?:-[a-z]{1,15})*(?:-?\d{1,3}(?:-[a-z]{1,15})*|(?:-[0-9a-f]{8})?-\d{8}T\d{6}Z)$/

/**
 * Maximum length of the redacted text, which is enough for a stack trace. The patterns are slow on longer text, and users rarely read more
 * anyway.
 */
const LENGTH_LIMIT = 8_000
/** How many UTF-16 units before the cut to search for the start of a truncated word. A URL that contains a login can be that long. */
const CUT_URL_LENGTH = 1_000

/**
 * Removes logins, URL paths, email addresses, phone numbers, UUIDs and anything that could be a key. Keeps the hosts in URLs, and long
 * names of hosts and backups. Truncates the text to 8,000 UTF-16 units and drops the last word, because it may be incomplete.
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
 * Returns the beginning of the text up to the limit, without its last word. If a secret were cut in half, the rest of it might be too short
 * to be recognized, such as a login without its `@`.
 */
function beginningOf(text: string): string {
  if (text.length <= LENGTH_LIMIT) return text
  const cut = within(text, LENGTH_LIMIT)
  return cut.slice(0, -CUT_URL_LENGTH) + cut.slice(-CUT_URL_LENGTH).replace(/\S+$/, HIDDEN)
}

/**
 * Matches ping secrets: UUIDs, because anyone who knows a check's UUID can ping it, and ping keys that precede a slug, as in ping URLs and
 * addresses.
 */
const PING_SECRET =
  /[0-9a-f]{8}(?:-|%2d)(?:[0-9a-f]{4}(?:-|%2d)){3}[0-9a-f]{12}|(?<![\w-])[\w-]{22}(?=(?:\+|%2b|\/)(?:[-a-z0-9_]|…|$))|(?<![\w-])(?=[a-z]*\d)[a-z0-9]{22}(?![\w-])/
/**
 * Matches the beginning of a ping secret, from which the rest could be guessed: any text after `/ping/`; the beginning of a UUID, but not
 * of a date with a time; or the beginning of a key, if it has letters that are not hexadecimal digits. In a URL, even shorter text counts
 * as a key.
 */
const BEGINNING =
  /(?<=\/ping\/)[\w%-]{8,}|(?!\d{8}-\d{0,11}(?:…|$))[0-9a-f]{8}(?:-|%2d)(?:[0-9a-f]{4}(?:-|%2d)){0,3}[0-9a-f]{0,11}(?:%2?)?|(?<![\w-])(?=[a-z]*\d)(?=[a-f\d]*[g-z])(?:[a-z0-9]{16,21}|[a-z0-9]{10,15}(?<=:\/\/\S{1,300}))/
/** Matches the places where a string may have been cut: at its end, before it was stored, or at an ellipsis, by this program. */
const CUT = /(?=…|$)/

const SECRETS = new RegExp(PING_SECRET, 'gi')
const SECRETS_OF_CUT = new RegExp(`${PING_SECRET.source}|(?:${BEGINNING.source})${CUT.source}`, 'gi')

/** Finds ping secrets in text typed by a user, from left to right. */
export function typedPingSecretsIn(text: string): IterableIterator<RegExpExecArray> {
  return text.matchAll(SECRETS)
}

/** Finds the parts that {@link withoutPingSecrets} hides, from left to right. */
export function pingSecretsIn(text: string): IterableIterator<RegExpExecArray> {
  return text.matchAll(SECRETS_OF_CUT)
}

/**
 * Returns a ping's content for readers who must not be able to send pings. The content may include a ping URL, because jobs print it, or
 * the email address to which the check's pings are sent. Also hides the beginning of a secret at the end of the text, which may have been
 * cut before it was stored.
 * @param known the part of the content that is given; if it is cut, the word at the cut is hidden completely
 */
export function withoutPingSecrets(text: string, known: 'all' | 'start' | 'end' = 'all'): string {
  const shown = known === 'start' ? withoutLastWord(text, HIDDEN) : known === 'end' ? withoutFirstWord(text) : text
  return shown.replace(SECRETS_OF_CUT, HIDDEN)
}

/** Maximum length of a word that is hidden completely at a cut. A ping secret is shorter than this, even with the host of its URL. */
const CUT_WORD_LENGTH = 100

/**
 * Replaces the last word of text that was cut, because the word may be the beginning of a secret.
 * @param instead the replacement
 */
export function withoutLastWord(text: string, instead = ''): string {
  return text.slice(0, -CUT_WORD_LENGTH) + text.slice(-CUT_WORD_LENGTH).replace(/\S+$/, instead)
}

function withoutFirstWord(text: string): string {
  return text.slice(0, CUT_WORD_LENGTH).replace(/^\S+/, HIDDEN) + text.slice(CUT_WORD_LENGTH)
}

/** Names of log details that this program writes itself: IDs that don't give access to anything, and this server's address. */
const NOT_SECRET = new Set(['check', 'channel', 'delivery', 'address', 'mail'])

/** Wraps a log so that all details are redacted. */
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
