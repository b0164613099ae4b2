/**
 * Limits how long a turn of the event loop can take. Bun accepts connections in a loop, and also reads their data and calls the request
 * handler inside that loop. If a response is available immediately, Bun sends it inside the loop, so a client may connect again before the
 * loop has ended. A few such clients could keep the loop running forever, and no timer, ping or alert would run. Therefore, once a turn has
 * lasted `ANSWERING_MS`, the responses to its requests wait for the next turn. Always waiting for the next turn would be simpler, but a
 * long response would use about a tenth more CPU time.
 */
import { type AnyElysia, Elysia } from 'elysia'
import { type EventLoopTurn, EventLoopTurns } from '../lib/work/event-loop-turn.ts'

/** Maximum length of a turn, in milliseconds. A turn may exceed it by up to the same amount before the server notices. */
const ANSWERING_MS = 10

export function answersInLaterTurn(): AnyElysia {
  const turns = new EventLoopTurns()
  let watched: EventLoopTurn = turns.current()
  /** Starts timing a turn at most once every `ANSWERING_MS`, because each measurement calls `setImmediate`. */
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
