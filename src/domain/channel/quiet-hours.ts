/**
 * The quiet hours of a channel, during which alerts and recoveries are held.
 *
 * A silence belongs to checks: an incident that ends before the silence does is never alerted. Quiet hours belong to a channel and only
 * delay alerts. When they end, the held alerts are sent, in one message if the channel's kind supports that. If it does not, alerts about
 * incidents that had ended by then are dropped.
 */
import { type Instant, isAtOrAfter, later } from '../../lib/time.ts'
import { covers, type Severity } from '../severity.ts'
import { type MaintenanceWindow, occurrenceFrom } from '../silence/maintenance-window.ts'

export interface QuietHours extends MaintenanceWindow {
  /** alerts of a higher severity are sent at once */
  readonly upTo: Severity
}

/** An alert that is due to a channel, or held by its quiet hours. */
export interface WaitingAlert {
  readonly checkId: string
  /** number of the event that the alert reports */
  readonly eventN: number
  /** number of the incident, which is unique within the check */
  readonly incidentN: number
  readonly news: Severity | 'up' | 'acknowledged'
  /** severity of the incident; `down` if the incident is unknown */
  readonly severity: Severity
  /** time at which the incident ended, even if the channel gets no recoveries; null if it is open */
  readonly resolvedAt: Instant | null
  /** end of the quiet hours for which the alert was held; null if it waits for an alert of its check that was held */
  readonly heldUntil: Instant | null
}

/** Returns the time until which an alert is held; null if it is sent now. It is called again before each attempt. */
export function quietUntil(
  quiet: QuietHours | null,
  { severity }: Pick<WaitingAlert, 'severity'>,
  now: Instant,
): Instant | null {
  if (quiet === null || !covers(quiet.upTo, severity)) return null
  const occurrence = occurrenceFrom(quiet, now)
  return occurrence !== null && isAtOrAfter(now, occurrence.startsAt) ? occurrence.endsAt : null
}

/** The messages to send when quiet hours end, and the alerts to drop. */
export interface AfterQuietHours<Alert> {
  /** the alerts in each message, in the order in which the messages are sent */
  readonly messages: readonly (readonly Alert[])[]
  /** alerts that are not sent, because their incidents ended before the quiet hours did, and the channel's kind sends a message per alert */
  readonly dropped: readonly Alert[]
}

/** Maximum number of checks in one message. */
export const CHECKS_IN_MESSAGE = 100

/**
 * Decides which messages are sent when quiet hours end.
 * @param waited the alerts that one channel held, oldest first
 * @param canJoin whether the channel's kind can report several alerts in one message
 */
export function afterQuietHours<Alert extends WaitingAlert>(
  waited: readonly Alert[],
  canJoin: boolean,
): AfterQuietHours<Alert> {
  const ofChecks = [...Map.groupBy(waited, ({ checkId }) => checkId).values()]
  if (canJoin) return { messages: inMessages(ofChecks), dropped: [] }
  const dropped = new Set(ofChecks.flatMap(endedInQuietHours))
  return {
    messages: waited.filter((alert) => !dropped.has(alert)).map((alert) => [alert]),
    dropped: waited.filter((alert) => dropped.has(alert)),
  }
}

/** Divides alerts among messages, the most severe first. The alerts of one check are always in the same message. */
function inMessages<Alert extends WaitingAlert>(
  ofChecks: readonly (readonly Alert[])[],
): readonly (readonly Alert[])[] {
  const ordered = ofChecks.toSorted((a, b) => badness(b) - badness(a))
  const messages: Alert[][] = []
  for (const [index, alerts] of ordered.entries()) {
    if (index % CHECKS_IN_MESSAGE === 0) messages.push([])
    messages.at(-1)?.push(...alerts)
  }
  return messages
}

/** Ranks a check by its state at the end of quiet hours: down, warning, recovered. */
function badness(alerts: readonly WaitingAlert[]): number {
  const last = alerts.at(-1)
  if (last === undefined || last.resolvedAt !== null) return 0
  return last.severity === 'down' ? 2 : 1
}

/** Returns the alerts of a check about incidents that ended while the alert about their beginning waited, so that nobody knows of them. */
function endedInQuietHours<Alert extends WaitingAlert>(ofCheck: readonly Alert[]): readonly Alert[] {
  const quietEnd = ofCheck.reduce<Instant | null>(
    (latest, { heldUntil }) => (heldUntil === null ? latest : later(heldUntil, latest)),
    null,
  )
  if (quietEnd === null) return []
  const isUnknown = ({ eventN, incidentN, resolvedAt }: Alert) =>
    eventN === incidentN && resolvedAt !== null && isAtOrAfter(quietEnd, resolvedAt)
  const unknown = new Set(ofCheck.filter(isUnknown).map(({ incidentN }) => incidentN))
  return ofCheck.filter(({ incidentN }) => unknown.has(incidentN))
}
