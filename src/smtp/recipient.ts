/** Parses an email address into the ping target of a check; pure text. */
import type { SignalTarget } from '../domain/ping/signal.ts'

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const PING_KEY_AND_SLUG = /^([-A-Za-z0-9_]{22})\+([-a-z0-9_]+)$/

/**
 * `<uuid>@domain`, a UUID of version 4 in either case, or `<ping key>+<slug>@domain`.
 * @param domain compared case-sensitively
 * @returns the target, or why there is none
 */
export function parseRecipient(address: string, domain: string): SignalTarget | 'wrong-domain' | 'bad-mailbox' {
  const at = address.lastIndexOf('@')
  if (at < 0 || address.slice(at + 1) !== domain) return 'wrong-domain'
  const mailbox = address.slice(0, at)
  if (ID.test(mailbox)) return { kind: 'id', id: mailbox.toLowerCase() }
  const [, pingKey, slug] = PING_KEY_AND_SLUG.exec(mailbox) ?? []
  if (pingKey === undefined || slug === undefined) return 'bad-mailbox'
  return { kind: 'slug', pingKey, slug, create: false }
}
