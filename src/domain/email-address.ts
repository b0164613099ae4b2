/** Email addresses, with or without a display name. */

const PART = '[^\\s\\p{Cc}@<>()\\[\\]\\\\,;:"]+'

/**
 * Matches an email address (RFC 5321) without comments, quotes or literals, so that a matching address can't inject anything into a header.
 */
export const MAIL_ADDRESS_PATTERN = `^${PART}@${PART}$`

const ADDRESS = new RegExp(MAIL_ADDRESS_PATTERN, 'u')
const ADDRESS_LIMIT = 254

export function isMailAddress(text: string): boolean {
  return text.length <= ADDRESS_LIMIT && ADDRESS.test(text)
}

export interface Mailbox {
  /** display name; may be empty */
  readonly name: string
  readonly address: string
}

/**
 * @param text a mailbox such as `Overdue <alerts@example.org>` or `"Overdue" <…>`, or just an address
 * @returns null for any other text
 */
export function parseMailbox(text: string): Mailbox | null {
  const [, quoted, plain, bracketed] = /^(?:"([^"\\]*)"|([^"<>]*))\s*<([^<>]*)>$/.exec(text.trim()) ?? []
  const name = (quoted ?? plain ?? '').trim()
  const address = bracketed ?? text.trim()
  return isMailAddress(address) && !/\p{Cc}/u.test(name) ? { name, address } : null
}

/** Returns the part after the `@`. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1)
}

/**
 * Returns the mailbox that an address most likely belongs to. Many servers ignore case and the part after a `+` (RFC 5233), and some also
 * ignore dots. The result is used only for limits, because two different mailboxes may be treated as one.
 */
export function mailboxOf(text: string): string {
  const address = text.trim().toLowerCase()
  const at = address.lastIndexOf('@')
  const [name = ''] = address.slice(0, Math.max(at, 0)).split('+', 1)
  return `${name.replaceAll('.', '')}@${domainOf(address)}`
}
