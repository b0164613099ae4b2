/**
 * The store in domain words. Several processes may share one database: each claims work before it does it, and the store
 * applies rules that depend on rows, as pure functions, inside the transaction. Concurrent calls have the same effect as the
 * same calls one after another. The store may call a function argument again if it has to retry the transaction.
 *
 * A method that writes is one transaction, except {@link Store.prune}: when its promise resolves, everything is on disk;
 * when it rejects, nothing is written. Every method rejects with a `Refusal` of code `unavailable` while the database cannot
 * be used, a write also if nobody can tell whether its commit succeeded.
 */

import type { Account, Member } from '../domain/account/account.ts'
import type { OneTimeLink } from '../domain/account/one-time-link.ts'
import type { Role } from '../domain/account/role.ts'
import type { Session } from '../domain/account/session.ts'
import type { Channel, ChannelKind } from '../domain/alert/channel.ts'
import type { Recipient } from '../domain/alert/concurrency-limit.ts'
import type { Delivery, DeliveryEntry, DeliveryOrder, DeliveryResult, DeliveryState } from '../domain/alert/delivery.ts'
import type { AuditEntry, Author } from '../domain/audit/audit.ts'
import type { BadgeCheck } from '../domain/badge/status.ts'
import type { Check, UniqueField, WatchedCheck } from '../domain/check/check.ts'
import type { Flip, FlipFilter } from '../domain/check/flip.ts'
import type { CheckWithChannels } from '../domain/check/representation.ts'
import type { Trouble } from '../domain/check/trouble.ts'
import type { Mailing, MailingEntry, MailingOrder, MailingResult, WantedMailings } from '../domain/mail/mailing.ts'
import type { DownCandidate } from '../domain/mail/reminder.ts'
import type { CheckWithRuns } from '../domain/metrics/project-metrics.ts'
import type { Ping, Received } from '../domain/ping/ping.ts'
import type { PingKind, Signal, SignalTarget } from '../domain/ping/signal.ts'
import type { ApiKeyKind, NewProject, Project, StoredKey } from '../domain/project.ts'
import type { WordPattern } from '../domain/search/query.ts'
import type { Clock, Instant } from '../lib/time.ts'
import type { DiskUsage } from './database.ts'

export type { DiskUsage } from './database.ts'

/** A signal on its way to a check. */
export interface Arrival {
  readonly target: SignalTarget
  /** null for an invalid request that names a target; a missing or ambiguous target is reported first */
  readonly signal: Signal | null
  readonly receivedAt: Instant
}

/** The result of an arrival; `rejected` if its signal is null. Only `ok` and `created` write anything. */
export type ArrivalOutcome = 'ok' | 'created' | 'rejected' | 'not-found' | 'ambiguous'

/** `filtersMail`: the check searches emails for keywords. */
export type TargetState = { readonly filtersMail: boolean } | 'not-found' | 'ambiguous'

/** A period in which no server ran, or none could record that it did. */
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
  /** @returns the check once it is overdue, with its flip; null before its deadline */
  judge(check: WatchedCheck, now: Instant): Judgement | null
  /** @returns when the loop looks at the check next, see `alertAfter` in the domain; `current` itself if it stays the same */
  alertAfter(check: WatchedCheck, current: Instant | null): Instant | null
  /** @returns the check that a ping with `create=1` creates */
  provision(projectId: string, slug: string, now: Instant): Check
  /** @returns the deliveries for a flip @param channels that are assigned to its check and enabled */
  owe(flip: Flip, channels: readonly Channel[]): readonly Delivery[]
}

export interface CommittedPings {
  readonly outcomes: readonly ArrivalOutcome[]
  /** true if the batch wrote deliveries */
  readonly owed: boolean
  /** true if a body is so long that {@link Store.prune} should run at once */
  readonly prunable: boolean
}

/** The result of changing the settings of a check, or of pausing or resuming it. */
export interface CheckChange {
  readonly check: Check
  readonly flip?: Flip
  /** the number of the check's newest flip, which is removed as if it had never been; it must have owed no alerts */
  readonly undoneFlip?: number
  /** replaces the assigned channels; if omitted, they stay */
  readonly channelIds?: readonly string[]
}

/** Called inside the transaction that has locked the check. May throw a Refusal; then nothing is written. */
export type DecideChange = (check: Check, channels: readonly Channel[]) => CheckChange

/** Called inside the transaction that has locked the check. @returns null to leave the check as it is */
export type DecideEach = (before: CheckWithChannels, channels: readonly Channel[]) => CheckChange | null

export interface ChangedCheck {
  readonly before: CheckWithChannels
  readonly change: CheckChange
}

/** The result of an edit, a test, or a link in an email. */
export interface ChannelChange {
  readonly channel: Channel
  /** if omitted, all dates stay */
  readonly mailings?: WantedMailings
}

export interface CheckFilter {
  readonly slug?: string
  /** a check has to have all of them; each matches a whole tag */
  readonly tags?: readonly string[]
}

/** Where the next page of a long list begins; opaque to callers. */
export type PageMark = number

/** Part of a long list, so that no read takes long. Each page shows one state of the database. */
export interface Page<Item> {
  readonly items: readonly Item[]
  /** null for the last page */
  readonly next: PageMark | null
}

/** A version of a project's checks; opaque to callers, and valid only in this process. */
export interface Revision {
  readonly edits: string
  readonly touches: number
}

export interface ProjectChanges {
  /** for the next call; get it before you read the checks, so that no change is missed */
  readonly revision: Revision
  /** the checks that may have changed; null if any may have changed, or been created or deleted */
  readonly checkIds: readonly string[] | null
}

/** What a commit of this process has changed, as far as open pages show it. */
export type CommittedChange =
  | {
      readonly kind: 'checks'
      /** by project, the checks that were pinged or judged; may contain duplicates */
      readonly touched: ReadonlyMap<string, readonly string[]>
      /** by project, the checks that were created, edited or deleted */
      readonly edited: ReadonlyMap<string, readonly string[]>
      /** what was written of a touched check; undefined for others */
      readonly stateOf: (checkId: string) => WatchedCheck | undefined
      /** true if a stored status may have changed */
      readonly statuses: boolean
    }
  /** an attempt to deliver an alert of the check has ended */
  | { readonly kind: 'delivery'; readonly checkId: string }
  /** every check may have changed */
  | { readonly kind: 'all' }

/** A check that came up from down. */
export interface RecoveredCheck {
  readonly checkId: string
  /** of the flip */
  readonly n: number
  readonly at: Instant
  /** null if that flip was removed */
  readonly downSince: Instant | null
}

/** A log entry. */
export interface LoggedPing extends Ping {
  /** length of a body that was dropped because the log was full, so `body` is null; null if none was dropped */
  readonly droppedBytes: number | null
}

/** A log entry without its body. */
export interface PingSummary extends Omit<LoggedPing, 'body'> {
  readonly hasBody: boolean
}

/** A log entry with the beginning of its body. */
export interface LogLine extends Omit<LoggedPing, 'body'> {
  /** in a list at most {@link LINE_BYTES}, of an email {@link MAIL_LINE_BYTES}; null without a body */
  readonly bodyStart: Uint8Array | null
  /** of the whole body; 0 without one */
  readonly bodySize: number
}

/** The beginning of a body that is searched: at most 64 KiB. */
export interface PingBegin {
  readonly scheme: string
  readonly bodyStart: Uint8Array
  /** of the whole body */
  readonly bodySize: number
}

/** A log entry whose words are to be read. */
export interface UnreadPing extends PingBegin {
  readonly id: number
  readonly checkId: string
  readonly n: number
}

/** Some entries of the log, in order. All but `pings` is opaque to callers. */
export interface UnreadPings {
  readonly isQueue: boolean
  readonly after: number
  readonly upTo: number
  /** those of them that are searched; may be none */
  readonly pings: readonly UnreadPing[]
}

/** What was read of an entry. */
export interface PingWords {
  readonly id: number
  readonly checkId: string
  readonly n: number
  /** in the order in which they stand */
  readonly words: readonly string[]
}

/** A ping that a search has found. */
export interface PingHit {
  /** grows with every ping */
  readonly id: number
  readonly checkId: string
  readonly n: number
  readonly receivedAt: Instant
  readonly kind: PingKind
}

/** Of the pings that a search looks at. */
export interface SearchedIds {
  /** only greater ones */
  readonly above: number
  /** only lesser ones */
  readonly below: number
}

/** Some of the pings that a search has found. */
export interface PingHits {
  /** newest first */
  readonly hits: readonly PingHit[]
  /** only lesser ids have not been looked at; null: all have */
  readonly below: number | null
}

/** How far the words of pings have been read. */
export interface SearchProgress {
  /** when the first ping came whose words are not read yet; null if all are */
  readonly unreadSince: Instant | null
  /** ids of projects of which earlier pings are read again */
  readonly reread: ReadonlySet<string>
}

/** How much of a body a {@link LogLine} has. */
export const LINE_BYTES = 300
/** The subject of an email stands behind what the servers on its way have added. */
export const MAIL_LINE_BYTES = 4_096

export interface Overdue {
  /** the flips written, each together with its deliveries */
  readonly flips: readonly Flip[]
  readonly owed: boolean
  /** when the loop should look again; null if no check has a deadline */
  readonly nextLookAt: Instant | null
}

/** Decides which deliveries are claimed; called inside the transaction. */
export interface ClaimRules {
  /** @param due channels, longest due first @returns ids of channels; the longest due delivery of each is claimed */
  choose(due: readonly Recipient[]): readonly string[]
  /** called before each claim, and again if the transaction is run again; false leaves the delivery as it is */
  admits(channel: Channel): boolean
}

/** The receiver accepted a delivery, but reported later that it failed. */
export interface LateFailure {
  readonly error: string
  readonly disablesChannel: boolean
  /** a delivery sent earlier stays `sent` */
  readonly sentSince: Instant
  /** a delivery to a channel of another kind stays `sent` */
  readonly kinds: ReadonlySet<ChannelKind>
}

/** The exclusive right to send a delivery, until `endsAt`. */
export interface Lease {
  readonly delivery: Pick<Delivery, 'id' | 'attempts'>
  readonly endsAt: Instant
}

/** The pending deliveries. */
export interface Outbox {
  /** their number */
  readonly pending: number
  /** when the oldest of them was written; null if there is none */
  readonly oldestAt: Instant | null
}

export interface Totals {
  /** grows with every ping; null if the log holds no ping */
  readonly newestPingId: number | null
  /** the number stored, in any state */
  readonly deliveries: number
  /** the number of flips with a pending delivery that has never been tried */
  readonly untriedFlips: number
}

export interface Pruned {
  readonly pings: number
  /** bodies dropped from entries that stay */
  readonly bodies: number
  readonly flips: number
  /** true if there is more to do: call again */
  readonly more: boolean
}

/** An API key, found by its hash. */
export interface KeyWithProject {
  readonly project: Project
  readonly kind: ApiKeyKind
}

export type ProjectEdit = Partial<Pick<Project, 'name' | 'pingLogLimit' | 'isSearched'>>

export interface ProjectOfPerson {
  readonly project: Project
  /** null: the account has no place in it */
  readonly role: Role | null
}

export interface ProjectSummary extends ProjectOfPerson {
  /** number of checks */
  readonly checks: number
  /** number of checks stored as down */
  readonly down: number
  /** number of checks stored as up; some may be late */
  readonly up: number
  readonly paused: number
  readonly hasOwner: boolean
}

/** Where the page of a check is. */
export type CheckPlace = Pick<Check, 'projectId' | 'publicId'>

/** What the project switcher shows of a project. */
export interface ProjectBrief {
  readonly id: string
  readonly slug: string
  readonly name: string
  /** number of checks stored as down */
  readonly down: number
  /** that counts for the reader */
  readonly role: Role
}

export interface FirstAccount {
  readonly account: Account
  /** the ownerless project of the first name gets the second */
  readonly rename: { readonly from: string; readonly to: string } | null
}

export interface MemberWithEmail extends Member {
  readonly email: string
}

/** Called in the transaction of a change. @param before the role of the account; null: none @throws to refuse the change */
export type AllowMember = (before: Role | null) => void

export interface SignedIn {
  readonly session: Session
  readonly account: Account
}

/** Writes that the audit log records: each method writes its rows in its transaction. */
export interface AuthoredWrites {
  /** @throws Refusal `project-name-taken` if a project has that name @returns it with its slug */
  createProject(project: NewProject, keys: readonly StoredKey[], owner?: Member): Promise<Project>
  /**
   * A lower limit takes the same time however many logs are now too long: {@link Store.prune} shortens them later. So does the
   * switch of the search: {@link Store.refillUnreadPings} finds what has changed.
   * @throws Refusal `project-name-taken` @returns null if there is no such project
   */
  editProject(id: string, edit: ProjectEdit): Promise<Project | null>
  createKey(key: StoredKey): Promise<void>
  /** @returns false if the project has no such key */
  deleteKey(projectId: string, lookup: string): Promise<boolean>
  /** Channels are ordered by `createdAt`: if it is not later than that of the project's newest channel, it is moved past that. */
  createChannel(channel: Channel, mailings?: WantedMailings): Promise<void>
  /** As {@link Store.changeChannel}. */
  changeChannel(id: string, change: (channel: Channel) => ChannelChange): Promise<Channel | null>
  /** Also deletes its assignments, deliveries and mailings. @returns false if it does not exist */
  deleteChannel(id: string): Promise<boolean>
  /**
   * Applies `decide` to the oldest check of the project that matches all `criteria`, or to `fresh` if there is none, and
   * stores the result. Checks are ordered by `createdAt`: a new one's is moved past the project's newest if needed.
   * A `publicId` that is taken is moved to a free one.
   * @param criteria null to create a check in any case
   */
  upsertCheck(
    fresh: Check,
    criteria: ReadonlyMap<UniqueField, string | number> | null,
    decide: DecideChange,
    rules: Rules,
  ): Promise<CheckWithChannels & { readonly created: boolean }>
  /** @returns null if the check does not exist */
  changeCheck(id: string, decide: DecideChange, rules: Rules): Promise<CheckWithChannels | null>
  /**
   * From then on no method finds the check or sends its alerts. {@link Store.prune} removes its log and flips from disk later.
   * @returns the check as it was; null if it does not exist
   */
  deleteCheck(id: string): Promise<CheckWithChannels | null>

  /**
   * Applies `decide` to several checks of a project in one transaction, so give few at a time.
   * @param publicIds distinct; one that does not exist is left out
   * @returns those that `decide` has changed, in that order
   */
  changeChecks(
    projectId: string,
    publicIds: readonly string[],
    decide: DecideEach,
    rules: Rules,
  ): Promise<readonly ChangedCheck[]>
  /** Several checks of a project as by {@link deleteCheck}, in one transaction. @returns how many it deleted */
  deleteChecks(projectId: string, publicIds: readonly string[]): Promise<number>

  /**
   * Moves a check to another project, with its log and flips. All channels of that project are assigned, the former ones no
   * longer. Deliveries that are pending end unsent. Its `createdAt` is moved past that of another check if that has the same.
   * @returns the check as it is now; null if it is not in the project `from`, or there is no project `to`
   */
  transferCheck(
    id: string,
    projects: { readonly from: string; readonly to: string },
    now: Instant,
  ): Promise<CheckWithChannels | null>
  /**
   * Makes the check new, see `cleared` in the domain. From then on no method finds its earlier pings and flips, and their
   * alerts are not sent. {@link Store.prune} removes them from disk later.
   * @returns the check as it is now; null if it does not exist
   */
  clearCheck(id: string): Promise<CheckWithChannels | null>

  /** @throws Refusal `account-exists` if there is one with that email */
  createAccount(account: Account): Promise<void>
  /**
   * Creates an account that owns every project without an owner, and ends the links for a first account.
   * @throws Refusal `project-name-taken` @returns null if there is an account already; nothing is written then
   */
  createFirstAccount(first: FirstAccount): Promise<Account | null>
  /**
   * Replaces the stored account by what `change` returns, except its id and `createdAt`. If the email or the password changes,
   * its sessions and links end.
   * @param keptSession the lookup of a session that stays; null ends all
   * @param link the lookup of the account's link that allows the change, and ends with it
   * @throws Refusal `account-exists` @returns null if there is no such account, or no such link
   */
  changeAccount(
    id: string,
    change: (account: Account) => Account,
    keptSession: string | null,
    link?: string,
  ): Promise<Account | null>
  /** Also deletes its places in projects, its sessions and links. @returns the account; null if there is none */
  deleteAccount(id: string): Promise<Account | null>
  /**
   * Adds a member, or changes the role; `createdAt` stays then.
   * @returns the member as stored; null if there is no such account @throws what `allow` throws
   */
  setMember(member: Member, allow?: AllowMember): Promise<MemberWithEmail | null>
  /** @returns the member as it was; null if the account has no place in the project @throws what `allow` throws */
  removeMember(accountId: string, projectId: string, allow?: AllowMember): Promise<MemberWithEmail | null>
}

export interface Store {
  /** @param author of one change: the next one has another `changeId` */
  by(author: Author): AuthoredWrites
  /** Newest first. */
  listAudit(limit: number): Promise<AuditEntry[]>
  /** Who paused the check at that time, as the audit log of its project has it. @returns null when it is not known */
  findPauser(check: Pick<Check, 'id' | 'projectId'>, at: Instant): Promise<Author | null>

  /** Reads from a table. @throws Refusal `unavailable` if that fails */
  probe(): Promise<void>
  /** Writes a row and syncs it to disk. @throws Refusal `unavailable` if that fails */
  probeWrite(at: Instant): Promise<void>
  size(): Promise<DiskUsage>
  close(): Promise<void>

  /** When a server last recorded that it runs; null if none ever has. */
  findAlive(): Promise<Instant | null>
  /** @param outage that has just ended; replaces the last one */
  recordAlive(at: Instant, outage?: Outage): Promise<void>
  /**
   * Call it when the clock was set back. Times of checks and deliveries that lie after `now` become `now`; `sparedUntil`
   * becomes at most what an outage grants from `now`. A reminder is due at most one period from `now`. A mailing that waits for
   * a retry is tried at once, or when it is due. Reads all checks. @returns how many checks changed
   */
  pullBack(now: Instant): Promise<number>
  /** The last outage; null if none is known. */
  findOutage(): Promise<Outage | null>

  findSetting(name: string): Promise<string | null>
  /** Stores `value` unless `name` has a value already, also if two processes call it at once. @returns the stored value */
  getOrCreateSetting(name: string, value: string): Promise<string>

  /** In order of creation. */
  listProjects(): Promise<Project[]>
  findProject(id: string): Promise<Project | null>
  /** The one of that id, else all of that name, in order of creation. */
  findProjects(idOrName: string): Promise<Project[]>
  /** By slug. @returns null if there is no such project */
  findProjectOfPerson(slug: string, accountId: string): Promise<ProjectOfPerson | null>
  /** In order of creation. @param all true: also projects that the account has no place in */
  listProjectsOfPerson(accountId: string, all: boolean): Promise<ProjectSummary[]>
  /**
   * In order of creation. It reads no checks but those that are down.
   * @param all true: also projects that the account has no place in
   */
  listProjectBriefs(accountId: string, all: boolean): Promise<ProjectBrief[]>
  /** Numbers of checks stored as down, in the order of `projectIds`. */
  countDown(projectIds: readonly string[]): Promise<number[]>
  /** By email. */
  listMembers(projectId: string): Promise<MemberWithEmail[]>

  hasAccounts(): Promise<boolean>
  /** By id, else by email. */
  findAccount(idOrEmail: string): Promise<Account | null>
  /** By email. */
  listAccounts(): Promise<Account[]>
  /**
   * @param passwordHash of the password by which the session begins; null for another way
   * @returns false if the account was deleted meanwhile, or its password was changed
   */
  createSession(session: Session, passwordHash: string | null): Promise<boolean>
  /** Also one that has expired. */
  findSession(lookup: string): Promise<SignedIn | null>
  /** Does nothing if it was seen later. */
  touchSession(lookup: string, at: Instant, address: string | null): Promise<void>
  /** Last seen first; also those that have expired. */
  listSessions(accountId: string): Promise<Session[]>
  /** @returns false if the account has no such session */
  endSession(accountId: string, lookup: string): Promise<boolean>
  /** @param kept the lookup of a session that stays; null ends all @returns how many ended */
  endSessions(accountId: string, kept: string | null): Promise<number>
  /** Ends the earlier links of the same purpose and account, except links to sign in. */
  createLink(link: OneTimeLink): Promise<void>
  /** Also one that has expired. */
  findLink(lookup: string): Promise<OneTimeLink | null>
  /** Ends the link, and all of the same purpose and account. @returns false if somebody has used it already */
  useLink(lookup: string): Promise<boolean>

  /** Oldest first. */
  listKeys(projectId: string): Promise<StoredKey[]>
  /** @param lookup hash of an API key */
  findKey(lookup: string): Promise<KeyWithProject | null>

  findChannel(id: string): Promise<Channel | null>
  /**
   * Replaces the stored channel by what `change` returns, except its id, project, kind and `createdAt`. For what the server
   * itself finds out about a channel; people's changes go through {@link AuthoredWrites.changeChannel}.
   * @param change called inside the transaction; may throw a Refusal, and then nothing is written
   * @returns the channel as it is stored now; null if it does not exist
   */
  changeChannel(id: string, change: (channel: Channel) => ChannelChange): Promise<Channel | null>
  /** In order of creation. */
  listChannels(projectId: string): Promise<Channel[]>

  /** In order of creation. @param after null for the first page. A page may be empty without being the last. */
  listChecks(projectId: string, filter: CheckFilter, after: PageMark | null): Promise<Page<CheckWithChannels>>
  /** In order of creation. */
  listChecksWithRuns(projectId: string, after: PageMark | null): Promise<Page<CheckWithRuns>>
  /** The tags of each check as one text, in order of creation. */
  listTags(projectId: string, after: PageMark | null): Promise<Page<string>>
  /**
   * Which checks of a project have changed since a revision, as far as the API shows it.
   * @param since null on the first call
   */
  readChanges(projectId: string, since: Revision | null): Promise<ProjectChanges>
  /** The revision of a project now; what other processes have written counts as far as it was known when last read. */
  revisionOf(projectId: string): Revision
  /** Changes whenever another process has written. */
  readRevisionOfOthers(): Promise<string>
  /** Changes whenever somebody may see more or less than before, and with {@link readRevisionOfOthers}. */
  accessRevision(): string
  /**
   * Calls the listener after each commit of this process, before the caller of the write is answered. It must be quick and
   * must not throw.
   * @returns ends it
   */
  watchChanges(listener: (change: CommittedChange) => void): () => void
  /** Changes whenever a stored status changes or a check is edited, in any project. A ping without a flip does not change it. */
  readStatusRevision(): Promise<string>
  /** In the order of `ids`, without those that do not exist. */
  findChecks(ids: readonly string[]): Promise<CheckWithChannels[]>
  findCheck(id: string): Promise<CheckWithChannels | null>
  findCheckByUniqueKey(projectId: string, uniqueKey: string): Promise<CheckWithChannels | null>
  /** In any project; the key is a hash of half a UUID, so several checks may have it. */
  listCheckPlaces(uniqueKey: string): Promise<CheckPlace[]>
  findCheckByPublicId(projectId: string, publicId: string): Promise<CheckWithChannels | null>
  /** All checks of the project with that badge key, in order of creation; an empty page if there is no such project. */
  listBadgeChecks(projectBadgeKey: string, after: PageMark | null): Promise<Page<BadgeCheck>>
  /** @param badgeKey of the check itself */
  findBadgeCheck(badgeKey: string): Promise<BadgeCheck | null>
  /**
   * The hot path: one call for each batch, so that an engine can implement it in its own way. Signals take effect in order,
   * each on the state that the one before has left, and write check, log entry, flip and deliveries. The numbers of a check's
   * pings and of its flips have no gaps. A signal whose target is missing or ambiguous does not affect the others.
   */
  commitPings(arrivals: readonly Arrival[], rules: Rules): Promise<CommittedPings>
  /** Whether a ping to this target would find a check now; ignores `create`. */
  findTarget(target: SignalTarget): Promise<TargetState>
  /** Newest first, at most `limit`. May include entries beyond the project's limit that {@link prune} has not removed yet. */
  listPings(checkId: string, limit: number): Promise<PingSummary[]>
  /**
   * Newest first, at most `limit`. May include entries beyond the project's limit that {@link prune} has not removed yet.
   * @param before the number of a ping: only entries before it are read; null begins at the newest
   */
  readLog(checkId: string, before: number | null, limit: number): Promise<LogLine[]>
  /** The first `bytes` of a ping's body. @returns null if the log does not hold the ping */
  findPingStart(checkId: string, n: number, bytes: number): Promise<LogLine | null>
  /** @returns null if the log does not hold it */
  findPing(checkId: string, n: number): Promise<LoggedPing | null>

  /** Entries of the log whose words are to be read, new ones first. @returns null if there is none now */
  findUnreadPings(): Promise<UnreadPings | null>
  /**
   * Stores words that were read, in a short transaction, maybe not all of them; the others are found again. An entry that is
   * gone or another one by then is left out.
   * @param words one for each of `unread.pings`
   */
  writePingWords(unread: UnreadPings, words: readonly PingWords[]): Promise<void>
  /**
   * Looks for entries that must be read again, after {@link findUnreadPings} has found none: of a project that was switched,
   * or of a check that was transferred. @returns false if there are none
   */
  refillUnreadPings(): Promise<boolean>
  /** A short step of the engine's upkeep after words were written. @returns false if there is nothing to do */
  tidyPingWords(): Promise<boolean>
  /**
   * Looks at the newest `limit` pings that match, and returns those of the project that its logs show. None if the project is not
   * searched.
   * @param pattern in one scope of the project, see `scoped` in the domain; so a call takes a few milliseconds
   */
  searchPings(projectId: string, pattern: WordPattern, ids: SearchedIds, limit: number): Promise<PingHits>
  /** In the order of `hits`; null if the log holds one no longer, or its body was dropped. Give few at a time. */
  findHitBegins(hits: readonly PingHit[]): Promise<(PingBegin | null)[]>
  readSearchProgress(): Promise<SearchProgress>

  /** Newest first, by `n`. */
  listFlips(checkId: string, filter: FlipFilter, after: PageMark | null): Promise<Page<Flip>>
  /**
   * Why checks are down, by id: their last flip to down, and the newest failure since.
   * @param ids of checks that are stored as down; one whose flip was removed is left out. Give few at a time
   */
  listTroubles(ids: readonly string[]): Promise<ReadonlyMap<string, Trouble>>
  /**
   * Ids of the checks of a project that are down at `now`, and of all that may be late, in order of creation. A page may be
   * empty without being the last.
   */
  listConcerns(projectId: string, now: Instant, after: PageMark | null): Promise<Page<string>>
  /**
   * The checks of a project that came up from down at `since` or later and are not stored as down again, each with its last
   * recovery, in order of creation. Recoveries with many flips after them are left out. A page may be empty without being the
   * last.
   */
  listRecoveries(projectId: string, since: Instant, after: PageMark | null): Promise<Page<RecoveredCheck>>
  /** When the loop should look for overdue checks; null if no check has a deadline. */
  nextLookAt(): Promise<Instant | null>
  /** Applies `rules.judge` to at most `limit` checks whose `alertAfter` has passed. Concurrent calls never make a flip twice. */
  judgeOverdue(now: Instant, rules: Rules, limit: number): Promise<Overdue>

  /**
   * Claims due deliveries. Nobody else can claim them until `leaseEndsAt`; then they are due again, so that a crash loses
   * none. The flips of a check reach a channel in order.
   */
  claimDeliveries(now: Instant, leaseEndsAt: Instant, rules: ClaimRules): Promise<DeliveryOrder[]>
  /** Extends leases, except those that were claimed again and those whose attempt has ended. */
  renewLeases(leases: readonly Lease[], endsAt: Instant): Promise<void>
  /** Ends an attempt. Does nothing if the delivery was claimed again since, or its check was deleted. */
  recordDelivery(delivery: Delivery, result: DeliveryResult, now: Instant): Promise<void>
  /**
   * Turns a sent delivery into a failed one, and sets the last error of its channel.
   * @returns false if no sent delivery matches
   */
  failSentDelivery(id: string, failure: LateFailure): Promise<boolean>
  /** Deliveries whose ids begin with `idStart`, in order of id; none of deleted checks. */
  findDeliveries(idStart: string, limit: number): Promise<Delivery[]>
  /**
   * Makes a failed delivery pending again, due at `now`.
   * @returns false if it is not failed or its check is deleted, or if that has another pending delivery to the same channel
   */
  retryDelivery(id: string, now: Instant): Promise<boolean>
  /** Newest first. @param state null for all states */
  listDeliveries(projectId: string, state: DeliveryState | null, limit: number): Promise<DeliveryEntry[]>
  /**
   * The deliveries of some flips of a project's checks, in the order of `flips`, and of the channels of each. Without those to
   * channels of another project, from which the check was transferred. Give few flips at a time.
   */
  listDeliveriesOfFlips(projectId: string, flips: readonly Pick<Flip, 'checkId' | 'n'>[]): Promise<DeliveryEntry[]>
  /** When the next pending delivery is due; null if none is pending. */
  nextDeliveryAt(): Promise<Instant | null>
  readOutbox(): Promise<Outbox>
  readTotals(): Promise<Totals>

  /** When the next report or reminder is due; null if none is planned. */
  nextMailingAt(): Promise<Instant | null>
  /** Claims due mailings, longest due first, with a lease as in {@link claimDeliveries}. */
  claimMailings(now: Instant, leaseEndsAt: Instant, limit: number): Promise<MailingOrder[]>
  /**
   * Ends an attempt. Does nothing if the mailing was claimed again or got another date since. If no check of the project is
   * stored as down any more, a reminder gets no next date, whatever the result says.
   */
  recordMailing(mailing: Mailing, result: MailingResult): Promise<void>
  /** By channel in order of creation, the report of each before its reminder. */
  listMailings(projectId: string): Promise<MailingEntry[]>
  /** Checks that are or may be down at `now`, in order of creation. */
  listDownCandidates(projectId: string, now: Instant): Promise<DownCandidate[]>

  /**
   * Removes the rows of deleted checks, shortens logs that exceed their limits, and deletes flips older than `flipsBefore`; at
   * most `limit` of each. Works in short transactions, between which others run: if a call fails, what it did so far remains.
   */
  prune(flipsBefore: Instant, limit: number): Promise<Pruned>
  /** Removes at most `limit` rows of the audit log that are older than `before`. @returns how many */
  pruneAudit(before: Instant, limit: number): Promise<number>
  /** Removes sessions and links that have expired at `now`. */
  removeExpired(now: Instant): Promise<void>
}
