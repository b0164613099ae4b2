/** Parses a check's email address into a ping target, without looking up the check. */
import { domainToASCII } from 'node:url'
import type { SignalTarget } from '../domain/ping/signal.ts'

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const PING_KEY_AND_SLUG = /^([-A-Za-z0-9_]{22})\+([-A-Za-z0-9_]+)$/

/**
 * Parses `<uuid>@domain`, with a UUID of version 4, or `<ping key>+<slug>@domain`. UUIDs and slugs are case-insensitive. Ping keys are
 * case-sensitive.
 * @param domain compared case-insensitively (RFC 5321, 2.4), as Punycode, and without a trailing dot or the brackets of an IP address
 * @returns the target, or the reason why there is none
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

/** Normalizes a domain. An IP address may be in brackets (RFC 5321, 4.1.3). Text that is not a domain is returned unchanged. */
function canonical(domain: string): string {
  const name = domain.replace(/\.$/, '').replace(/^\[(?:IPv6:)?([\da-f.:]+)\]$/i, '$1')
  return domainToASCII(name) || name.toLowerCase()
}
