/**
 * A load balancer that does the least: it passes requests on in turn, and asks the next server when one refuses the connection, or
 * resets that of a GET. The kernel resets connections that came as a server stopped to listen, before the server saw them.
 */
import { codeOf } from '../../../src/lib/errors.ts'

export interface Balancer {
  readonly baseUrl: string
  /** base URLs, which the test may replace at any time */
  servers: readonly string[]
  /** how often a server refused the connection, and another one was asked */
  readonly refused: number
  /** how often a server reset the connection of a GET, and another one was asked */
  readonly reset: number
  /** requests that had no answer, and why: the client got 502 */
  readonly failures: readonly string[]
  stop(): Promise<void>
}

/** @param keepsAlive whether a connection to a server is used for more than one request */
export function startBalancer(keepsAlive: boolean): Balancer {
  const failures: string[] = []
  let turn = 0
  let refused = 0
  let reset = 0
  const pass = async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url)
    const body = request.body === null ? null : await request.arrayBuffer()
    turn += 1
    const first = turn % self.servers.length
    for (const to of [...self.servers.slice(first), ...self.servers.slice(0, first)]) {
      try {
        const { method, headers } = request
        return await fetch(`${to}${pathname}${search}`, {
          ...{ method, headers, body, keepalive: keepsAlive, redirect: 'manual', decompress: false },
        })
      } catch (error) {
        if (codeOf(error) === 'ECONNREFUSED') refused += 1
        else if (codeOf(error) === 'ECONNRESET' && request.method === 'GET') reset += 1
        else return failed(`${request.method} ${pathname}: ${codeOf(error) ?? String(error)}`)
      }
    }
    return failed('every server refuses connections')
  }
  const failed = (why: string) => {
    failures.push(why)
    return new Response(why, { status: 502 })
  }
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: pass })
  const self: Balancer = {
    baseUrl: server.url.origin,
    servers: [],
    get refused() {
      return refused
    },
    get reset() {
      return reset
    },
    failures,
    stop: () => server.stop(true),
  }
  return self
}
