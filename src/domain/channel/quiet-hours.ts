/**
 * The quiet hours of a channel. Alerts wait until they end, and so do recoveries, because the reason is the hour and not the problem.
 *
 * A silence is about checks, and incidents that end before it are never alerted. Quiet hours only delay alerts: they are sent when the
 * hours end, in one message if the kind of the channel allows that. If it does not, incidents that have ended meanwhile are left out.
 */
import { type Instant, isAtOrAfter } from '../../lib/time.ts'
import { covers, type Severity } from '../severity.ts'
import { type MaintenanceWindow, occurrenceFrom } from '../silence/maintenance-window.ts'

export interface QuietHours extends MaintenanceWindow {
  /** alerts of a worse severity are sent at once */
  readonly upTo: Severity
}

/** An alert that waits for a channel, or is due to it. */
export interface WaitingAlert {
  readonly checkId: string
  /** number of the event that it reports */
  readonly eventN: number
  /** number of its incident among those of the check */
  readonly incidentN: number
  readonly news: Severity | 'up' | 'acknowledged'
  /** severity of its incident; `down` if the incident is unknown */
  readonly severity: Severity
  /** whether its incident has ended, even if the channel wants no recoveries */
  readonly hasEnded: boolean
}

/** Returns the time until which an alert waits; null if it is sent now. Called again before each attempt. */
export function quietUntil(
  quiet: QuietHours | null,
  { severity }: Pick<WaitingAlert, 'severity'>,
  now: Instant,
): Instant | null {
  if (quiet === null || !covers(quiet.upTo, severity)) return null
  const occurrence = occurrenceFrom(quiet, now)
  return occurrence !== null && isAtOrAfter(now, occurrence.startsAt) ? occurrence.endsAt : null
}

/** The fate of the alerts that waited for the end of quiet hours. */
export interface AfterQuietHours<Alert> {
  /** the alerts of each message, in the order in which the messages are sent */
  readonly messages: readonly (readonly Alert[])[]
  /** alerts that are not sent: their incidents have ended meanwhile, and the kind of the channel sends each alert alone */
  readonly dropped: readonly Alert[]
}

/** Maximum number of checks in a message. */
export const CHECKS_IN_MESSAGE = 100

/**
 * Returns the messages in which the alerts are sent after quiet hours.
 * @param waited alerts to one channel, in the order of their creation
 * @param canJoin whether the kind of the channel can report several alerts in one message
 */
export function afterQuietHours<Alert extends WaitingAlert>(
  waited: readonly Alert[],
  canJoin: boolean,
): AfterQuietHours<Alert> {
  const incidents = [...Map.groupBy(waited, ({ checkId, incidentN }) => `${checkId} ${incidentN}`).values()]
  if (canJoin) return { messages: inMessages(incidents), dropped: [] }
  const dropped = new Set(incidents.filter(hasEndedMeanwhile).flat())
  return {
    messages: waited.filter((alert) => !dropped.has(alert)).map((alert) => [alert]),
    dropped: waited.filter((alert) => dropped.has(alert)),
  }
}

/** Divides alerts among messages, the worst first. All alerts of a check are in one message. */
function inMessages<Alert extends WaitingAlert>(
  incidents: readonly (readonly Alert[])[],
): readonly (readonly Alert[])[] {
  const ofChecks = [...Map.groupBy(incidents, ([first]) => first?.checkId).values()].map((ofCheck) => ofCheck.flat())
  const ordered = ofChecks.toSorted((a, b) => badness(b) - badness(a))
  const messages: Alert[][] = []
  for (const [index, alerts] of ordered.entries()) {
    if (index % CHECKS_IN_MESSAGE === 0) messages.push([])
    messages.at(-1)?.push(...alerts)
  }
  return messages
}

/** Ranks a check by its state when the quiet hours end: down, warning, recovered. */
function badness(alerts: readonly WaitingAlert[]): number {
  const last = alerts.at(-1)
  if (last === undefined || last.hasEnded) return 0
  return last.severity === 'down' ? 2 : 1
}

/** Whether an incident has ended while the alert about its beginning waited, so that nobody knows of it yet. */
function hasEndedMeanwhile(alerts: readonly WaitingAlert[]): boolean {
  return alerts.some(({ eventN, incidentN, hasEnded }) => hasEnded && eventN === incidentN)
}
