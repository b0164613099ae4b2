/**
 * What is moved in from other programs.
 *
 * The logs are staged first, in many short transactions: their entries stand in the log and in the flips under a check that does not
 * exist yet, so no method finds them. Then the project is staged, in many short transactions too: its rows and its checks are there, but nothing
 * other than an import finds them. One last transaction shows the whole project, and its checks take the logs over. An import that was killed
 * leaves staged logs, with which the next one goes on or which it drops, and perhaps a staged project, which the next one drops.
 */

import type { Account } from '../../domain/account/account.ts'
import type { Channel } from '../../domain/channel/channel.ts'
import type { Check } from '../../domain/check/check.ts'
import type { Flip } from '../../domain/check/flip.ts'
import type { CheckWithChannels } from '../../domain/check/representation.ts'
import type { ClaimingProject, ClashKind } from '../../domain/import/import-clash.ts'
import type { ImportedAlert, ImportedBadge, ImportedMember, ImportKind } from '../../domain/import/import-source.ts'
import type { WantedMailings } from '../../domain/mail/mailing.ts'
import type { Ping } from '../../domain/ping/ping.ts'
import type { Project, StoredKey } from '../../domain/project.ts'
import type { StatusPage } from '../../domain/status-page/status-page.ts'
import type { Instant } from '../../lib/time.ts'
import type { Rules } from './rules.ts'

/** How far a log reaches. */
export interface LogExtent {
  /** number of its newest ping; 0: there is none */
  readonly n: number
  /** number of its newest flip; 0: there is none */
  readonly flipN: number
}

/** What is here of a check that an import brings. */
export interface ImportExtent {
  /** the numbers of the check itself; null: there is no such check, or it is staged */
  readonly stored: (LogExtent & { readonly projectId: string }) | null
  /** what was staged for it; null: nothing */
  readonly staged: (LogExtent & { readonly projectId: string }) | null
  /** a check of this id was deleted, and not all that it left is removed: see {@link ImportStore.removeDeletedLogs} */
  readonly isLeaving: boolean
}

/** The next entries of the log of a check that does not exist yet. */
export interface LogPart {
  readonly checkId: string
  /** of the project that the check will belong to */
  readonly projectId: string
  /** what was staged before; zeros for the first part */
  readonly after: LogExtent
  /** in the order of `n`, each greater than `after.n` */
  readonly pings: readonly Ping[]
  /** in the order of `n`, each greater than `after.flipN` */
  readonly flips: readonly Flip[]
}

/** The next entries of the log of a check that is here, which it has received in the source since. */
export interface CheckExtension {
  readonly checkId: string
  /** the numbers that the check must have still; otherwise it has changed here */
  readonly seen: LogExtent
  /** the check's flips with greater numbers were made here, by time alone; they are removed, with their alerts. At most `seen.flipN` */
  readonly keptFlips: number
  /** in the order of `n`, each greater than `seen.n` */
  readonly pings: readonly Ping[]
  /** in the order of `n`, from `keptFlips + 1` on without gaps. None of them owes an alert */
  readonly flips: readonly Flip[]
  /** the check with the state that it has in the source after these; null: more entries follow, and the status stays until then */
  readonly state: ((check: Check) => Check) | null
}

/** A project that is made with all that belongs to it. */
export interface ProjectImport {
  readonly kind: ImportKind
  /** a `slug` that is empty or taken is replaced by the drawn one */
  readonly project: Project
  readonly drawnSlug: string
  /** those whose email has no account yet are created */
  readonly accounts: readonly Account[]
  /** each has an account here, or is one of `accounts` */
  readonly members: readonly ImportedMember[]
  readonly keys: readonly StoredKey[]
  /** with which keys were hashed and badges were signed; null: none is kept */
  readonly secret: string | null
  readonly badges: readonly ImportedBadge[]
  readonly channels: readonly Channel[]
  /** of email channels, by the channel's id */
  readonly mailings: ReadonlyMap<string, WantedMailings>
  /**
   * A `publicId` or `createdAt` that is taken is moved to a free one. Numbers less than those of the log are raised. Checks are judged by
   * their state, so give those that are up a `sparedUntil`.
   */
  readonly checks: readonly CheckWithChannels[]
  /** by the check's id, what was staged of it; a check that is not named has no log */
  readonly logs: ReadonlyMap<string, LogExtent>
  readonly statusPage: StatusPage | null
}

/** A project that is staged, and the import that makes it. */
export interface ImportingProject {
  readonly projectId: string
  /** a random UUID; the badge key until the project is shown */
  readonly importId: string
}

/** A project that only imports find. */
export interface StagedProject {
  readonly id: string
  /** when it grew last */
  readonly stagedAt: Instant
}

/** What comes to a project that is here. */
export interface ProjectExtension extends Pick<ProjectImport, 'kind' | 'checks' | 'logs'> {
  readonly projectId: string
  /** how many were added to checks that are here, for the audit log */
  readonly pings: number
  readonly flips: number
}

/** Something that another project, or another thing of the same kind, has already. */
export interface ImportClash {
  readonly kind: ClashKind
  /** the id, name, badge key, hint of the key, or slug that is taken; that of a check or badge is a secret */
  readonly taken: string
  /** which has it */
  readonly projectId: string
}

/** The import that an entry of the log waits for. */
export interface StagedLog extends LogExtent {
  readonly checkId: string
  readonly projectId: string
  /** when it grew last */
  readonly stagedAt: Instant
}

export interface ImportedSecret {
  readonly projectId: string
  /** of the project */
  readonly badgeKey: string
  readonly secret: string
}

export interface ImportStore {
  /** In the order of the ids. */
  findImportExtents(checkIds: readonly string[]): Promise<ImportExtent[]>
  /** What keeps the project from being made, in no order. Other projects are not named by their ids in what people read. */
  findImportClashes(claiming: ClaimingProject): Promise<ImportClash[]>
  /** Those of the ids whose checks were deleted here, as far back as the audit log reaches. It reads all of that. */
  findDeletedChecks(checkIds: readonly string[]): Promise<ReadonlySet<string>>
  /** Of all imports that have not ended. */
  listStagedLogs(): Promise<StagedLog[]>
  /** The newest flips that were staged, in the order of the ids. null: none was, or retention has removed it. */
  findStagedFlips(checkIds: readonly string[]): Promise<(Flip | null)[]>
  /**
   * Writes the entries of several logs in one transaction, so give as many as take a few milliseconds: see `LogStager` in `import/engine/`.
   * @throws Refusal `import-interrupted` if a check is here or staged by now, is leaving, or another import has staged or dropped its log
   */
  stageLogs(parts: readonly LogPart[], now: Instant): Promise<void>
  /** `prune` removes them from disk later. Ids without a staged log are ignored. */
  dropStagedLogs(checkIds: readonly string[]): Promise<void>
  /** Drops those of projects of which no log grew since `before`, at most `limit`. @returns how many it dropped */
  dropStaleLogs(before: Instant, limit: number): Promise<number>
  /** Removes what deleted checks of these ids have left, as `prune` does and in short transactions, so that their logs can be staged. */
  removeDeletedLogs(checkIds: readonly string[]): Promise<void>
  /**
   * Adds entries to the log of a check that is here, and perhaps moves its state, in one transaction.
   * @returns false if the check is gone or has changed here since: then nothing is written
   */
  extendCheck(extension: CheckExtension, rules: Pick<Rules, 'alertAfter' | 'now'>): Promise<boolean>
  /**
   * Adds alerts that have ended, to be looked at; give a few hundred at a time. One whose flip or channel is not here, or that is here
   * already, is left out. @returns how many it added
   */
  addAlerts(alerts: readonly ImportedAlert[]): Promise<number>
  /**
   * Begins a project with its integrations.
   * @throws Refusal `import-clash` about the first of {@link ImportStore.findImportClashes}, `import-interrupted` if another import makes it
   */
  beginProject(order: ProjectImport, importId: string, now: Instant): Promise<void>
  /**
   * Adds checks to it in one transaction, so give about a hundred.
   * @throws Refusal `import-interrupted` if a log is not staged as `logs` says, or another import has dropped the project or makes a check
   */
  stageChecks(
    project: ImportingProject,
    checks: Pick<ProjectImport, 'checks' | 'logs'>,
    rules: Pick<Rules, 'alertAfter'>,
    now: Instant,
  ): Promise<void>
  /** Of all imports that have not ended. */
  listStagedProjects(): Promise<StagedProject[]>
  /**
   * Drops some of its checks, or the project with the last ones, in one short transaction. Their logs stay staged. Does nothing if it has grown since.
   * @returns whether something is left: then call it again
   */
  dropStagedProject(project: StagedProject): Promise<boolean>
  listImportedSecrets(): Promise<ImportedSecret[]>
  /** The signatures with which the badge of a tag was published elsewhere, `ImportedBadge`. */
  listBadgeSignatures(projectBadgeKey: string, tag: string): Promise<string[]>
  /** Stores an API key by another hash of the same text. Does nothing if there is no such key. */
  rehashKey(lookup: string, newLookup: string): Promise<void>
}

/** Changes that have an author: see `AuthoredWrites`. */
export interface ImportWrites {
  /**
   * Shows a staged project with its people, keys and badges, in one transaction. No flip is made and no delivery. The audit log has a row for
   * the project, with numbers, and one for each account that is new. It takes about ten microseconds a check.
   * @param order as it was staged
   * @throws Refusal `import-clash` about the first of {@link ImportStore.findImportClashes}, `import-interrupted` if not all its checks are
   * staged by this import
   */
  importProject(order: ProjectImport, importId: string): Promise<Project>
  /**
   * Adds checks to a project that is here, from what was staged, in one transaction, so give about a hundred; channels that are not the project's are not assigned.
   * The audit log has one row, about the project, with numbers. Does nothing if there is neither a check nor a number.
   * @throws Refusal `not-found` if there is no such project, `import-clash`, `import-interrupted`
   */
  extendProject(extension: ProjectExtension, rules: Pick<Rules, 'alertAfter'>): Promise<void>
}
