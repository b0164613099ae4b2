/** Parses an email address into the ping target of a check; pure text. */
import { domainToASCII } from 'node:url'
import type { SignalTarget } from '../domain/ping/signal.ts'

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const PING_KEY_AND_SLUG = /^([-A-Za-z0-9_]{22})\+([-A-Za-z0-9_]+)$/

/**
 * `<uuid>@domain`, a UUID of version 4, or `<ping key>+<slug>@domain`. UUIDs and slugs have no case; that of a ping key is kept.
 * @param domain compared as domains are: without case (RFC 5321, 2.4), Punycode like what it stands for, a final dot and the brackets of an IP address left out
 * @returns the target, or why there is none
 */
export function parseRecipient(address: string, domain: string): SignalTarget | 'wrong-domain' | 'bad-mailbox' {
  const at = address.lastIndexOf('@')
  if (at < 0 || canonical(address.slice(at + 1)) !== canonical(domain)) return 'wrong-domain'
  const mailbox = address.slice(0, at)
  if (ID.test(mailbox)) return { kind: 'id', id: mailbox.toLowerCase() }
  const [, pingKey, slug] = PING_KEY_AND_SLUG.exec(mailbox) ?? []
  if (pingKey === undefined || slug === undefined) return 'bad-mailbox'
  return { kind: 'slug', pingKey, slug: slug.toLowerCase(), create: false }
}

/** An IP address may stand in brackets (RFC 5321, 4.1.3). What is no domain stays as it is. */
function canonical(domain: string): string {
  const name = domain.replace(/\.$/, '').replace(/^\[(?:IPv6:)?([\da-f.:]+)\]$/i, '$1')
  return domainToASCII(name) || name.toLowerCase()
}
