/** Estimates which machines can reach a server, based on the host in its address. */
import { isLoopback } from './network.ts'
import { addressInHost, isLocalName, isPublicAddress } from './public-address.ts'

/**
 * The machines that can reach an address. `machine`: only this one; `network`: only those in the same network; `anybody`: there is no known
 * limit
 */
export type Reach = 'machine' | 'network' | 'anybody'

/** Matches names that no public resolver knows: names without a dot, and names reserved for private use by RFC 6762, RFC 8375 and ICANN. */
const PRIVATE_NAME = /^[^.]+$|\.(?:local|internal|home\.arpa|lan|intranet)$/

/** @param hostname a `URL.hostname`, or an email address's domain */
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

/** Addresses with which a machine connects to itself. */
const UNSPECIFIED = new Set(['0.0.0.0', '::'])
