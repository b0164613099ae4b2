/** The default body of a webhook: a JSON object without anything that would let its reader ping. */
import { flipSentenceText, withoutBody } from '../../domain/alert/flip-sentence.ts'
import type { Notification } from '../../domain/alert/notification.ts'
import { downtimeBefore } from '../../domain/check/flip.ts'
import { representCheck } from '../../domain/check/representation.ts'
import type { Alert } from '../transport.ts'
import { flipTime } from './flip-time.ts'

/**
 * `check` is the check at the time of sending, as API v3 shows it to a read-only key: without UUID and ping URL. `event`,
 * `time`, `reason` and `downtime` belong to the flip; like `id`, they are the same for all attempts.
 */
export function webhookMessage(alert: Alert) {
  const { check, flip, previousFlip, lastPing, delivery, projectName, message, links, now } = alert
  const downtime = downtimeBefore(flip, previousFlip)
  return {
    event: flip.newStatus === 'down' ? 'down' : 'up',
    id: delivery.id,
    time: flipTime(alert),
    project: projectName,
    message: inWords(message, check.name),
    sentence: flipSentenceText(withoutBody(alert), now),
    link: message.link,
    /** `timeout`, `fail`; null on the way up */
    reason: flip.reason === '' ? null : flip.reason,
    /** seconds; null on the way down */
    downtime: downtime === null ? null : Math.floor(downtime),
    exitstatus: lastPing?.exitStatus ?? null,
    check: representCheck({ check, channelIds: [] }, { version: 3, right: 'read', links, now }),
  }
}

/** @param name the check's own name, because a {@link Notification} may have the UUID instead */
function inWords({ isDown, reason, downtime }: Notification, name: string): string {
  const who = name === '' ? 'A check without a name' : name
  const why = reason === null ? '' : `: ${reason}`
  const after = downtime === null ? '' : ` after ${downtime}`
  return isDown ? `${who} is down${why}` : `${who} is up${after}`
}
