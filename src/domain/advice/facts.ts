/** Facts that advice about a check is based on: its settings, its log and its surroundings. All times are milliseconds since 1970. */
import type { Timing } from '../check/slots.ts'
import type { PingKind } from '../ping/signal.ts'
import type { Stretch } from '../stretch.ts'

export interface Facts {
  readonly check: AdvisedCheck
  /** the log, oldest first: at most the newest {@link ENTRIES_READ} entries */
  readonly log: readonly AdvisedPing[]
  /** stretches in which no run is judged, oldest first: pauses of the check and outages of the server */
  readonly away: readonly Away[]
  /**
   * incidents without an alert, oldest first: a silence or an acknowledgement held the alert until the incident ended, or still holds it
   */
  readonly held: readonly Stretch[]
  /** time zones of the project's other checks, one per check with a schedule */
  readonly siblingZones: readonly string[]
  /** time zone of the project's owner, or of the person who reads the page */
  readonly accountZone: string | null
  /** channels assigned to the check */
  readonly channels: readonly AdvisedChannel[]
  /** exit statuses that were refused; null: none */
  readonly refused: RefusedStatuses | null
  /** other checks of the project that were pinged within two seconds of this check's newest ping */
  readonly others: readonly OtherCheck[]
}

/** Maximum number of log entries that are read, even if a project keeps more. */
export const ENTRIES_READ = 100

export interface AdvisedCheck extends Timing {
  readonly graceSeconds: number
  readonly createdAt: number
  /** time of the last change of period, schedule, zone or grace time; if there was none, the time of creation */
  readonly changedAt: number
  /** true: at least one ping has arrived, even if the log no longer has it */
  readonly wasPinged: boolean
  readonly isPaused: boolean
  /** time of the pause; null: the check is not paused, or was imported while paused */
  readonly pausedAt: number | null
  readonly manualResume: boolean
  /** `POST`, or '' if every method counts */
  readonly methods: string
}

export interface AdvisedPing {
  readonly at: number
  readonly kind: PingKind
  /** seconds from the start of the run to this success or failure; null if there was no start */
  readonly duration: number | null
  readonly runId: string | null
  /** the sender's address */
  readonly sender: string | null
  readonly userAgent: string
  readonly method: string
  /** the check's rule that ignored the ping; null: the ping was not ignored */
  readonly ignoredBy: IgnoredBy | null
  /** last line of the body; null if there is no body, or it was not read */
  readonly lastLine: string | null
}

type IgnoredBy = 'keyword' | 'method' | 'paused'

export interface Away extends Stretch {
  readonly why: 'pause' | 'outage'
}

export interface AdvisedChannel {
  readonly name: string
  readonly state: 'ready' | 'failing' | 'off' | 'unconfirmed'
  /** time at which the channel got into this state; null if unknown */
  readonly since: number | null
  /** number of messages that have failed since then */
  readonly givenUp: number
}

interface RefusedStatuses {
  /** number of refused pings since the last ping that counted */
  readonly count: number
  /** end of the URL of the newest refused ping, which was not a status from 0 to 255 */
  readonly tail: string
  /** time of the newest refused ping */
  readonly at: number
}

export interface OtherCheck {
  readonly name: string
  readonly log: readonly AdvisedPing[]
}
