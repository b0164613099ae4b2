/** Estimates from its host which machines can use the address of a server. */
import { isLoopback } from './network.ts'
import { addressInHost, isLocalName, isPublicAddress } from './public-address.ts'

/** Machines that can use an address. `machine`: only this one; `network`: only those in its network; `anybody`: no limit is known */
export type Reach = 'machine' | 'network' | 'anybody'

/** Names that no public resolver knows: names without a dot, and those of RFC 6762, RFC 8375 and ICANN for private use. */
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

/** Addresses with which a machine connects to itself. */
const UNSPECIFIED = new Set(['0.0.0.0', '::'])
