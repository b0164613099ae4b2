/**
 * Imports from other programs.
 *
 * Logs are staged first, in many short transactions: their entries are stored in the log and among the events, but under a check that does
 * not exist yet, so no method finds them. Then the project is staged, also in many short transactions: its rows and its checks exist, but
 * only imports find them. A final transaction makes the complete project visible, and its checks take over the logs. A killed import leaves
 * staged logs, which the next import continues or drops, and perhaps a staged project, which the next import drops.
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

/** End of a log. */
export interface LogExtent {
  /** number of its newest ping; 0 if there is none */
  readonly n: number
  /** number of its newest event; 0 if there is none */
  readonly eventN: number
}

/** Stored data about a check that will be imported. */
export interface ImportExtent {
  /** numbers of the existing check; null if it does not exist or is staged */
  readonly stored: (LogExtent & { readonly projectId: string }) | null
  /** staged numbers; null if nothing is staged */
  readonly staged: (LogExtent & { readonly projectId: string }) | null
  /** true if a check with this id was deleted and some of its data is not removed yet: see `removeDeletedLogs` */
  readonly isLeaving: boolean
}

/** The next entries of the log of a check that does not exist yet. */
export interface LogPart {
  readonly checkId: string
  /** project that the check will belong to */
  readonly projectId: string
  /** end of the part that is already staged; all numbers are 0 for the first part */
  readonly after: LogExtent
  /** in the order of `n`; each `n` is greater than `after.n` */
  readonly pings: readonly Ping[]
  /** in the order of `n`; each `n` is greater than `after.eventN` */
  readonly flips: readonly Flip[]
}

/** The next entries of the log of an existing check, which the source has received since the last import. */
export interface CheckExtension {
  readonly checkId: string
  /** numbers that the check must still have; if they differ, the check has changed on this server */
  readonly seen: LogExtent
  /**
   * number of events to keep, at most `seen.eventN`. Later events were created on this server because time passed; they are removed
   * together with their alerts
   */
  readonly keptEvents: number
  /** in the order of `n`; each `n` is greater than `seen.n` */
  readonly pings: readonly Ping[]
  /** in the order of `n`, starting at `keptEvents + 1` and without gaps. None of them causes an alert */
  readonly flips: readonly Flip[]
  /**
   * returns the check in its state after these entries, as in the source; null if more entries follow, which leaves the status unchanged
   * until then
   */
  readonly state: ((check: Check) => Check) | null
}

/** A project to create with all its data. */
export interface ProjectImport {
  readonly kind: ImportKind
  /** a random slug replaces a `slug` that is empty or taken */
  readonly project: Project
  readonly drawnSlug: string
  /** accounts to create, unless an account with the same email exists */
  readonly accounts: readonly Account[]
  /** members, each with an account that exists or is one of `accounts` */
  readonly members: readonly ImportedMember[]
  readonly keys: readonly StoredKey[]
  /** secret used to hash keys and sign badges; null if none is stored */
  readonly secret: string | null
  readonly badges: readonly ImportedBadge[]
  readonly channels: readonly Channel[]
  /** mailings of email channels, by channel id */
  readonly mailings: ReadonlyMap<string, WantedMailings>
  /**
   * Checks to create. A `publicId` or `createdAt` that is taken is replaced. Numbers lower than those of the log are raised. Checks are
   * judged by their state, so set `sparedUntil` for those that are up.
   */
  readonly checks: readonly CheckWithChannels[]
  /** extent of the staged log by check id; a check that is missing here has no log */
  readonly logs: ReadonlyMap<string, LogExtent>
  readonly silences: readonly ImportedSilence[]
  readonly statusPage: StatusPage | null
}

/** A staged project and the import that creates it. */
export interface ImportingProject {
  readonly projectId: string
  /** a random UUID, which is also the badge key until the project becomes visible */
  readonly importId: string
}

/** A project that only imports find. */
export interface StagedProject {
  readonly id: string
  /** time when the project last grew */
  readonly stagedAt: Instant
}

/** Additions to an existing project. */
export interface ProjectExtension extends Pick<ProjectImport, 'kind' | 'checks' | 'logs'> {
  readonly projectId: string
  /** number of pings added to existing checks, for the audit log */
  readonly pings: number
  readonly flips: number
}

/** A value that is already used by another project or by another object of the same kind. */
export interface ImportClash {
  readonly kind: ClashKind
  /** the taken id, name, badge key, hint of the key, or slug. The id of a check and the key of a badge are secrets */
  readonly taken: string
  /** id of the project that has it */
  readonly projectId: string
}

/** A staged log that its import has not made visible yet. */
export interface StagedLog extends LogExtent {
  readonly checkId: string
  readonly projectId: string
  /** number of its pings */
  readonly entries: number
  /** total size of their bodies in bytes */
  readonly bytes: number
  /** time when the log last grew */
  readonly stagedAt: Instant
}

export interface ImportedSecret {
  readonly projectId: string
  /** badge key of the staged project */
  readonly badgeKey: string
  readonly secret: string
}
