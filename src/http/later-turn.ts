/**
 * Sends no answer in the turn of the event loop in which its request came. Bun accepts connections in a loop, reads what they
 * have sent and calls the handler inside of it. An answer that is ready at once goes out there, too, and a client that comes back
 * on a new connection finds the loop still running: a few such clients would keep it from ever ending, and no timer, ping or
 * alert would get a turn.
 */
import { type AnyElysia, Elysia } from 'elysia'
import { EventLoopTurns } from '../lib/event-loop-turn.ts'

export function answersInLaterTurn(): AnyElysia {
  const turns = new EventLoopTurns()
  return new Elysia({ name: 'later-turn' }).wrap((next, request) => async () => {
    const arrival = turns.current()
    try {
      return await next(request)
    } finally {
      if (!arrival.isOver) await arrival.end
    }
  })
}
