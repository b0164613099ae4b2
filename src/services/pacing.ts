/** Pacing: some receivers take few messages a minute. What must wait stays due, and its channel gets no seat meanwhile. */
import type { Channel } from '../domain/channel.ts'
import { addSeconds, earlier, type Instant, isBefore } from '../domain/time.ts'
import type { Deps } from './deps.ts'
import { createRateLimit } from './rate-limit.ts'

/** As the peer paces them (behaviour of the peer, 10.3). */
const PER_MINUTE = 6
/** Until there is a token again. */
const LONGEST_WAIT_SECONDS = 60 / PER_MINUTE

export interface Pacing {
  /** Takes a token for one message; false when there is none, and then the channel waits. */
  admits(channel: Channel): boolean
  isWaiting(channelId: string): boolean
  /** When the first of the channels that wait may go on; null when none waits. */
  nextAt(): Instant | null
}

export function createPacing({ transports, now }: Pick<Deps, 'transports' | 'now'>): Pacing {
  const limit = createRateLimit(now, PER_MINUTE)
  const waiting = new Map<string, Instant>()

  const keyOf = ({ kind, settings, disabledReason }: Channel): string | null => {
    // To a disabled channel nothing is sent.
    if (disabledReason !== null) return null
    try {
      const key = transports.get(kind)?.pace?.(settings)
      return key === undefined ? null : `${kind} ${key}`
    } catch {
      // Settings that were stored before there was a transport; the delivery will say what is wrong with them.
      return null
    }
  }

  const isWaiting = (channelId: string): boolean => {
    const until = waiting.get(channelId)
    if (until === undefined) return false
    // A wait that lies further ahead than any was granted is left over from before the clock was put back.
    if (isBefore(now(), until) && !isBefore(addSeconds(now(), LONGEST_WAIT_SECONDS), until)) return true
    waiting.delete(channelId)
    return false
  }

  return {
    admits(channel) {
      const key = keyOf(channel)
      const taken = key === null ? null : limit.take(key)
      if (taken === null || taken.allowed) return true
      waiting.set(channel.id, addSeconds(now(), taken.retryAfterSeconds))
      return false
    },
    isWaiting,
    nextAt() {
      let next: Instant | null = null
      for (const [channelId, until] of waiting) if (isWaiting(channelId)) next = earlier(next, until)
      return next
    },
  }
}
