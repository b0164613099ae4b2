/**
 * The rate limit for badges, project metrics and public pages. Each client address has one counter for all three. Requests are counted
 * before any key is checked.
 */
import { Refusal } from '../domain/errors.ts'
import type { RateLimit } from '../lib/limits/rate-limit.ts'
import { clientNetwork } from '../lib/network/network.ts'
import { type Sockets, socketAddressOf } from './client.ts'
import type { HttpDeps } from './deps.ts'

/**
 * @param sockets null if the request did not arrive over a socket
 * @throws Refusal `over-limit` with the seconds to wait
 */
export function limitPublic(
  { clients, publicLimit }: Pick<HttpDeps, 'clients' | 'publicLimit'>,
  request: Request,
  sockets: Sockets | null,
): void {
  limitAddress(publicLimit, clients.read(request.headers, socketAddressOf(request, sockets)).address)
}

/**
 * Like {@link limitPublic}, for callers that already know the client's address.
 * @param address null if unknown
 */
export function limitAddress(publicLimit: RateLimit, address: string | null): void {
  requireRate(publicLimit, address === null ? '' : clientNetwork(address))
}

/**
 * @param lookup the key under which the request is counted
 * @throws Refusal `over-limit` with the seconds to wait
 */
export function requireRate(limit: RateLimit, lookup: string): void {
  const taken = limit.take(lookup)
  if (taken && !taken.allowed) {
    throw new Refusal('over-limit', 'rate limit exceeded', { retryAfterSeconds: taken.retryAfterSeconds })
  }
}
