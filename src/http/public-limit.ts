/**
 * How often a stranger may ask for what needs no key and takes some work, badges and project metrics together: by address,
 * since there is nothing else.
 */
import { Refusal } from '../domain/errors.ts'
import { clientNetwork } from '../domain/network.ts'
import type { RateLimit } from '../services/rate-limit.ts'
import type { ClientReader } from './client.ts'
import { type Sockets, socketAddressOf } from './target.ts'

export interface PublicLimitDeps {
  readonly clients: ClientReader
  /** keyed by address */
  readonly publicLimit: RateLimit
}

/**
 * @param sockets null where there is no socket
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
