/** Receivers of webhooks, healthy and sick, that remember what reached them. */
import { freePort } from '../../test/support/free-port.ts'

export interface Arrival {
  /** the delivery's id, from the header `webhook-id` */
  readonly id: string
  /** on the clock of `performance.now()` */
  readonly at: number
}

export interface Receiver {
  readonly url: string
  /** in their order */
  readonly arrivals: readonly Arrival[]
  stop(): Promise<void>
}

/** Answers after `delayMs`, by default with 200. */
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

/** Nobody listens there. */
export function refusing(): Receiver {
  return { url: `http://127.0.0.1:${freePort()}/`, arrivals: [], stop: async () => {} }
}

/** Takes the connection and what comes over it, and says nothing. */
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
