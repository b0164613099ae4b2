/** Details that incident trackers list with an alert, by label. */
import type { Notification } from '../../domain/alert/notification.ts'
import { oneLine } from '../../lib/text/text.ts'

export function incidentDetails({ project, timing, totalPings, lastPing }: Notification): Record<string, string> {
  const schedule = timing.map(({ label, value }) => [label === 'Time Zone' ? 'Time zone' : label, value])
  return {
    Project: oneLine(project),
    'Total pings': String(totalPings),
    'Last ping': lastPing,
    ...Object.fromEntries(schedule),
  }
}
