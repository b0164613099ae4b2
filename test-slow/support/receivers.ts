/** Receivers of webhooks, healthy and failing, and of Matrix rooms. They record what they receive. */
import { freePort } from '../../test/support/free-port.ts'

export interface Arrival {
  /** the delivery's id, from the header `webhook-id` */
  readonly id: string
  /** time by `performance.now()` */
  readonly at: number
}

export interface Receiver {
  readonly url: string
  /** in order of arrival */
  readonly arrivals: readonly Arrival[]
  stop(): Promise<void>
}

/** Starts a receiver that answers after `delayMs`, by default with 200. */
export function answering(delayMs: number, answer: () => Response = () => new Response('thanks')): Receiver {
  const arrivals: Arrival[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      arrivals.push({ id: request.headers.get('webhook-id') ?? '', at: performance.now() })
      await Bun.sleep(delayMs)
      return answer()
    },
  })
  return { url: server.url.href, arrivals, stop: () => server.stop(true) }
}

/** A message in a room. Its id is that of its transaction, which is the same for each attempt. */
export interface RoomMessage extends Arrival {
  readonly text: string
}

/** A homeserver of Matrix, whose rooms get several alerts in one message. */
export interface Homeserver {
  /** settings of a server that sends to it */
  readonly settings: Readonly<Record<string, string>>
  /** Returns the messages in a room, in order of arrival. The list grows while messages arrive. */
  messagesIn(room: string): readonly RoomMessage[]
  stop(): Promise<void>
}

/** Starts a homeserver that answers after `delayMs`. */
export function homeserver(delayMs: number): Homeserver {
  const rooms = new Map<string, RoomMessage[]>()
  const messagesIn = (room: string) => {
    const messages = rooms.get(room) ?? []
    rooms.set(room, messages)
    return messages
  }
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    routes: {
      '/_matrix/client/v3/rooms/:room/send/m.room.message/:id': {
        async PUT(request) {
          const { body } = (await request.json()) as { readonly body: string }
          messagesIn(request.params.room).push({ id: request.params.id, at: performance.now(), text: body })
          await Bun.sleep(delayMs)
          return Response.json({ event_id: '$event' })
        },
      },
    },
    fetch: () => new Response(null, { status: 404 }),
  })
  const settings = { MATRIX_HOMESERVER: server.url.href, MATRIX_ACCESS_TOKEN: 'token' }
  return { settings, messagesIn, stop: () => server.stop(true) }
}

/** Returns a receiver at a port on which nothing listens. */
export function refusing(): Receiver {
  return { url: `http://127.0.0.1:${freePort()}/`, arrivals: [], stop: async () => {} }
}

/** Starts a receiver that accepts connections and requests, and never answers. */
export function silent(): Receiver {
  const arrivals: Arrival[] = []
  const server = Bun.listen({
    port: 0,
    hostname: '127.0.0.1',
    socket: {
      data(_, bytes) {
        const id = /^webhook-id: *(\S+)/im.exec(bytes.toString())?.[1]
        if (id !== undefined) arrivals.push({ id, at: performance.now() })
      },
    },
  })
  return { url: `http://127.0.0.1:${server.port}/`, arrivals, stop: async () => server.stop(true) }
}
