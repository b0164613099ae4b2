/** Facts from which advice about the watching of a check is made: its settings, its log and its surroundings. All times are milliseconds since 1970. */
import type { Timing } from '../check/slots.ts'
import type { PingKind } from '../ping/signal.ts'
import type { Stretch } from '../stretch.ts'

export interface Facts {
  readonly check: AdvisedCheck
  /** oldest first; at most the newest {@link ENTRIES_READ} */
  readonly log: readonly AdvisedPing[]
  /** stretches that judge nobody, oldest first: pauses, and outages of the server */
  readonly away: readonly Away[]
  /** incidents that nobody was told of, oldest first: a silence, or that somebody was on it, held them to their end, or holds them still */
  readonly held: readonly Stretch[]
  /** zones of the other checks of the project, one for each check that has a schedule */
  readonly siblingZones: readonly string[]
  /** zone of the account: of the project's owner, or of the reader of a page */
  readonly accountZone: string | null
  /** the integrations that are assigned to the check */
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
  /** when period, schedule, zone or grace time last changed; the creation if they never did */
  readonly changedAt: number
  /** whether a ping ever came, also one that is no longer in the log */
  readonly wasPinged: boolean
  readonly isPaused: boolean
  /** null while it is not paused, and where nobody knows since when: an import brings no switches */
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
  /** why the rules of the check ignored it; null if they did not */
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
  /** since when it has this state; null where that is not known */
  readonly since: number | null
  /** messages that failed since then */
  readonly givenUp: number
}

interface RefusedStatuses {
  /** since the last ping that counted */
  readonly count: number
  /** what the newest had instead of a status from 0 to 255 */
  readonly tail: string
  /** when the newest came */
  readonly at: number
}

export interface OtherCheck {
  readonly name: string
  readonly log: readonly AdvisedPing[]
}
