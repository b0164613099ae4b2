/**
 * What a log line may repeat of words that are not ours: errors of libraries and answers of receivers quote URLs,
 * addresses and keys. The last line of defence; whoever writes a line leaves them out anyway.
 */
import type { Log } from './log.ts'
import { within } from './text.ts'

const HIDDEN = '…'
/** Scheme, then perhaps a login, in which nothing may have been encoded; the host; all that follows. */
const URL_IN_TEXT = /\b([a-z][a-z0-9+.-]*:\/\/)(?:[^\s"'<>]*@)?([^\s"'<>/?#]*)([/?#][^\s"'<>]*)?/gi
/**
 * Also as a form has it, and with a name in quotes, in JSON too, of which 320 characters are looked at. No slash before the
 * `@`: folders of packages are no addresses. Only begun where a word begins, so that a long one is read once.
 */
const MAIL_ADDRESS =
  /(?:(?<![^\s<>()"',;:/@&])[^\s<>()"',;:/@&]+|"(?:\\.|[^"\\\r\n]){1,320}?"|\\"[^"\r\n]{1,320}?\\")(?:@|%40)[^\s<>()"',;:/@&]+/gi
/** What a form calls an address. Whatever else stands before a `=` may be one itself, as in the senders of bounces. */
const FIELD = /^(?:(?:orig_)?to|from|cc|bcc|e?mail|address|recipient|sender|user(?:name)?|login)=/i
const UUID = /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi
const PHONE_NUMBER = /(?:\+|%2B)\d{7,15}(?!\d)/gi
/** Also those that chance gave no digit: API keys, and ping keys, which are longer than any word of people. */
const OUR_KEY = /od[wr]_\w{20,}|\b[a-z]{22}\b/g
/** Keys, tokens and signatures: a ping key is the shortest with 22. Words of people have no digits at such a length. */
const KEY = /(?<![\w-])(?=[a-z_-]*\d)[\w-]{20,}/gi
/**
 * Short words in small letters with one short number, as hosts are called, or with a mark and the time at the end, as
 * backups are: a token has longer parts, or capitals, or more numbers.
 */
const NAME = /^[a-z]{1,15}(?:-[a-z]{1,15})*(?:-?\d{1,3}(?:-[a-z]{1,15})*|(?:-[0-9a-f]{8})?-\d{8}T\d{6}Z)$/

/** Room for a stack trace. What is longer would take the patterns long, and nobody reads it. */
const LENGTH_LIMIT = 8_000

/**
 * The text without logins, paths of URLs, mail addresses, phone numbers, UUIDs and whatever could be a key. The host of a
 * URL stays, and so do long names of hosts and backups.
 * Cut at 8,000 UTF-16 units.
 */
export function withoutSecrets(text: string): string {
  return within(text, LENGTH_LIMIT)
    .replace(URL_IN_TEXT, (_, scheme: string, host: string, rest?: string) => {
      return `${scheme}${host}${rest === undefined || rest === '/' ? (rest ?? '') : `/${HIDDEN}`}`
    })
    .replace(MAIL_ADDRESS, (address) => `${FIELD.exec(address)?.[0] ?? ''}${HIDDEN}`)
    .replace(PHONE_NUMBER, HIDDEN)
    .replace(UUID, HIDDEN)
    .replace(OUR_KEY, HIDDEN)
    .replace(KEY, (word) => (NAME.test(word) ? word : HIDDEN))
}

/** Written by us, and made to tell things apart: ids that open nothing, and where this server is. */
const OURS = new Set(['check', 'channel', 'delivery', 'address', 'mail'])

/** The same log, with every detail that is not ours {@link withoutSecrets}. */
export function discreetLog(log: Log): Log {
  return (level, message, details) => {
    if (details === undefined) return log(level, message)
    const entries = Object.entries(details)
    log(level, message, Object.fromEntries(entries.map(([name, value]) => [name, discreet(name, value)])))
  }
}

function discreet(name: string, value: unknown): unknown {
  if (OURS.has(name) || typeof value === 'number' || typeof value === 'boolean' || value === null) return value
  return value === undefined ? value : withoutSecrets(String(value))
}
