/** A server that answers pings as their first path segment says, and records them. */
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { freePort } from '../../test/support/free-port.ts'

/** Behaviours of a server. `away`: nothing listens. */
export const MANNERS = ['well', 'away', 'silent', 'dripping', 'trickling', 'unaware', 'busy', 'moved'] as const
export type Manner = (typeof MANNERS)[number]

interface Arrival {
  /** text after the address of the check: empty, `/start`, `/fail`, `/3` */
  readonly ending: string
  readonly type: string
  readonly body: string
}

export interface ScriptedServer {
  /** @param name of the check; no other may have it */
  urlOf(manner: Manner, name: string): string
  arrivedAt(name: string): readonly Arrival[]
  stop(): Promise<void>
}

export async function scriptedServer(): Promise<ScriptedServer> {
  const arrivals = new Map<string, Arrival[]>()
  const http = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const [, manner = '', name = '', ...rest] = new URL(request.url).pathname.split('/')
      if (manner === 'unaware') return new Response('not found', { status: 404 })
      if (manner === 'busy') return new Response('', { status: 503, headers: { 'retry-after': '3600' } })
      if (manner === 'moved') return Response.redirect(request.url.replace('/moved/', '/well/'), 301)
      const body = await request.text()
      const arrival = {
        ending: rest.map((part) => `/${part}`).join(''),
        type: request.headers.get('content-type') ?? '',
        body,
      }
      arrivals.set(name, [...(arrivals.get(name) ?? []), arrival])
      return new Response('OK')
    },
  })
  const slow = {
    silent: await listen(() => {}),
    // A character of the header at intervals: a time limit for each packet never expires.
    dripping: await listen((socket) => writeSlowly(socket, 'HTTP/1.1 200 OK\r\nX: ')),
    trickling: await listen((socket) => writeSlowly(socket, 'HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n')),
  }
  const ports: Readonly<Record<string, number>> = {
    away: freePort(),
    ...Object.fromEntries(Object.entries(slow).map(([manner, server]) => [manner, portOf(server)])),
  }
  return {
    urlOf: (manner, name) => `http://127.0.0.1:${ports[manner] ?? http.port}/${manner}/${name}`,
    arrivedAt: (name) => arrivals.get(name) ?? [],
    stop: async () => {
      for (const server of Object.values(slow)) server.close()
      await http.stop(true)
    },
  }
}

const portOf = (server: Server) => (server.address() as AddressInfo).port

function listen(answer: (socket: Socket) => void): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      // The request is read and discarded.
      socket.once('data', () => answer(socket)).resume()
    })
    server.listen(0, '127.0.0.1', () => resolve(server))
  })
}

function writeSlowly(socket: Socket, beginning: string) {
  socket.write(beginning)
  const timer = setInterval(() => socket.write('x'), 500)
  socket.once('close', () => clearInterval(timer))
}
