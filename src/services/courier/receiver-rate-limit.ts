/** Rate limit for receivers that accept only a few messages per minute. A message over the limit stays due while its channel waits. */
import type { Channel } from '../../domain/channel/channel.ts'
import { createRateLimit } from '../../lib/limits/rate-limit.ts'
import { addSeconds, earlier, type Instant, isBefore } from '../../lib/time.ts'
import type { Deps } from '../common/deps.ts'

/** Messages per minute. Healthchecks has the same limit. */
const PER_MINUTE = 6
/** Maximum number of seconds until a token becomes available. */
const LONGEST_WAIT_SECONDS = 60 / PER_MINUTE

interface ReceiverRateLimit {
  /** Takes a token for one message. Returns false if there are no tokens left, in which case the channel has to wait. */
  admits(channel: Channel): boolean
  isWaiting(channelId: string): boolean
  /** Returns when the first waiting channel can continue, or null if no channel is waiting. */
  nextAt(): Instant | null
}

export function createReceiverRateLimit({ transports, now }: Pick<Deps, 'transports' | 'now'>): ReceiverRateLimit {
  const limit = createRateLimit(now, PER_MINUTE)
  const waiting = new Map<string, Instant>()

  const keyOf = ({ kind, settings, disabledReason }: Channel): string | null => {
    // Messages to a disabled channel are not sent, so they don't need a token.
    if (disabledReason !== null) return null
    try {
      const key = transports.get(kind)?.rateLimitKey?.(settings)
      return key === undefined ? null : `${kind} ${key}`
    } catch {
      // The settings were stored before this transport existed. The delivery itself will report the problem with the settings.
      return null
    }
  }

  const isWaiting = (channelId: string): boolean => {
    const until = waiting.get(channelId)
    if (until === undefined) return false
    // If the wait exceeds the maximum, it was computed before the clock was set back.
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
