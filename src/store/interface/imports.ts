/**
 * What is moved in from other programs.
 *
 * The logs are staged first, in many short transactions: their entries stand in the log and among the events under a check that does not
 * exist yet, so no method finds them. Then the project is staged, in many short transactions too: its rows and its checks are there, but nothing
 * other than an import finds them. One last transaction shows the whole project, and its checks take the logs over. An import that was killed
 * leaves staged logs, with which the next one goes on or which it drops, and perhaps a staged project, which the next one drops.
 */

import type { Account } from '../../domain/account/account.ts'
import type { Channel } from '../../domain/channel/channel.ts'
import type { Check } from '../../domain/check/check.ts'
import type { Flip } from '../../domain/check/flip.ts'
import type { CheckWithChannels } from '../../domain/check/representation.ts'
import type { ClashKind } from '../../domain/import/import-clash.ts'
import type { ImportedBadge, ImportedMember, ImportKind } from '../../domain/import/import-source.ts'
import type { WantedMailings } from '../../domain/mail/mailing.ts'
import type { Ping } from '../../domain/ping/ping.ts'
import type { Project, StoredKey } from '../../domain/project.ts'
import type { StatusPage } from '../../domain/status-page/status-page.ts'
import type { Instant } from '../../lib/time.ts'

/** How far a log reaches. */
export interface LogExtent {
  /** number of its newest ping; 0: there is none */
  readonly n: number
  /** number of its newest event; 0: there is none */
  readonly eventN: number
}

/** What is here of a check that an import brings. */
export interface ImportExtent {
  /** the numbers of the check itself; null: there is no such check, or it is staged */
  readonly stored: (LogExtent & { readonly projectId: string }) | null
  /** what was staged for it; null: nothing */
  readonly staged: (LogExtent & { readonly projectId: string }) | null
  /** a check of this id was deleted, and not all that it left is removed: see `removeDeletedLogs` */
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
  /** in the order of `n`, each greater than `after.eventN` */
  readonly flips: readonly Flip[]
}

/** The next entries of the log of a check that is here, which it has received in the source since. */
export interface CheckExtension {
  readonly checkId: string
  /** the numbers that the check must have still; otherwise it has changed here */
  readonly seen: LogExtent
  /** the check's events with greater numbers were made here, by time alone; they are removed, with their alerts. At most `seen.eventN` */
  readonly keptEvents: number
  /** in the order of `n`, each greater than `seen.n` */
  readonly pings: readonly Ping[]
  /** in the order of `n`, from `keptEvents + 1` on without gaps. None of them owes an alert */
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
  /** its pings */
  readonly entries: number
  /** of their bodies */
  readonly bytes: number
  /** when it grew last */
  readonly stagedAt: Instant
}

export interface ImportedSecret {
  readonly projectId: string
  /** of the project */
  readonly badgeKey: string
  readonly secret: string
}
