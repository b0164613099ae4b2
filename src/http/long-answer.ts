/** Responses that may be long. A short response is sent immediately. A long response is streamed as fast as the client reads it. */
import { messageOf } from '../lib/errors.ts'
import type { LongReader } from '../services/common/long-reads.ts'
import type { HttpDeps } from './deps.ts'

type LongAnswerDeps = Pick<HttpDeps, 'log' | 'stopwatch' | 'longReads'>

/** Maximum size of a response that is sent immediately, with `Content-Length`, in bytes. */
const SENT_WHOLE = 65_536

/** Maximum duration of a response, in seconds. Without this limit, a very slow client could occupy a slot forever. */
const LONGEST_SECONDS = 300

/**
 * Sends the pieces as one response, which may be long.
 * @param reader the account that the response counts against
 * @param pieces pulled as the client reads, and closed when the client disconnects
 * @throws Refusal `busy` if too many long responses are in progress; any error from `pieces` before the first byte is sent
 */
export async function longAnswer(
  deps: LongAnswerDeps,
  reader: LongReader,
  pieces: AsyncGenerator<Uint8Array>,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const counted = whileCounted(pieces, await deps.longReads.begin(reader))
  const beginning: Uint8Array[] = []
  for (let size = 0; size <= SENT_WHOLE; ) {
    const { done, value } = await counted.next()
    if (done) return new Response(Buffer.concat(beginning), { headers })
    beginning.push(value)
    size += value.length
  }
  return new Response(streamOf(beginning, counted, deps), { headers })
}

async function* whileCounted(pieces: AsyncGenerator<Uint8Array>, end: () => void): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces
  } finally {
    end()
  }
}

function streamOf(
  beginning: readonly Uint8Array[],
  rest: AsyncGenerator<Uint8Array>,
  { log, stopwatch }: LongAnswerDeps,
): ReadableStream<Uint8Array> {
  let isWanted = true
  const endsAt = stopwatch() + LONGEST_SECONDS
  return new ReadableStream(
    {
      start(controller) {
        for (const piece of beginning) controller.enqueue(piece)
      },
      async pull(controller) {
        try {
          if (stopwatch() > endsAt) throw new Error(`the client did not read it within ${LONGEST_SECONDS} seconds`)
          const { done, value } = await rest.next()
          if (!isWanted) return
          if (done) controller.close()
          else controller.enqueue(value)
        } catch (error) {
          // The status has already been sent. Clients can tell from the missing last chunk that the response is incomplete.
          log('error', 'an answer was cut off', { reason: messageOf(error) })
          controller.error(error)
          await rest.return(undefined)
        }
      },
      async cancel() {
        isWanted = false
        await rest.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}
