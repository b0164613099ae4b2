/** Server-sent events (HTML, 9.2). A stream ends with the browser's connection, with the right to read it, or after an hour. */
import type { ServerEvent } from './route.ts'

/**
 * Then the browser opens it again by a request of its own, in which a proxy says anew who is signed in.
 */
export const STREAM_SECONDS = 3_600

export interface StreamRules {
  /** Asked before each message and each pause: false ends the stream. */
  readonly mayGoOn: () => Promise<boolean>
  /** Resolves when it is time to ask again and to keep the connection open, although nothing happened. */
  readonly pause: () => Promise<unknown>
  /** aborted when the browser has left */
  readonly signal: AbortSignal
}

export function eventStream(events: AsyncIterable<ServerEvent>, rules: StreamRules): ReadableStream<Uint8Array> {
  const parts = messages(events, rules)
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await parts.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    async cancel() {
      await parts.return(undefined)
    },
  })
}

const QUIET = Symbol('quiet')
/** A comment, which readers skip. */
const NOTHING = ':\n\n'

async function* messages(events: AsyncIterable<ServerEvent>, rules: StreamRules): AsyncGenerator<string, undefined> {
  const { mayGoOn, pause, signal } = rules
  const iterator = events[Symbol.asyncIterator]()
  const left = new Promise<{ readonly done: true }>((resolve) => {
    const leave = () => resolve({ done: true })
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
  })
  try {
    // The headers are sent with the first bytes, and proxies wait for them.
    yield NOTHING
    let next = iterator.next()
    for (;;) {
      const step = await Promise.race([next, left, pause().then(() => QUIET)])
      if (!(await mayGoOn())) return undefined
      if (typeof step === 'symbol') {
        yield NOTHING
      } else {
        if (step.done) return undefined
        yield messageText(step.value)
        next = iterator.next()
      }
    }
  } finally {
    // Not awaited: a generator that waits for its own next event would never return.
    void iterator.return?.()
  }
}

function messageText({ event, data }: ServerEvent): string {
  const lines = data.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`)
  return `${event === undefined ? '' : `event: ${event}\n`}${lines.join('')}\n`
}
