/**
 * Ends turns of the event loop that answer for too long. Bun accepts connections in a loop, reads what they have sent and calls the
 * handler inside of it. An answer that is ready at once goes out there, too, and a client that comes back on a new connection finds
 * the loop still running: a few such clients would keep it from ever ending, and no timer, ping or alert would get a turn. So once a
 * turn has taken its time, answers to the requests that came in it wait for its end. Leaving each turn would be simpler, but Bun
 * sends a long answer at a third more of processor time then.
 */
import { type AnyElysia, Elysia } from 'elysia'
import { EventLoopTurns } from '../lib/event-loop-turn.ts'

const ANSWERING_MS = 10

export function answersInLaterTurn(): AnyElysia {
  const turns = new EventLoopTurns()
  return new Elysia({ name: 'later-turn' }).wrap((next, request) => async () => {
    const arrival = turns.current()
    try {
      return await next(request)
    } finally {
      if (!arrival.isOver && performance.now() - arrival.beganAt > ANSWERING_MS) await arrival.end
    }
  })
}
