/** Webhook receivers, healthy and failing, that record what they receive. */
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
