/**
 * Ends turns of the event loop that take too long. Bun accepts connections in a loop, reads their data and calls the handler inside that
 * loop. An answer that is ready at once is sent there, too, and a client that returns on a new connection finds the loop still running. A
 * few such clients would keep the loop from ever ending, and no timer, ping or alert would get a turn. So once a turn has lasted
 * `ANSWERING_MS`, answers to its requests wait for its end. Leaving each turn would be simpler, but a long answer then takes about a tenth
 * more processor time.
 */
import { type AnyElysia, Elysia } from 'elysia'
import { type EventLoopTurn, EventLoopTurns } from '../lib/work/event-loop-turn.ts'

/** Milliseconds after which a turn is ended. A turn is noticed at most this much later. */
const ANSWERING_MS = 10

export function answersInLaterTurn(): AnyElysia {
  const turns = new EventLoopTurns()
  let watched: EventLoopTurn = turns.current()
  /** Watches another turn at most every `ANSWERING_MS`, because watching one costs an immediate. */
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
