/** What a message tells about a check in lines of a label and a value, for kinds that show such lines. */
import type { Fact, Notification } from '../domain/notification.ts'
import { oneLine } from '../domain/text.ts'

/** Each on one line, save for a schedule; the project and the tags are left out when there are none. Nothing is escaped. */
export function factsOf(message: Notification): Fact[] {
  return [
    ...(message.project ? [{ label: 'Project', value: oneLine(message.project) }] : []),
    ...(message.tags.length > 0 ? [{ label: 'Tags', value: oneLine(message.tags.join(', ')) }] : []),
    ...message.timing,
    { label: 'Total Pings', value: String(message.totalPings) },
    { label: 'Last Ping', value: message.lastPing },
  ]
}

/** Why it went down, or how long it was down; null when neither is known. */
export function reasonOrDowntime({ reason, downtime }: Notification): Fact | null {
  if (reason !== null) return { label: 'Reason', value: reason }
  return downtime === null ? null : { label: 'Downtime', value: downtime }
}
