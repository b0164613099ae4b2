/** Decides which addresses a delivery may connect to, so that a channel can't target the server's own network (SSRF). */
import { lookup } from 'node:dns/promises'
import { addressInHost, isLocalName } from '../lib/network/public-address.ts'

/** Returns a host name's addresses, in the order in which to try them. If there are none, the list is empty or the promise rejects. */
export type Resolve = (host: string) => Promise<readonly string[]>

type GuardedAddresses =
  | { readonly kind: 'allowed'; readonly addresses: readonly string[] }
  | { readonly kind: 'private' }
  | { readonly kind: 'unresolved' }

export const resolveByDns: Resolve = async (host) => {
  const found = await lookup(host, { all: true })
  return found.map(({ address }) => address)
}

/**
 * Resolves a `URL.hostname` once and checks all its addresses. If any address is not allowed, the name is rejected, because the caller may
 * connect to any of them.
 */
export async function guardedAddresses(
  hostname: string,
  isAllowed: (address: string) => boolean,
  resolve: Resolve,
): Promise<GuardedAddresses> {
  if (isLocalName(hostname) && !isAllowed('127.0.0.1')) return { kind: 'private' }
  const literal = addressInHost(hostname)
  const addresses = literal === null ? await resolve(hostname).catch(() => []) : [literal]
  if (addresses.length === 0) return { kind: 'unresolved' }
  return addresses.every(isAllowed) ? { kind: 'allowed', addresses } : { kind: 'private' }
}
