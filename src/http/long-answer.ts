/** Answers that may be long: short ones are sent whole, the others while they are being made, as fast as they are taken. */
import type { Deps } from '../services/deps.ts'
import type { LongReads } from '../services/long-reads.ts'

export type LongAnswerDeps = Pick<Deps, 'log' | 'stopwatch'> & { readonly longReads: LongReads }

/** Bytes. What is not longer is sent at once, with its length. */
const SENT_WHOLE = 65_536

/** A client that takes no more than a little now and then would keep its place for ever. */
const LONGEST_SECONDS = 300

/**
 * @param owner whose data is read: a project
 * @param pieces asked for when there is room for the next one, and ended when the client goes away
 * @throws Refusal `busy` when too many such answers are under way; whatever `pieces` throws before the first is sent
 */
export async function longAnswer(
  deps: LongAnswerDeps,
  owner: string,
  pieces: AsyncGenerator<Uint8Array>,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const counted = whileCounted(pieces, deps.longReads.begin(owner))
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
          if (stopwatch() > endsAt) throw new Error(`it was not taken within ${LONGEST_SECONDS} seconds`)
          const { done, value } = await rest.next()
          if (!isWanted) return
          if (done) controller.close()
          else controller.enqueue(value)
        } catch (error) {
          // The status is sent already: an answer that ends early, without its last chunk, is seen to be incomplete.
          log('error', 'an answer broke off', { reason: error instanceof Error ? error.message : String(error) })
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
