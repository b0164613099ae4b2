/** Estimates which machines can reach a server, based on the host name in its address. */
import { isLoopback } from './network.ts'
import { addressInHost, isLocalName, isPublicAddress } from './public-address.ts'

/**
 * The machines that can reach an address. `machine`: only this one; `network`: only machines on the same network; `anybody`: no limit is
 * known
 */
export type Reach = 'machine' | 'network' | 'anybody'

/**
 * Matches names that public resolvers can't resolve: names without a dot, and names reserved for private use by RFC 6762, RFC 8375 and
 * ICANN.
 */
const PRIVATE_NAME = /^[^.]+$|\.(?:local|internal|home\.arpa|lan|intranet)$/

/** @param hostname a `URL.hostname`, or the domain of an email address */
export function reachOf(hostname: string): Reach {
  const address = addressInHost(hostname)
  if (address === null) {
    const name = hostname.toLowerCase().replace(/\.$/, '')
    if (isLocalName(name)) return 'machine'
    return PRIVATE_NAME.test(name) ? 'network' : 'anybody'
  }
  if (isLoopback(address) || UNSPECIFIED.has(address)) return 'machine'
  return isPublicAddress(address) ? 'anybody' : 'network'
}

/** Addresses that a machine can use to connect to itself. */
const UNSPECIFIED = new Set(['0.0.0.0', '::'])
