/** IP addresses and networks. */
import ipaddr from 'ipaddr.js'

type Network = readonly [address: ipaddr.IPv4 | ipaddr.IPv6, prefixLength: number]

/**
 * Parses a network such as `10.0.0.0/8`. A single address is parsed as a network that contains only this address.
 * @throws Error for any other string
 */
export function parseNetwork(text: string): Network {
  const [base = ''] = text.split('/', 1)
  // The parser would accept `10` as 0.0.0.10 and `010.0.0.1` as 8.0.0.1, but a trusted address must be unambiguous.
  if (!base.includes(':') && !ipaddr.IPv4.isValidFourPartDecimal(base)) {
    throw new Error(`"${text}" is not an IP address or network`)
  }
  if (base !== text) return ipaddr.parseCIDR(text)
  const address = ipaddr.process(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/** Returns the authority part of a URL. IPv6 addresses are enclosed in brackets. */
export function authority(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** @param address a valid IPv4 or IPv6 address */
export function isInNetwork(address: string, [network, prefixLength]: Network): boolean {
  const parsed = ipaddr.process(address)
  return parsed.kind() === network.kind() && parsed.match(network, prefixLength)
}

/** Returns an address in canonical form: IPv6 in short form, and IPv4-mapped IPv6 as IPv4. Returns null if the string is not an address. */
export function canonicalAddress(text: string): string | null {
  // Other IPv4 notations (`1`, `0x7f.1`, `010.0.0.1`) would confuse users who read the log.
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)
  return isAddress ? ipaddr.process(text).toString() : null
}

/**
 * Identifies a client by its IPv4 address, or by its 64-bit IPv6 network, because a host can use any address in that network (RFC 4291,
 * 2.5.4).
 * @param address a valid IPv4 or IPv6 address
 */
export function clientNetwork(address: string): string {
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv4' ? address : `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed}/64`)}/64`
}

const LOOPBACK = ['127.0.0.0/8', '::1/128'].map(parseNetwork)

/** Whether a string is a loopback address. Returns false if it is not an address. */
export function isLoopback(text: string): boolean {
  const address = canonicalAddress(text)
  return address !== null && LOOPBACK.some((network) => isInNetwork(address, network))
}
