/** Whom a mail is for: the address of a check as a ping target (behaviour of the peer, 6); pure text. */
import type { SignalTarget } from '../domain/signal.ts'

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const PING_KEY_AND_SLUG = /^([-A-Za-z0-9_]{22})\+([-a-z0-9_]+)$/

/**
 * `<uuid>@domain`, a UUID of version 4 in either case, or `<ping key>+<slug>@domain`.
 * @param domain compared letter by letter, case included
 * @returns what is wrong with an address that names no target
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
