/**
 * Imports from other programs.
 *
 * The logs are staged first, in many short transactions: their entries are stored in the log and among the events under a check that does
 * not exist yet, so no method finds them. Then the project is staged, in many short transactions too: its rows and its checks exist, but
 * only imports find them. One last transaction shows the whole project, and its checks take the logs over. An import that was killed leaves
 * staged logs, which the next one continues or drops, and perhaps a staged project, which the next one drops.
 */

import type { Account } from '../../domain/account/account.ts'
import type { Channel } from '../../domain/channel/channel.ts'
import type { Check } from '../../domain/check/check.ts'
import type { Flip } from '../../domain/check/flip.ts'
import type { CheckWithChannels } from '../../domain/check/representation.ts'
import type { ClashKind } from '../../domain/import/import-clash.ts'
import type { ImportedBadge, ImportedMember, ImportedSilence, ImportKind } from '../../domain/import/import-source.ts'
import type { WantedMailings } from '../../domain/mail/mailing.ts'
import type { Ping } from '../../domain/ping/ping.ts'
import type { Project, StoredKey } from '../../domain/project.ts'
import type { StatusPage } from '../../domain/status-page/status-page.ts'
import type { Instant } from '../../lib/time.ts'

/** The end of a log. */
export interface LogExtent {
  /** number of its newest ping; 0: there is none */
  readonly n: number
  /** number of its newest event; 0: there is none */
  readonly eventN: number
}

/** The stored data of a check that is imported. */
export interface ImportExtent {
  /** the numbers of the check itself; null: there is no such check, or it is staged */
  readonly stored: (LogExtent & { readonly projectId: string }) | null
  /** the staged numbers; null: nothing is staged */
  readonly staged: (LogExtent & { readonly projectId: string }) | null
  /** a check of this id was deleted, and some of its data is not removed yet: see `removeDeletedLogs` */
  readonly isLeaving: boolean
}

/** The next entries of the log of a check that does not exist yet. */
export interface LogPart {
  readonly checkId: string
  /** project to which the check will belong */
  readonly projectId: string
  /** the end of the staged part; zeros for the first part */
  readonly after: LogExtent
  /** in the order of `n`, each greater than `after.n` */
  readonly pings: readonly Ping[]
  /** in the order of `n`, each greater than `after.eventN` */
  readonly flips: readonly Flip[]
}

/** The next entries of the log of an existing check, which it has received in the source since. */
export interface CheckExtension {
  readonly checkId: string
  /** the numbers that the check must still have; otherwise it has changed here */
  readonly seen: LogExtent
  /**
   * the check's events with greater numbers were created here, by time alone; they are removed, with their alerts. At most `seen.eventN`
   */
  readonly keptEvents: number
  /** in the order of `n`, each greater than `seen.n` */
  readonly pings: readonly Ping[]
  /** in the order of `n`, from `keptEvents + 1` on without gaps. None of them causes an alert */
  readonly flips: readonly Flip[]
  /** returns the check with its state in the source after these entries; null: more follow, and the status is unchanged until then */
  readonly state: ((check: Check) => Check) | null
}

/** A project that is created with all its data. */
export interface ProjectImport {
  readonly kind: ImportKind
  /** a `slug` that is empty or taken is replaced by the random one */
  readonly project: Project
  readonly drawnSlug: string
  /** accounts that are created unless there is one with that email */
  readonly accounts: readonly Account[]
  /** each has an account here, or is one of `accounts` */
  readonly members: readonly ImportedMember[]
  readonly keys: readonly StoredKey[]
  /** secret with which keys were hashed and badges were signed; null: none is stored */
  readonly secret: string | null
  readonly badges: readonly ImportedBadge[]
  readonly channels: readonly Channel[]
  /** mailings of email channels, by the channel's id */
  readonly mailings: ReadonlyMap<string, WantedMailings>
  /**
   * A `publicId` or `createdAt` that is taken is moved to a free one. Numbers less than those of the log are raised. Checks are judged by
   * their state, so give those that are up a `sparedUntil`.
   */
  readonly checks: readonly CheckWithChannels[]
  /** extent of the staged log by the check's id; a check that is not named has no log */
  readonly logs: ReadonlyMap<string, LogExtent>
  readonly silences: readonly ImportedSilence[]
  readonly statusPage: StatusPage | null
}

/** A staged project, and the import that creates it. */
export interface ImportingProject {
  readonly projectId: string
  /** a random UUID; the badge key until the project is shown */
  readonly importId: string
}

/** A project that only imports find. */
export interface StagedProject {
  readonly id: string
  /** when it last grew */
  readonly stagedAt: Instant
}

/** Additions to an existing project. */
export interface ProjectExtension extends Pick<ProjectImport, 'kind' | 'checks' | 'logs'> {
  readonly projectId: string
  /** number of pings that were added to existing checks, for the audit log */
  readonly pings: number
  readonly flips: number
}

/** A value that is already taken by another project, or another thing of the same kind. */
export interface ImportClash {
  readonly kind: ClashKind
  /** the taken id, name, badge key, hint of the key, or slug; that of a check or badge is a secret */
  readonly taken: string
  /** the project that has it */
  readonly projectId: string
}

/** A staged log, which waits for its import to show it. */
export interface StagedLog extends LogExtent {
  readonly checkId: string
  readonly projectId: string
  /** number of its pings */
  readonly entries: number
  /** bytes of their bodies */
  readonly bytes: number
  /** when it last grew */
  readonly stagedAt: Instant
}

export interface ImportedSecret {
  readonly projectId: string
  /** badge key of the project */
  readonly badgeKey: string
  readonly secret: string
}
