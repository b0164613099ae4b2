/**
 * A load balancer that does what docs/operate.md requires, and nothing else: it forwards requests in turn to servers whose `/healthz`
 * answers 200, and tries the next one only when a connection is refused.
 */
import { codeOf } from '../../../src/lib/errors.ts'

export interface Balancer {
  readonly baseUrl: string
  /** base URLs, which the test may replace at any time; a server gets requests until `/healthz` fails */
  servers: readonly string[]
  /** number of refused connections, after each of which another server was tried */
  readonly refused: number
  /** reasons of requests without an answer: the client got 502 */
  readonly failures: readonly string[]
  stop(): Promise<void>
}

const LOOK_EVERY_MS = 100

/** @param keepsAlive whether a connection to a server is used for more than one request */
export function startBalancer(keepsAlive: boolean): Balancer {
  const failures: string[] = []
  const unhealthy = new Set<string>()
  let turn = 0
  let refused = 0
  let isOver = false
  const look = async (server: string): Promise<void> => {
    const isHealthy = await fetch(`${server}/healthz`, { keepalive: false }).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isHealthy) unhealthy.delete(server)
    else unhealthy.add(server)
  }
  const watch = async () => {
    for (; !isOver; await Bun.sleep(LOOK_EVERY_MS)) await Promise.all(self.servers.map(look))
  }
  const pass = async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url)
    const body = request.body === null ? null : await request.arrayBuffer()
    const servers = self.servers.filter((server) => !unhealthy.has(server))
    turn += 1
    const first = turn % servers.length
    for (const to of [...servers.slice(first), ...servers.slice(0, first)]) {
      try {
        const { method, headers } = request
        return await fetch(`${to}${pathname}${search}`, {
          ...{ method, headers, body, keepalive: keepsAlive, redirect: 'manual', decompress: false },
        })
      } catch (error) {
        if (codeOf(error) !== 'ECONNREFUSED') return failed(`${request.method} ${pathname}: ${codeOf(error) ?? error}`)
        refused += 1
      }
    }
    return failed(`${request.method} ${pathname}: no server takes it`)
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
    failures,
    async stop() {
      isOver = true
      await watching
      await server.stop(true)
    },
  }
  const watching = watch()
  return self
}
