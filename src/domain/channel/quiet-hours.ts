/**
 * The quiet hours of a channel, during which alerts and recoveries are held.
 *
 * A silence belongs to checks: an incident that ends before the silence does is never alerted. Quiet hours belong to a channel and only
 * delay alerts. When they end, the held alerts are sent, in one message if the channel's kind supports that. If it does not, alerts about
 * incidents that have ended in the meantime are dropped.
 */
import { type Instant, isAtOrAfter } from '../../lib/time.ts'
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
  /** whether the incident has ended, even if the channel gets no recoveries */
  readonly hasEnded: boolean
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
  /** alerts that are not sent, because their incidents have ended and the channel's kind sends a message per alert */
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
  const incidents = [...Map.groupBy(waited, ({ checkId, incidentN }) => `${checkId} ${incidentN}`).values()]
  if (canJoin) return { messages: inMessages(incidents), dropped: [] }
  const dropped = new Set(incidents.filter(hasEndedMeanwhile).flat())
  return {
    messages: waited.filter((alert) => !dropped.has(alert)).map((alert) => [alert]),
    dropped: waited.filter((alert) => dropped.has(alert)),
  }
}

/** Divides alerts among messages, the most severe first. The alerts of one check are always in the same message. */
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

/** Ranks a check by its state at the end of quiet hours: down, warning, recovered. */
function badness(alerts: readonly WaitingAlert[]): number {
  const last = alerts.at(-1)
  if (last === undefined || last.hasEnded) return 0
  return last.severity === 'down' ? 2 : 1
}

/** Whether an incident ended while the alert about its beginning was held, so that nobody has heard of it. */
function hasEndedMeanwhile(alerts: readonly WaitingAlert[]): boolean {
  return alerts.some(({ eventN, incidentN, hasEnded }) => hasEnded && eventN === incidentN)
}
