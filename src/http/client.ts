/** The client that sent a request. The client's address and scheme come from the socket or from a trusted proxy's headers. */
import { LRUCache } from 'lru-cache'
import { atMost } from '../lib/caches/at-most.ts'
import { canonicalAddress, isInNetwork, parseNetwork } from '../lib/network/network.ts'
import { originalOf } from './target.ts'

export interface Client {
  /** the client's address in canonical form; null if unknown */
  readonly address: string | null
  readonly scheme: 'http' | 'https'
}

export interface ClientReader {
  /** @param socketAddress address of the peer that the socket is connected to; null if unknown, in which case no header is trusted */
  read(headers: Headers, socketAddress: string | null): Client
  /** Returns whether the address belongs to a proxy whose headers are trusted. */
  isTrusted(socketAddress: string): boolean
}

/** The web server's method for looking up a client's address. */
export interface Sockets {
  requestIP(request: Request): { readonly address: string } | null
}

/**
 * Returns the address of the peer that the socket is connected to; null if unknown, for example after the client has disconnected.
 * @param sockets null if the request did not arrive over a socket
 */
export function socketAddressOf(request: Request, sockets: Sockets | null): string | null {
  return sockets?.requestIP(originalOf(request))?.address ?? null
}

/** Maximum number of parsed addresses in the cache. Many requests come from the same clients, so caching saves repeated parsing. */
const REMEMBERED = 10_000
const LONGEST_REMEMBERED = 64

/** @param trusted addresses and networks (such as `10.0.0.0/8`) whose `X-Forwarded-*` headers are trusted */
export function createClientReader(trusted: readonly string[]): ClientReader {
  const networks = trusted.map(parseNetwork)
  const known = new LRUCache<string, boolean>({
    ...atMost(REMEMBERED),
    memoMethod: (address) => networks.some((network) => isInNetwork(address, network)),
  })
  const isTrusted = (address: string): boolean => known.memo(address)
  return {
    isTrusted(socketAddress) {
      const own = canonical(socketAddress)
      return own !== null && isTrusted(own)
    },
    read(headers, socketAddress) {
      const own = socketAddress === null ? null : canonical(socketAddress)
      if (own === null || !isTrusted(own)) return { address: own, scheme: 'http' }
      const forwarded = headers.get('x-forwarded-for')
      return {
        address: forwarded === null ? own : (clientBehind(forwarded, isTrusted) ?? own),
        scheme: headers.get('x-forwarded-proto') === 'https' ? 'https' : 'http',
      }
    },
  }
}

/**
 * Finds the client's address. Each proxy appends the address that connected to it, so the rightmost address that is not a trusted proxy is
 * the client. Any address to the left of it may be forged.
 */
function clientBehind(forwarded: string, isTrusted: (address: string) => boolean): string | null {
  let client: string | null = null
  for (const item of forwarded.split(',').toReversed()) {
    const address = canonical(withoutPort(item.trim()))
    if (address === null) break
    client = address
    if (!isTrusted(address)) break
  }
  return client
}

/** Removes the port from `203.0.113.7:1234` and `[2001:db8::1]:1234`, because some proxies add one. */
function withoutPort(text: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text)
  if (bracketed?.[1]) return bracketed[1]
  return /^[\d.]+:\d+$/.test(text) ? text.slice(0, text.indexOf(':')) : text
}

/** Canonical addresses, keyed by the header text that they were parsed from; '' for text that is not an address. */
const canonicals = new LRUCache<string, string>({
  ...atMost(REMEMBERED),
  memoMethod: (text) => canonicalAddress(text) ?? '',
})

function canonical(text: string): string | null {
  // Text that is longer than any address is not cached, because clients could fill the cache with it.
  return text.length > LONGEST_REMEMBERED ? canonicalAddress(text) : canonicals.memo(text) || null
}
