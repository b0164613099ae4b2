/** Decides which addresses a delivery may connect to, so that a channel can't target our own network (SSRF). */
import { lookup } from 'node:dns/promises'
import ipaddr from 'ipaddr.js'
import { canonicalAddress } from '../lib/network.ts'

/** The addresses of a host name, in the order to try them; empty or rejected when there are none. */
export type Resolve = (host: string) => Promise<readonly string[]>

export type GuardedAddresses =
  | { readonly kind: 'allowed'; readonly addresses: readonly string[] }
  | { readonly kind: 'private' }
  | { readonly kind: 'unresolved' }

export const resolveByDns: Resolve = async (host) => {
  const found = await lookup(host, { all: true })
  return found.map(({ address }) => address)
}

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/** Whether an address is on the public internet; false for text that is not an address. Mapped IPv4 counts as IPv4. */
export function isPublicAddress(address: string): boolean {
  // A checker and a connector may read other notations (`010.0.0.1`) differently.
  const canonical = canonicalAddress(address)
  if (canonical === null) return false
  const parsed = ipaddr.parse(canonical)
  if (parsed.range() !== 'unicast') return false
  // ipaddr.js accepts `::7f00:1`, the obsolete IPv4-compatible form of 127.0.0.1; only 2000::/3 was ever allocated.
  return !(parsed instanceof ipaddr.IPv6) || parsed.match(GLOBAL_UNICAST)
}

/**
 * The address in a `URL.hostname`; null for a name. `URL` has already converted every spelling of IPv4 (decimal, octal,
 * hexadecimal, short) to four decimal numbers.
 */
export function addressInHost(hostname: string): string | null {
  const bare = hostname.startsWith('[') && hostname.endsWith(']') ? hostname.slice(1, -1) : hostname
  return ipaddr.IPv4.isValidFourPartDecimal(bare) || ipaddr.IPv6.isValid(bare) ? bare : null
}

/**
 * Resolves a `URL.hostname` once and checks all its addresses. One address that is not allowed rejects the name, because the
 * caller may connect to any of them.
 */
export async function guardedAddresses(
  hostname: string,
  isAllowed: (address: string) => boolean,
  resolve: Resolve,
): Promise<GuardedAddresses> {
  // RFC 6761: these names are always loopback, whether or not the resolver knows them.
  if (/(^|\.)localhost\.?$/i.test(hostname) && !isAllowed('127.0.0.1')) return { kind: 'private' }
  const literal = addressInHost(hostname)
  const addresses = literal === null ? await resolve(hostname).catch(() => []) : [literal]
  if (addresses.length === 0) return { kind: 'unresolved' }
  return addresses.every(isAllowed) ? { kind: 'allowed', addresses } : { kind: 'private' }
}
