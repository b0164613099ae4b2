/**
 * Ends turns of the event loop that take too long. Bun accepts connections in a loop, and reads their data and calls the handler inside
 * that loop. A response that is ready at once is also sent inside the loop, so a client may connect again before the loop has ended. A few
 * such clients could keep the loop running forever, and no timer, ping or alert would run. So once a turn has lasted `ANSWERING_MS`, the
 * responses to its requests wait for the next turn. Waiting for the next turn every time would be simpler, but a long response would take
 * about a tenth more CPU time.
 */
import { type AnyElysia, Elysia } from 'elysia'
import { type EventLoopTurn, EventLoopTurns } from '../lib/work/event-loop-turn.ts'

/** How long a turn may last, in milliseconds. A turn that is too long is noticed at most this much later. */
const ANSWERING_MS = 10

export function answersInLaterTurn(): AnyElysia {
  const turns = new EventLoopTurns()
  let watched: EventLoopTurn = turns.current()
  /** Starts watching a turn at most every `ANSWERING_MS`, because each watch needs a call of `setImmediate`. */
  const watch = (): EventLoopTurn => {
    if (watched.isOver && answersForLong(watched)) watched = turns.current()
    return watched
  }
  return new Elysia({ name: 'later-turn' }).wrap((next, request) => async () => {
    const turn = watch()
    try {
      return await next(request)
    } finally {
      if (!turn.isOver && answersForLong(turn)) await turn.end
    }
  })
}

function answersForLong({ beganAt }: EventLoopTurn): boolean {
  return performance.now() - beganAt > ANSWERING_MS
}
