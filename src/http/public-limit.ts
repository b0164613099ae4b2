/**
 * The rate limit of badges, project metrics and public pages: they count together, by client address, before any key is
 * checked.
 */
import { Refusal } from '../domain/errors.ts'
import { clientNetwork } from '../lib/network.ts'
import type { RateLimit } from '../lib/rate-limit.ts'
import { type ClientReader, type Sockets, socketAddressOf } from './client.ts'

export interface PublicLimitDeps {
  readonly clients: ClientReader
  /** keyed by address */
  readonly publicLimit: RateLimit
}

/**
 * @param sockets null when the request did not come over a socket
 * @throws Refusal `over-limit` with the seconds to wait
 */
export function limitPublic(
  { clients, publicLimit }: PublicLimitDeps,
  request: Request,
  sockets: Sockets | null,
): void {
  const { address } = clients.read(request.headers, socketAddressOf(request, sockets))
  const taken = publicLimit.take(address === null ? '' : clientNetwork(address))
  if (taken && !taken.allowed) {
    throw new Refusal('over-limit', 'rate limit exceeded', { retryAfterSeconds: taken.retryAfterSeconds })
  }
}
