/**
 * Ends turns of the event loop that answer for too long. Bun accepts connections in a loop, reads what they have sent and calls the
 * handler inside of it. An answer that is ready at once goes out there, too, and a client that comes back on a new connection finds
 * the loop still running: a few such clients would keep it from ever ending, and no timer, ping or alert would get a turn. So once a
 * turn has taken its time, answers to the requests that came in it wait for its end. Leaving each turn would be simpler, but a
 * long answer then takes about a tenth more processor time.
 */
import { type AnyElysia, Elysia } from 'elysia'
import { type EventLoopTurn, EventLoopTurns } from '../lib/work/event-loop-turn.ts'

/** A turn is noticed up to so much later, and then answers for so long. */
const ANSWERING_MS = 10

export function answersInLaterTurn(): AnyElysia {
  const turns = new EventLoopTurns()
  let watched: EventLoopTurn = turns.current()
  /** To watch each turn would cost each an immediate. */
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
