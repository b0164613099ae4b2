/** Facts about a check that advice is based on: its settings, its log and its surroundings. All times are milliseconds since 1970. */
import type { Timing } from '../check/slots.ts'
import type { PingKind } from '../ping/signal.ts'
import type { Stretch } from '../stretch.ts'

export interface Facts {
  readonly check: AdvisedCheck
  /** oldest first; at most the newest {@link ENTRIES_READ} */
  readonly log: readonly AdvisedPing[]
  /** stretches in which no run is judged, oldest first: pauses, and outages of the server */
  readonly away: readonly Away[]
  /** incidents that were never alerted, oldest first: a silence or an acknowledgement held them to their end, or still holds them */
  readonly held: readonly Stretch[]
  /** zones of the other checks of the project, one for each check that has a schedule */
  readonly siblingZones: readonly string[]
  /** zone of an account: that of the project's owner, or of a page's reader */
  readonly accountZone: string | null
  /** the channels that are assigned to the check */
  readonly channels: readonly AdvisedChannel[]
  /** exit statuses that were refused; null without any */
  readonly refused: RefusedStatuses | null
  /** checks of the same project that were pinged within two seconds of this one's newest ping */
  readonly others: readonly OtherCheck[]
}

/** Entries of a log that are read, even where a project keeps more. */
export const ENTRIES_READ = 100

export interface AdvisedCheck extends Timing {
  readonly graceSeconds: number
  readonly createdAt: number
  /** time of the last change of period, schedule, zone or grace time; the creation without one */
  readonly changedAt: number
  /** true: a ping has arrived, even if it is no longer in the log */
  readonly wasPinged: boolean
  readonly isPaused: boolean
  /** null while it is not paused, and if the time is unknown because the check was imported while it was paused */
  readonly pausedAt: number | null
  readonly manualResume: boolean
  /** `POST`, or '' for all methods */
  readonly methods: string
}

export interface AdvisedPing {
  readonly at: number
  readonly kind: PingKind
  /** seconds from its start to this success or failure; null without a start */
  readonly duration: number | null
  readonly runId: string | null
  /** the sender's address */
  readonly sender: string | null
  readonly userAgent: string
  readonly method: string
  /** the reason why the rules of the check ignored it; null if they did not */
  readonly ignoredBy: IgnoredBy | null
  /** last line of the body; null without one, or where it was not read */
  readonly lastLine: string | null
}

type IgnoredBy = 'keyword' | 'method' | 'paused'

export interface Away extends Stretch {
  readonly why: 'pause' | 'outage'
}

export interface AdvisedChannel {
  readonly name: string
  readonly state: 'ready' | 'failing' | 'off' | 'unconfirmed'
  /** beginning of this state; null if unknown */
  readonly since: number | null
  /** messages that failed since then */
  readonly givenUp: number
}

interface RefusedStatuses {
  /** number since the last ping that counted */
  readonly count: number
  /** text of the newest, which was no status from 0 to 255 */
  readonly tail: string
  /** time of the newest */
  readonly at: number
}

export interface OtherCheck {
  readonly name: string
  readonly log: readonly AdvisedPing[]
}
