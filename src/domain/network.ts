/** IP addresses and networks of them. */
import ipaddr from 'ipaddr.js'

export type Network = readonly [address: ipaddr.IPv4 | ipaddr.IPv6, prefixLength: number]

/**
 * `10.0.0.0/8`, or one address as a network of its own.
 * @throws Error for what is neither
 */
export function parseNetwork(text: string): Network {
  const [base = ''] = text.split('/', 1)
  // The parser would take `10` for 0.0.0.10 and `010.0.0.1` for 8.0.0.1; whom to trust must not be guessed.
  if (!base.includes(':') && !ipaddr.IPv4.isValidFourPartDecimal(base)) {
    throw new Error(`"${text}" is neither an IP address nor a network`)
  }
  if (base !== text) return ipaddr.parseCIDR(text)
  const address = ipaddr.process(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/** @param address a valid address of either kind */
export function isInNetwork(address: string, [network, prefixLength]: Network): boolean {
  const parsed = ipaddr.process(address)
  return parsed.kind() === network.kind() && parsed.match(network, prefixLength)
}

/** One spelling for each address: IPv6 in its short form, an IPv4 address in IPv6 clothes as IPv4. Null for none. */
export function canonicalAddress(text: string): string | null {
  // Other notations of IPv4 (`1`, `0x7f.1`, `010.0.0.1`) are no addresses to anybody who reads them in a log.
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)
  return isAddress ? ipaddr.process(text).toString() : null
}

/**
 * What one client can be told by: an IPv4 address; of IPv6 the network of 64 bits, in which a host gives itself as many
 * addresses as it likes (RFC 4291, 2.5.4).
 * @param address a valid address of either kind
 */
export function clientNetwork(address: string): string {
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv4' ? address : `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed}/64`)}/64`
}
