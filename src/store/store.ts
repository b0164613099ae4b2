/**
 * The store in domain words. Written for several machines on one database: work is claimed, never merely listed, and
 * rules that depend on rows travel to the rows as pure functions, to be applied inside the transaction.
 *
 * Every method rejects with a `Refusal` of code `unavailable` while the database cannot be used; nothing is half-written.
 */
import type { BadgeCheck } from '../domain/badge-status.ts'
import type { Channel, ChannelKind } from '../domain/channel.ts'
import type { Check, UniqueField, WatchedCheck } from '../domain/check.ts'
import type { Delivery, DeliveryEntry, DeliveryOrder, DeliveryResult, DeliveryState } from '../domain/delivery.ts'
import type { Flip, FlipFilter } from '../domain/flip.ts'
import type { Mailing, MailingEntry, MailingOrder, MailingResult, WantedMailings } from '../domain/mailing.ts'
import type { Ping, Received } from '../domain/ping.ts'
import type { Access, Project, StoredKey } from '../domain/project.ts'
import type { CheckWithRuns } from '../domain/project-metrics.ts'
import type { PerhapsDown } from '../domain/reminder.ts'
import type { CheckWithChannels } from '../domain/representation.ts'
import type { Seat } from '../domain/seats.ts'
import type { Signal, SignalTarget } from '../domain/signal.ts'
import type { Clock, Instant } from '../domain/time.ts'

/** A signal on its way to a check. */
export interface Arrival {
  readonly target: SignalTarget
  /** null when the request names a target but is not understood: whether the target exists is told first */
  readonly signal: Signal | null
  readonly receivedAt: Instant
}

/** How a signal ended; `rejected` is a signal that was null. Only the first two have written anything. */
export type ArrivalOutcome = 'ok' | 'created' | 'rejected' | 'not-found' | 'ambiguous'

/** Of a check that is found: whether it searches mails for keywords. */
export type TargetState = { readonly filtersMail: boolean } | 'not-found' | 'ambiguous'

/** A time in which no server lived, or none could write that it did. */
export interface Outage {
  readonly from: Instant
  readonly until: Instant
}

export interface Judgement {
  readonly check: WatchedCheck
  readonly flip: Flip | null
}

/** The pure rules that the store applies to the rows it has locked. */
export interface Rules {
  readonly now: Clock
  receive(check: WatchedCheck, signal: Signal, now: Instant): Received
  /** what becomes of a check that the loop has found; null when its deadline is still ahead */
  judge(check: WatchedCheck, now: Instant): Judgement | null
  /** where the loop is to find the check, see `alertAfter` in the domain; `current` itself where it stays */
  alertAfter(check: WatchedCheck, current: Instant | null): Instant | null
  /** the check that a ping with `create=1` makes */
  provision(projectId: string, slug: string, now: Instant): Check
  /** what a flip owes to the channels assigned to its check */
  owe(flip: Flip, channels: readonly Channel[]): readonly Delivery[]
}

export interface CommittedPings {
  readonly outcomes: readonly ArrivalOutcome[]
  /** true when deliveries were written that can be claimed at once */
  readonly owed: boolean
  /** true when a body is so long that {@link Store.prune} should not wait */
  readonly prunable: boolean
}

/** What a change of settings or an action makes of a check. */
export interface CheckChange {
  readonly check: Check
  readonly flip?: Flip
  /** replaces the assigned channels; left out, they stay */
  readonly channelIds?: readonly string[]
}

/** Decides about a check inside the transaction that holds it; may throw a Refusal, and then nothing is written. */
export type DecideChange = (check: Check, channels: readonly Channel[]) => CheckChange

/** What an edit, a test, or a link in a mail makes of a channel. */
export interface ChannelChange {
  readonly channel: Channel
  /** left out, all dates stay */
  readonly mailings?: WantedMailings
}

export interface CheckFilter {
  readonly slug?: string
  /** all of them, whole */
  readonly tags?: readonly string[]
}

/** Where the next page of a long list begins; means nothing outside the store. */
export type PageMark = number

/** As much of a long list as is read at once, so that no read takes long; each page is one state of the database. */
export interface Page<Item> {
  readonly items: readonly Item[]
  /** null after the last page */
  readonly next: PageMark | null
}

/** How much of a project's changes is known; means nothing in another process. */
export interface Revision {
  readonly edits: string
  readonly touches: number
}

export interface ProjectChanges {
  /** before which nothing need be asked for again; read before the checks themselves */
  readonly revision: Revision
  /** the checks that may have changed; null when all may have, and others may be there */
  readonly checkIds: readonly string[] | null
}

/** A log entry. */
export interface LoggedPing extends Ping {
  /** length of a body that the log had no room for, and which is null now; null when none was dropped */
  readonly droppedBytes: number | null
}

/** A log entry without its body. */
export interface PingSummary extends Omit<LoggedPing, 'body'> {
  readonly hasBody: boolean
}

export interface Overdue {
  /** flips made; each with what it owes */
  readonly flips: readonly Flip[]
  readonly owed: boolean
  /** when the loop should look again; null when no check is waiting */
  readonly nextLookAt: Instant | null
}

/** Decides inside the transaction which deliveries are claimed. */
export interface ClaimRules {
  /** @param due longest due first @returns the channels of each of which the delivery that is longest due is taken */
  choose(due: readonly Seat[]): readonly string[]
  /** asked before each; false leaves the delivery as it is */
  admits(channel: Channel): boolean
}

/** A delivery was taken by the receiver and turned out later not to have arrived. */
export interface LateFailure {
  readonly error: string
  readonly disablesChannel: boolean
  /** one that was sent before that stays sent */
  readonly sentSince: Instant
  /** one to a channel of another kind stays sent */
  readonly kinds: ReadonlySet<ChannelKind>
}

/** The right to send a delivery until its end. */
export interface Lease {
  readonly delivery: Pick<Delivery, 'id' | 'attempts'>
  readonly endsAt: Instant
}

/** What is owed. */
export interface Outbox {
  /** deliveries */
  readonly pending: number
  /** when the oldest of them was written; null when there is none */
  readonly oldestAt: Instant | null
}

export interface Totals {
  /** grows with every ping; null before the first, and when no ping is kept */
  readonly newestPingId: number | null
  /** those kept */
  readonly deliveries: number
  /** flips of which some delivery has not been tried yet */
  readonly untriedFlips: number
}

/** Bytes on disk; 0 for what is not there. */
export interface DatabaseSize {
  readonly main: number
  /** of the write-ahead log */
  readonly log: number
}

export interface Pruned {
  readonly pings: number
  /** dropped, while their entries stay */
  readonly bodies: number
  readonly flips: number
  /** true when there is more to do than one call takes */
  readonly more: boolean
}

export interface Store {
  /** Reads from a table, so as to find out whether that is possible. */
  ping(): Promise<void>
  /** Writes, so as to find out whether that is possible: all the way to the disk. */
  proveWritable(at: Instant): Promise<void>
  size(): Promise<DatabaseSize>
  close(): Promise<void>

  /** When a server on this database last lived; null before the first has said so. */
  findAlive(): Promise<Instant | null>
  /** @param outage that has ended now; it takes the place of the last one */
  recordAlive(at: Instant, outage?: Outage): Promise<void>
  /**
   * For a clock that was put back: whatever checks and deliveries hold that lies after `now` is `now`, or as far from
   * it as an outage spares a check; a reminder comes at most one period from `now`, and a mailing that waits for its next attempt is tried at
   * once, or when it is due. Reads all checks. @returns how many checks changed
   */
  pullBack(now: Instant): Promise<number>
  /** The last of them; null when none is known. */
  findOutage(): Promise<Outage | null>

  findSetting(name: string): Promise<string | null>
  /** What is stored under `name`; the first value wins, also between processes, and is returned. */
  settleSetting(name: string, value: string): Promise<string>

  /** @throws Refusal `conflict` when a project of that name exists */
  createProject(project: Project, keys: readonly StoredKey[]): Promise<void>
  listProjects(): Promise<Project[]>
  /** By id, else by name. */
  findProject(idOrName: string): Promise<Project | null>
  /** Costs the same however many logs are too long then: {@link prune} shortens them. */
  setPingLogLimit(projectId: string, limit: number): Promise<void>

  createKey(key: StoredKey): Promise<void>
  listKeys(projectId: string): Promise<StoredKey[]>
  /** @returns false when the project has no such key */
  deleteKey(projectId: string, lookup: string): Promise<boolean>
  /** @param lookup hash of an API key */
  findAccess(lookup: string): Promise<Access | null>

  createChannel(channel: Channel, mailings?: WantedMailings): Promise<void>
  findChannel(id: string): Promise<Channel | null>
  /**
   * Writes what `change` makes of the channel as it is stored, all but its id, project, kind and time of creation.
   * @param change applied inside the transaction; may throw a Refusal, and then nothing is written
   * @returns the channel as it is stored then; null when it does not exist (any more)
   */
  changeChannel(id: string, change: (channel: Channel) => ChannelChange): Promise<Channel | null>
  /** With its assignments and what is owed to it. @returns false when it does not exist (any more) */
  deleteChannel(id: string): Promise<boolean>
  /** In order of creation. */
  listChannels(projectId: string): Promise<Channel[]>

  /** In order of creation, from the first where `after` is null; a page may be empty and not the last. */
  listChecks(projectId: string, filter: CheckFilter, after: PageMark | null): Promise<Page<CheckWithChannels>>
  /** In order of creation. */
  listChecksWithRuns(projectId: string, after: PageMark | null): Promise<Page<CheckWithRuns>>
  /** The tags of each check as one text, in order of creation. */
  listTags(projectId: string, after: PageMark | null): Promise<Page<string>>
  /**
   * Which checks of a project writes have changed since a revision, in what the API shows of them.
   * @param since null for the first time
   */
  readChanges(projectId: string, since: Revision | null): Promise<ProjectChanges>
  /** Changes with every stored status and every edit, of all projects; pings that make no flip leave it alone. */
  readStatusRevision(): Promise<string>
  /** Those that exist, in the order of the ids. */
  findChecks(ids: readonly string[]): Promise<CheckWithChannels[]>
  findCheck(id: string): Promise<CheckWithChannels | null>
  findCheckByUniqueKey(projectId: string, uniqueKey: string): Promise<CheckWithChannels | null>
  /** All checks of the project of that badge key, in order of creation; none when there is no such project. */
  listBadgeChecks(projectBadgeKey: string, after: PageMark | null): Promise<Page<BadgeCheck>>
  /** @param badgeKey of the check itself */
  findBadgeCheck(badgeKey: string): Promise<BadgeCheck | null>
  /**
   * Creates `fresh`, unless a check of its project agrees with `criteria`: then the oldest such check is changed instead.
   * `decide` is applied to whichever it is.
   */
  upsertCheck(
    fresh: Check,
    criteria: ReadonlyMap<UniqueField, string | number> | null,
    decide: DecideChange,
    rules: Rules,
  ): Promise<CheckWithChannels & { readonly created: boolean }>
  /** @returns null when the check does not exist (any more) */
  changeCheck(id: string, decide: DecideChange, rules: Rules): Promise<CheckWithChannels | null>
  /**
   * Nobody finds it any more, and nothing of it is sent. Its log and flips stay on the disk until {@link prune} removes them.
   * @returns the check as it was, null when it does not exist (any more)
   */
  deleteCheck(id: string): Promise<CheckWithChannels | null>

  /**
   * Commits the signals in their order in one transaction: checks, log entries, flips and what those owe.
   * When the promise is kept, all of it is on disk.
   */
  commitPings(arrivals: readonly Arrival[], rules: Rules): Promise<CommittedPings>
  /** Whether a ping to this target would find a check now; `create` is not looked at. */
  findTarget(target: SignalTarget): Promise<TargetState>
  /** Newest first. */
  listPings(checkId: string, limit: number): Promise<PingSummary[]>
  /** Null when the log does not hold it. */
  findPing(checkId: string, n: number): Promise<LoggedPing | null>

  /** Newest first, by `n`. */
  listFlips(checkId: string, filter: FlipFilter, after: PageMark | null): Promise<Page<Flip>>
  /** When the loop should look again; null when no check is waiting. */
  nextLookAt(): Promise<Instant | null>
  /** Judges checks whose time has come, a batch at most; each exactly once, whoever else is looking. */
  judgeOverdue(now: Instant, rules: Rules, limit: number): Promise<Overdue>

  /**
   * Takes deliveries that are due; until `leaseEndsAt` nobody else gets them, after that they are due again, so that a
   * crash loses none. A check's flips reach a channel in their order.
   */
  claimDeliveries(now: Instant, leaseEndsAt: Instant, rules: ClaimRules): Promise<DeliveryOrder[]>
  /** Makes leases longer; one that has passed to somebody else or whose attempt has ended is left alone. */
  renewLeases(leases: readonly Lease[], endsAt: Instant): Promise<void>
  recordDelivery(delivery: Delivery, result: DeliveryResult, now: Instant): Promise<void>
  /**
   * Makes a failure of a delivery that was sent, and shows it on its channel.
   * @returns false when there is no such delivery
   */
  failSentDelivery(id: string, failure: LateFailure): Promise<boolean>
  /** Those of checks that exist, whose ids begin like that, in the order of their ids. */
  findDeliveries(idStart: string, limit: number): Promise<Delivery[]>
  /**
   * Makes a failed delivery pending, and due at `now`.
   * @returns false when it is not failed (any more), or another one of its check to its channel is pending
   */
  retryDelivery(id: string, now: Instant): Promise<boolean>
  /** Newest first; of one state, or of all. */
  listDeliveries(projectId: string, state: DeliveryState | null, limit: number): Promise<DeliveryEntry[]>
  /** When the earliest pending delivery is due; null when nothing is owed. */
  nextDeliveryAt(): Promise<Instant | null>
  readOutbox(): Promise<Outbox>
  readTotals(): Promise<Totals>

  /** When the earliest report or reminder is due; null when there is none to come. */
  nextMailingAt(): Promise<Instant | null>
  /** Takes mailings that are due, the longest due first; the lease is that of {@link claimDeliveries}. */
  claimMailings(now: Instant, leaseEndsAt: Instant, limit: number): Promise<MailingOrder[]>
  /**
   * Ends an attempt. Counts for nothing when the mailing has been claimed again or given another date since. A reminder
   * of a project of which nothing is stored as down any more has no next date, whatever the result says.
   */
  recordMailing(mailing: Mailing, result: MailingResult): Promise<void>
  /** Whatever channels ask for, channels in order of creation, the report of each before its reminder. */
  listMailings(projectId: string): Promise<MailingEntry[]>
  /** Checks of a project in order of creation, those made after `check`, from the first where that is null. */
  listChecksAfter(projectId: string, check: Check | null, limit: number): Promise<Check[]>
  /** Flips of a check by `n`, newest first, from that number down; a call reads no more than `limit`. */
  listFlipsDownFrom(checkId: string, n: number, limit: number): Promise<Flip[]>
  /** Checks that are down at `now` or may be, in order of creation. */
  listPerhapsDown(projectId: string, now: Instant): Promise<PerhapsDown[]>

  /**
   * Removes what deleted checks have left, shortens logs that have outgrown their limits, and forgets flips made before
   * `flipsBefore`; of each as many as `limit` at most. In short transactions, between which others have their turn.
   */
  prune(flipsBefore: Instant, limit: number): Promise<Pruned>
}
