/**
 * What a log line may repeat of words that are not ours: errors of libraries and answers of receivers quote URLs,
 * addresses and keys. The last line of defence; whoever writes a line leaves them out anyway.
 */
import type { Log } from './log.ts'
import { within } from './text.ts'

const HIDDEN = '…'
/** Scheme, then perhaps a login, in which nothing may have been encoded; the host; all that follows. */
const URL_IN_TEXT = /\b([a-z][a-z0-9+.-]*:\/\/)(?:[^\s"'<>]*@)?([^\s"'<>/?#]*)([/?#][^\s"'<>]*)?/gi
/** Also as a form has it. No slash before the `@`: folders of packages are no addresses. */
const MAIL_ADDRESS = /[^\s<>()"',;:/@&=]+(?:@|%40)[^\s<>()"',;:/@&]+/gi
const UUID = /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi
const PHONE_NUMBER = /(?:\+|%2B)\d{7,15}(?!\d)/gi
/** Keys, tokens and signatures: a ping key is the shortest with 22. Words of people have no digits at such a length. */
const KEY = /(?<![\w-])(?=[a-z_-]*\d)[\w-]{20,}/gi

/** Room for a stack trace. What is longer would take the patterns long, and nobody reads it. */
const LENGTH_LIMIT = 8_000

/**
 * The text without logins, paths of URLs, mail addresses, phone numbers, UUIDs and whatever could be a key. The host of a
 * URL stays.
 * Cut at 8,000 UTF-16 units.
 */
export function withoutSecrets(text: string): string {
  return within(text, LENGTH_LIMIT)
    .replace(URL_IN_TEXT, (_, scheme: string, host: string, rest?: string) => {
      return `${scheme}${host}${rest === undefined || rest === '/' ? (rest ?? '') : `/${HIDDEN}`}`
    })
    .replace(MAIL_ADDRESS, HIDDEN)
    .replace(PHONE_NUMBER, HIDDEN)
    .replace(UUID, HIDDEN)
    .replace(KEY, HIDDEN)
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
