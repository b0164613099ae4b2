/** The client that sent a request. Its address and scheme come from the socket, or from the headers of a trusted proxy. */
import { LRUCache } from 'lru-cache'
import { atMost } from '../lib/caches/at-most.ts'
import { canonicalAddress, isInNetwork, parseNetwork } from '../lib/network/network.ts'
import { originalOf } from './target.ts'

export interface Client {
  /** address of the client in canonical form; null if unknown */
  readonly address: string | null
  readonly scheme: 'http' | 'https'
}

export interface ClientReader {
  /** @param socketAddress address at the other end of the connection; null if unknown, in which case no header is trusted */
  read(headers: Headers, socketAddress: string | null): Client
  /** Whether the address belongs to a proxy whose headers are trusted. */
  isTrusted(socketAddress: string): boolean
}

/** The part of the web server that looks up the addresses of clients. */
export interface Sockets {
  requestIP(request: Request): { readonly address: string } | null
}

/**
 * Returns the address at the other end of the connection; null if unknown, as after the client has hung up.
 * @param sockets null if the request was not received over a socket
 */
export function socketAddressOf(request: Request, sockets: Sockets | null): string | null {
  return sockets?.requestIP(originalOf(request))?.address ?? null
}

/** Maximum number of parsed addresses in the cache. The same clients send many requests, so this saves parsing. */
const REMEMBERED = 10_000
const LONGEST_REMEMBERED = 64

/** @param trusted addresses and networks (`10.0.0.0/8`) whose `X-Forwarded-*` headers are trusted */
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
 * Finds the client. Each proxy appends the address that connected to it. So the rightmost address that is not a trusted proxy is the
 * client. Anything to its left may be forged.
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

/** Removes the port of `203.0.113.7:1234` and `[2001:db8::1]:1234`, because some proxies add it. */
function withoutPort(text: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text)
  if (bracketed?.[1]) return bracketed[1]
  return /^[\d.]+:\d+$/.test(text) ? text.slice(0, text.indexOf(':')) : text
}

/** Canonical addresses by their text in headers; empty if the text is not an address. */
const canonicals = new LRUCache<string, string>({
  ...atMost(REMEMBERED),
  memoMethod: (text) => canonicalAddress(text) ?? '',
})

function canonical(text: string): string | null {
  // Texts longer than any address are not cached, because clients could fill the cache with them.
  return text.length > LONGEST_REMEMBERED ? canonicalAddress(text) : canonicals.memo(text) || null
}
