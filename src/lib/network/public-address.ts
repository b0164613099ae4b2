/** Recognizes addresses on the public internet. */
import ipaddr from 'ipaddr.js'
import { canonicalAddress } from './network.ts'

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/** Returns true for an address on the public internet, and false for any other string. IPv4-mapped IPv6 addresses count as IPv4. */
export function isPublicAddress(address: string): boolean {
  // The code that validates an address and the code that connects to it may interpret other notations, such as `010.0.0.1`, differently.
  const canonical = canonicalAddress(address)
  if (canonical === null) return false
  const parsed = ipaddr.parse(canonical)
  if (parsed.range() !== 'unicast') return false
  // ipaddr.js considers `::7f00:1` public, although it is the obsolete IPv4-compatible form of 127.0.0.1. Only 2000::/3 was ever allocated.
  return !(parsed instanceof ipaddr.IPv6) || parsed.match(GLOBAL_UNICAST)
}

/**
 * Returns the IP address in a `URL.hostname`; null for a host name. `URL` has already converted all IPv4 notations (decimal, octal,
 * hexadecimal, short) to four decimal numbers.
 */
export function addressInHost(hostname: string): string | null {
  const bare = hostname.startsWith('[') && hostname.endsWith(']') ? hostname.slice(1, -1) : hostname
  return ipaddr.IPv4.isValidFourPartDecimal(bare) || ipaddr.IPv6.isValid(bare) ? bare : null
}

/** Whether a host name always refers to this machine, even if the resolver does not know it (RFC 6761). */
export function isLocalName(hostname: string): boolean {
  return /(^|\.)localhost\.?$/i.test(hostname)
}

/** Returns true if a `URL.hostname` is a non-public address or a name for this machine. Does not resolve names. */
export function isPrivateHost(hostname: string): boolean {
  const address = addressInHost(hostname)
  return address === null ? isLocalName(hostname) : !isPublicAddress(address)
}
