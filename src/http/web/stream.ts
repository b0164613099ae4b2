/** Server-sent events (HTML, 9.2). A stream ends when the browser disconnects, when the reader loses access, or after an hour. */
import type { ServerEvent, StreamPart } from './route.ts'

/**
 * Maximum duration of a stream, in seconds. The browser then reopens the stream with a new request, which lets a proxy identify the user
 * again.
 */
export const STREAM_SECONDS = 3_600

export interface StreamRules {
  /** Returns whether the stream may continue. Called after each pause and before each message, so it should be cheap. */
  readonly mayGoOn: () => Promise<boolean>
  /** Resolves when it is time to call `mayGoOn` again. */
  readonly pause: () => Promise<unknown>
  /** aborted when the browser disconnects */
  readonly signal: AbortSignal
}

/** A comment, which the browser ignores. It keeps an idle connection open. */
const NOTHING = ':\n\n'
/** Number of pauses after which a stream without messages sends a comment. */
const PAUSES_PER_COMMENT = 5

const encoder = new TextEncoder()

/** Encodes events. The same bytes can be sent to many streams. */
export function eventBytes(events: readonly ServerEvent[]): Uint8Array {
  return encoder.encode(events.map(messageText).join(''))
}

/**
 * Creates a stream. A slow reader's stream requests no more events until the reader catches up, so the source has to limit how many events
 * it queues.
 */
export function eventStream(parts: AsyncIterable<StreamPart>, rules: StreamRules): ReadableStream<Uint8Array> {
  const messages = new Messages(parts[Symbol.asyncIterator](), rules)
  return new ReadableStream({
    async pull(controller) {
      const bytes = await messages.next()
      if (bytes === null) controller.close()
      else controller.enqueue(bytes)
    },
    cancel: () => messages.close(),
  })
}

/**
 * Waits for the next event, the end of a pause, or the end of the connection. Each of them sets a field and wakes `next`. Racing the same
 * promises repeatedly would accumulate callbacks.
 */
class Messages {
  readonly #parts: AsyncIterator<StreamPart>
  readonly #rules: StreamRules
  #wake = () => {}
  #arrived: IteratorResult<StreamPart> | null = null
  #failure: { readonly error: unknown } | null = null
  #hasBegun = false
  #hasPaused = false
  #hasEnded = false
  #pauses = 0

  constructor(parts: AsyncIterator<StreamPart>, rules: StreamRules) {
    this.#parts = parts
    this.#rules = rules
    const leave = () => this.close()
    if (rules.signal.aborted) leave()
    else rules.signal.addEventListener('abort', leave, { once: true })
  }

  /** @returns the next message; null at the end of the stream */
  async next(): Promise<Uint8Array | null> {
    if (!this.#hasBegun) return this.#begin()
    while (!this.#hasEnded) {
      if (this.#hasPaused) {
        if (await this.#askAgain()) return encoder.encode(NOTHING)
      } else if (this.#failure) {
        // The source may still hold resources for the reader, and the reader does not cancel a stream that has failed.
        this.close()
        throw this.#failure.error
      } else if (this.#arrived) {
        if (await this.#rules.mayGoOn()) return this.#take(this.#arrived)
        this.close()
      } else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
      }
    }
    return null
  }

  close(): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#wake()
    // Don't await this: a generator that is waiting for its next event would never return.
    void this.#parts.return?.()
  }

  /** Returns the first bytes. The headers are sent together with the first bytes, and proxies wait for the headers. */
  #begin(): Uint8Array {
    this.#hasBegun = true
    if (!this.#hasEnded) {
      this.#ask()
      this.#pause()
    }
    return encoder.encode(NOTHING)
  }

  #ask(): void {
    this.#parts.next().then(
      (arrived) => {
        this.#arrived = arrived
        this.#wake()
      },
      (error: unknown) => {
        this.#failure = { error }
        this.#wake()
      },
    )
  }

  #pause(): void {
    void this.#rules.pause().then(() => {
      this.#hasPaused = true
      this.#wake()
    })
  }

  /** @returns whether the stream has to send a comment to keep the connection open */
  async #askAgain(): Promise<boolean> {
    this.#hasPaused = false
    this.#pauses += 1
    if (await this.#rules.mayGoOn()) this.#pause()
    else this.close()
    return !this.#hasEnded && this.#pauses % PAUSES_PER_COMMENT === 0
  }

  #take({ done, value }: IteratorResult<StreamPart>): Uint8Array | null {
    this.#arrived = null
    if (done) {
      this.close()
      return null
    }
    this.#ask()
    return value instanceof Uint8Array ? value : eventBytes([value])
  }
}

function messageText({ event, id, data }: ServerEvent): string {
  const lines = data.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`)
  return `${event === undefined ? '' : `event: ${event}\n`}${id === undefined ? '' : `id: ${id}\n`}${lines.join('')}\n`
}
