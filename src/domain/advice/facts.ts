/** The facts that a check's advice is based on: its settings, its log and related data. All times are in milliseconds since 1970. */
import type { Timing } from '../check/slots.ts'
import type { PingKind } from '../ping/signal.ts'
import type { Stretch } from '../stretch.ts'

export interface Facts {
  readonly check: AdvisedCheck
  /** log entries, oldest first: at most the newest {@link ENTRIES_READ} */
  readonly log: readonly AdvisedPing[]
  /** intervals in which runs are not judged, oldest first: the check's pauses and server outages */
  readonly away: readonly Away[]
  /**
   * incidents for which no alert was sent, oldest first: a silence or an acknowledgement held the alert back until the incident ended, or
   * still holds it back
   */
  readonly held: readonly Stretch[]
  /** time zones of the project's other checks, one entry per check with a schedule */
  readonly siblingZones: readonly string[]
  /** time zone of the project's owner, or of the user who is viewing the page */
  readonly accountZone: string | null
  /** channels assigned to the check */
  readonly channels: readonly AdvisedChannel[]
  /** rejected exit statuses; null: none */
  readonly refused: RefusedStatuses | null
  /** the project's other checks that were pinged within two seconds of this check's newest ping */
  readonly others: readonly OtherCheck[]
}

/** Maximum number of log entries to read. The log may contain more. */
export const ENTRIES_READ = 100

export interface AdvisedCheck extends Timing {
  readonly graceSeconds: number
  readonly createdAt: number
  /** time of the last change to the period, schedule, zone or grace time; the creation time if they were never changed */
  readonly changedAt: number
  /** true: at least one ping has arrived, even if it is no longer in the log */
  readonly wasPinged: boolean
  readonly isPaused: boolean
  /** when the check was paused; null: the check is not paused, or it was already paused when it was imported */
  readonly pausedAt: number | null
  readonly manualResume: boolean
  /** `POST` if only POST requests count; '' if every method counts */
  readonly methods: string
}

export interface AdvisedPing {
  readonly at: number
  readonly kind: PingKind
  /** seconds from the start of the run to this success or failure; null if the run had no start */
  readonly duration: number | null
  readonly runId: string | null
  /** the sender's address */
  readonly sender: string | null
  readonly userAgent: string
  readonly method: string
  /** rule that caused the ping to be ignored; null: the ping was not ignored */
  readonly ignoredBy: IgnoredBy | null
  /** last line of the body; null if there is no body or the body was not read */
  readonly lastLine: string | null
}

type IgnoredBy = 'keyword' | 'method' | 'paused'

export interface Away extends Stretch {
  readonly why: 'pause' | 'outage'
}

export interface AdvisedChannel {
  readonly name: string
  readonly state: 'ready' | 'failing' | 'off' | 'unconfirmed'
  /** when the channel entered this state; null if unknown */
  readonly since: number | null
  /** number of messages that have failed since the channel entered this state */
  readonly givenUp: number
}

interface RefusedStatuses {
  /** number of rejected pings since the last ping that counted */
  readonly count: number
  /** end of the newest rejected ping's URL, which should have been an exit status from 0 to 255 */
  readonly tail: string
  /** time of the newest rejected ping */
  readonly at: number
}

export interface OtherCheck {
  readonly name: string
  readonly log: readonly AdvisedPing[]
}
