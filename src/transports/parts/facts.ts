/** Lists facts about a check as lines with a label and a value. */
import type { Fact, Notification } from '../../domain/alert/notification.ts'
import { oneLine } from '../../lib/text/text.ts'

/** Lists the facts, each on one line except for a schedule. Leaves out an empty project or tag list. Escapes nothing. */
export function factsOf(message: Notification): Fact[] {
  return [
    ...(message.project ? [{ label: 'Project', value: oneLine(message.project) }] : []),
    ...(message.tags.length > 0 ? [{ label: 'Tags', value: oneLine(message.tags.join(', ')) }] : []),
    ...message.timing,
    { label: 'Total Pings', value: String(message.totalPings) },
    { label: 'Last Ping', value: message.lastPing },
  ]
}
