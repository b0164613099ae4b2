/** Opens the web server's socket. */
import { lookup } from 'node:dns/promises'
import type { AnyElysia } from 'elysia'
import { Refusal } from '../domain/errors.ts'
import { codeOf, reasonOf } from '../lib/errors.ts'

/** Effectively unlimited. `body.ts` enforces the real limits: it stops reading, and the client has to wait. */
const SOCKET_BODY_LIMIT = Number.MAX_SAFE_INTEGER
/**
 * Seconds after which Bun closes a connection that is idle or whose request is still incomplete. A body may take longer if it arrives at 16
 * KiB per second or faster.
 */
const SOCKET_IDLE_SECONDS = 30

/**
 * Opens the socket.
 * @param begun requests that arrive before this promise resolves have to wait for it
 * @returns the port that was opened; if `port` is 0, the operating system chooses one
 * @throws Refusal `cannot-listen` if the address cannot be used
 */
export async function listen(
  http: AnyElysia,
  { host, port }: { host: string; port: number },
  begun: Promise<void>,
): Promise<number> {
  holdUntil(begun, http)
  try {
    http.listen({ hostname: host, port, maxRequestBodySize: SOCKET_BODY_LIMIT, idleTimeout: SOCKET_IDLE_SECONDS })
  } catch (error) {
    const isKnown = await hasAddress(host)
    const isHost = codeOf(error) === 'EADDRNOTAVAIL' || !isKnown
    const reason = isKnown ? reasonOf(error) : `HOST=${host} has no address`
    const data = { host, port, setting: isHost ? 'HOST' : 'PORT', isForbidden: codeOf(error) === 'EACCES' }
    throw new Refusal('cannot-listen', `cannot listen on ${host}:${port}: ${reason}`, data, { cause: error })
  }
  return http.server?.port ?? port
}

function holdUntil(begun: Promise<void>, http: AnyElysia): void {
  let isHeld = true
  void begun.then(() => {
    isHeld = false
  })
  http.wrap((next, request) => () => (isHeld ? begun.then(() => next(request)) : next(request)))
}

/** Returns whether a host name resolves. If it does not, Bun reports an invalid argument or a port in use. */
async function hasAddress(host: string): Promise<boolean> {
  try {
    await lookup(host)
    return true
  } catch {
    return false
  }
}
