/** What incident trackers list beside an alert, as a map from label to text. */
import type { Notification } from '../domain/notification.ts'
import { oneLine } from '../domain/text.ts'

export function incidentDetails({ project, timing, totalPings, lastPing }: Notification): Record<string, string> {
  const schedule = timing.map(({ label, value }) => [label === 'Time Zone' ? 'Time zone' : label, value])
  return {
    Project: oneLine(project),
    'Total pings': String(totalPings),
    'Last ping': lastPing,
    ...Object.fromEntries(schedule),
  }
}
