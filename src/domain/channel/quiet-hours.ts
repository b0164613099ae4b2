/**
 * A channel's quiet hours, during which alerts and recoveries are held back.
 *
 * A silence applies to checks: if an incident ends before the silence does, no alert is sent. Quiet hours apply to a channel and only delay
 * alerts. When they end, the held alerts are sent, combined into one message if the channel's kind supports that. If it does not, alerts
 * about incidents that had ended by then are dropped.
 */
import { type Instant, isAtOrAfter, later } from '../../lib/time.ts'
import { covers, type Severity } from '../severity.ts'
import { type MaintenanceWindow, occurrenceFrom } from '../silence/maintenance-window.ts'

export interface QuietHours extends MaintenanceWindow {
  /** alerts with a higher severity are sent immediately */
  readonly upTo: Severity
}

/** An alert that is due on a channel or held back by its quiet hours. */
export interface WaitingAlert {
  readonly checkId: string
  /** number of the event that the alert reports */
  readonly eventN: number
  /** number of the incident, unique within the check */
  readonly incidentN: number
  readonly news: Severity | 'up' | 'acknowledged'
  /** the incident's severity; `down` if the incident is unknown */
  readonly severity: Severity
  /** when the incident ended, even if recoveries are not sent to the channel; null if it is open */
  readonly resolvedAt: Instant | null
  /** end of the quiet hours for which the alert was held; null if it is waiting for another held alert about the same check */
  readonly heldUntil: Instant | null
}

/** Returns the time until which an alert is held back; null if it can be sent now. This is decided again before each attempt. */
export function quietUntil(
  quiet: QuietHours | null,
  { severity }: Pick<WaitingAlert, 'severity'>,
  now: Instant,
): Instant | null {
  if (quiet === null || !covers(quiet.upTo, severity)) return null
  const occurrence = occurrenceFrom(quiet, now)
  return occurrence !== null && isAtOrAfter(now, occurrence.startsAt) ? occurrence.endsAt : null
}

/** The messages to send and the alerts to drop when quiet hours end. */
export interface AfterQuietHours<Alert> {
  /** the alerts in each message; messages are in the order in which to send them */
  readonly messages: readonly (readonly Alert[])[]
  /**
   * alerts to drop, because their incidents ended before the quiet hours did and the channel's kind sends a separate message for each alert
   */
  readonly dropped: readonly Alert[]
}

/** Maximum number of checks in one message. */
export const CHECKS_IN_MESSAGE = 100

/**
 * Decides which messages to send when quiet hours end.
 * @param waited the alerts that were held back for one channel, oldest first
 * @param canJoin true: the channel's kind can report several alerts in one message
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

/** Divides alerts among messages, most severe first. Alerts about the same check always go into the same message. */
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

/** Ranks a check by its state when quiet hours end: down, warning, recovered. */
function badness(alerts: readonly WaitingAlert[]): number {
  const last = alerts.at(-1)
  if (last === undefined || last.resolvedAt !== null) return 0
  return last.severity === 'down' ? 2 : 1
}

/** Returns a check's alerts about incidents that ended while their first alert was held, so the channel was never notified of them. */
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
