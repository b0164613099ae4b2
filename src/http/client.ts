/** Who sent a request: address and scheme, from the socket or, where a trusted proxy stands, from its headers. */
import { BoundedCache } from '../domain/bounded-cache.ts'
import { canonicalAddress, isInNetwork, parseNetwork } from '../domain/network.ts'

export interface Client {
  /** canonical text; null when it cannot be told */
  readonly address: string | null
  readonly scheme: 'http' | 'https'
}

export interface ClientReader {
  /** @param socketAddress what the connection itself says; null when it cannot be told, and then no header is believed */
  read(headers: Headers, socketAddress: string | null): Client
}

/** Addresses come again and again; parsing each once is enough. */
const REMEMBERED = 10_000
const LONGEST_REMEMBERED = 64

/** @param trusted addresses and networks (`10.0.0.0/8`) whose `X-Forwarded-*` headers are believed */
export function createClientReader(trusted: readonly string[]): ClientReader {
  const networks = trusted.map(parseNetwork)
  const known = new BoundedCache<boolean>(REMEMBERED)
  const isTrusted = (address: string): boolean =>
    known.get(address, () => networks.some((network) => isInNetwork(address, network)))
  return {
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
 * Each proxy adds the address it was called from on the right, so the first one from the right that is no proxy of ours
 * is the client; what stands left of it may be made up.
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

/** `203.0.113.7:1234` and `[2001:db8::1]:1234` as some proxies write them. */
function withoutPort(text: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text)
  if (bracketed?.[1]) return bracketed[1]
  return /^[\d.]+:\d+$/.test(text) ? text.slice(0, text.indexOf(':')) : text
}

const canonicals = new BoundedCache<string | null>(REMEMBERED)

function canonical(text: string): string | null {
  // What is longer than any address is not worth its room: a stranger may have written it.
  return text.length > LONGEST_REMEMBERED ? canonicalAddress(text) : canonicals.get(text, () => canonicalAddress(text))
}
