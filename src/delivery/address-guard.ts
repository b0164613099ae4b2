/** Decides which addresses a delivery may connect to, so that a channel cannot be aimed at our own network (SSRF). */
import { lookup } from 'node:dns/promises'
import ipaddr from 'ipaddr.js'
import { canonicalAddress } from '../domain/network.ts'

/** Addresses of a host name, in the order to try them; empty or rejected when there are none. */
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

/**
 * Whether an address belongs to the public internet. Text that is not an address counts as not public.
 * Mapped IPv4 is judged by its IPv4 part.
 */
export function isPublicAddress(address: string): boolean {
  // Other notations (`010.0.0.1`) are read differently by who checks and who connects.
  const canonical = canonicalAddress(address)
  if (canonical === null) return false
  const parsed = ipaddr.parse(canonical)
  if (parsed.range() !== 'unicast') return false
  // ipaddr.js lets `::7f00:1` pass, the obsolete IPv4-compatible form of 127.0.0.1; only 2000::/3 was ever handed out.
  return !(parsed instanceof ipaddr.IPv6) || parsed.match(GLOBAL_UNICAST)
}

/**
 * The address inside a `URL.hostname`, or null when it is a name. `URL` has already turned every spelling of
 * IPv4 (decimal, octal, hexadecimal, short) into four decimal numbers.
 */
export function addressInHost(hostname: string): string | null {
  const bare = hostname.startsWith('[') && hostname.endsWith(']') ? hostname.slice(1, -1) : hostname
  return ipaddr.IPv4.isValidFourPartDecimal(bare) || ipaddr.IPv6.isValid(bare) ? bare : null
}

/**
 * Resolves a `URL.hostname` once and checks what came of it. One address that is not allowed condemns the name:
 * a public name has no business pointing inside, and the caller may connect to any address of the list.
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
