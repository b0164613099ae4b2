/**
 * Imports from other programs.
 *
 * Logs are staged first, in many short transactions. Their entries are stored with all other pings and events, but under the id of a check
 * that does not exist yet, so no method finds them. Then the project is staged, also in many short transactions. Its rows and its checks
 * exist, but only imports find them. A final transaction makes the complete project visible, and its checks take over the logs. A killed
 * import leaves staged logs, which the next import continues or drops. It may also leave a staged project, which the next import drops.
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
  /** number of the log's newest ping; 0 if there is none */
  readonly n: number
  /** number of the log's newest event; 0 if there is none */
  readonly eventN: number
}

/** Data already stored about a check that will be imported. */
export interface ImportExtent {
  /** numbers of the existing check; null if the check does not exist or is staged */
  readonly stored: (LogExtent & { readonly projectId: string }) | null
  /** staged numbers; null if nothing is staged */
  readonly staged: (LogExtent & { readonly projectId: string }) | null
  /** true if a check with this id was deleted, but some of its data has not been removed yet: see `removeDeletedLogs` */
  readonly isLeaving: boolean
}

/** The next log entries of a check that does not exist yet. */
export interface LogPart {
  readonly checkId: string
  /** project to which the check will belong */
  readonly projectId: string
  /** end of the part that is already staged; all numbers are 0 for the first part */
  readonly after: LogExtent
  /** pings in the order of `n`; each `n` is greater than `after.n` */
  readonly pings: readonly Ping[]
  /** flips in the order of `n`; each `n` is greater than `after.eventN` */
  readonly flips: readonly Flip[]
}

/** The next log entries of an existing check, which the source has received since the last import. */
export interface CheckExtension {
  readonly checkId: string
  /** last numbers that the check had when it was read; if they differ now, the check has changed on this server */
  readonly seen: LogExtent
  /**
   * number of events to keep, at most `seen.eventN`. Later events were created on this server when a deadline passed. They are removed
   * together with their alerts
   */
  readonly keptEvents: number
  /** pings in the order of `n`; each `n` is greater than `seen.n` */
  readonly pings: readonly Ping[]
  /** flips in the order of `n`, starting at `keptEvents + 1` and without gaps. None of these flips causes an alert */
  readonly flips: readonly Flip[]
  /**
   * returns the check with the state that it has in the source after these entries; null if more entries follow, in which case the status
   * does not change yet
   */
  readonly state: ((check: Check) => Check) | null
}

/** A project to create, with all of its data. */
export interface ProjectImport {
  readonly kind: ImportKind
  /** if `slug` is empty or taken, it is replaced by a random slug */
  readonly project: Project
  readonly drawnSlug: string
  /** accounts to create, unless an account with the same email exists */
  readonly accounts: readonly Account[]
  /** members, each with an account that exists or is one of `accounts` */
  readonly members: readonly ImportedMember[]
  readonly keys: readonly StoredKey[]
  /** secret that was used to hash keys and sign badges; null if none is stored */
  readonly secret: string | null
  readonly badges: readonly ImportedBadge[]
  readonly channels: readonly Channel[]
  /** mailings of email channels, by channel id */
  readonly mailings: ReadonlyMap<string, WantedMailings>
  /**
   * Checks to create. A `publicId` or `createdAt` that is taken is replaced. Numbers lower than those in the log are increased. The loop
   * judges checks by their state, so set `sparedUntil` for those that are up.
   */
  readonly checks: readonly CheckWithChannels[]
  /** extents of the staged logs, by check id; a check without an entry here has no log */
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

/** A project that only imports can find. */
export interface StagedProject {
  readonly id: string
  /** when the project last grew */
  readonly stagedAt: Instant
}

/** Data to add to an existing project. */
export interface ProjectExtension extends Pick<ProjectImport, 'kind' | 'checks' | 'logs'> {
  readonly projectId: string
  /** number of pings that were added to existing checks, for the audit log */
  readonly pings: number
  readonly flips: number
}

/** A value that is already used by another project or another object of the same kind. */
export interface ImportClash {
  readonly kind: ClashKind
  /** the taken id, name, badge key, key hint, or slug. Check ids and badge keys are secrets */
  readonly taken: string
  /** id of the project that uses it */
  readonly projectId: string
}

/** A staged log that its import has not made visible yet. */
export interface StagedLog extends LogExtent {
  readonly checkId: string
  readonly projectId: string
  /** number of pings in the log */
  readonly entries: number
  /** total size of the log's bodies in bytes */
  readonly bytes: number
  /** when the log last grew */
  readonly stagedAt: Instant
}

export interface ImportedSecret {
  readonly projectId: string
  /** the staged project's badge key */
  readonly badgeKey: string
  readonly secret: string
}
