/** Opens the socket of the web server. */
import { lookup } from 'node:dns/promises'
import type { AnyElysia } from 'elysia'
import { Refusal } from '../domain/errors.ts'
import { codeOf, reasonOf } from '../lib/errors.ts'

/** The greatest limit possible, because `body.ts` limits bodies: it stops reading, and unread bytes wait in the client. */
const SOCKET_BODY_LIMIT = Number.MAX_SAFE_INTEGER
/**
 * Seconds after which Bun closes an idle connection, or one whose request is still incomplete. Only a body that arrives at 16 KiB a second
 * or more may take longer.
 */
const SOCKET_IDLE_SECONDS = 30

/**
 * Opens the socket.
 * @param begun earlier requests wait until it resolves
 * @returns the port that was opened: `port`, or the one chosen for 0
 * @throws Refusal `cannot-listen` if the address can't be used
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

/** Whether a host name resolves. Bun reports one that does not as an invalid argument or as a port in use. */
async function hasAddress(host: string): Promise<boolean> {
  try {
    await lookup(host)
    return true
  } catch {
    return false
  }
}
