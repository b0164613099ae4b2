/**
 * The store in domain words. Several processes may share one database: each claims work before it does it, and the store
 * applies rules that depend on rows, as pure functions, inside the transaction. Concurrent calls have the same effect as the
 * same calls one after another. The store may call a function argument again if it has to retry the transaction.
 *
 * A method that writes is one transaction, except {@link Store.prune}: when its promise resolves, everything is on disk;
 * when it rejects, nothing is written. Every method rejects with a `Refusal` of code `unavailable` while the database cannot
 * be used, a write also if nobody can tell whether its commit succeeded.
 *
 * `interface/` has the methods, by subject.
 */

import type { AuditEntry } from '../domain/audit/audit.ts'
import type { AuditPlace, AuditRange, PlacedAuditEntry } from '../domain/audit/audit-list.ts'
import type { Author } from '../domain/author.ts'
import type { Check } from '../domain/check/check.ts'
import type { Instant } from '../lib/time.ts'
import type { AccountStore, AccountWrites } from './interface/accounts.ts'
import type { ChangeReads } from './interface/changes.ts'
import type { ChannelStore, ChannelWrites } from './interface/channels.ts'
import type { CheckReads, CheckWrites } from './interface/checks.ts'
import type { DeliveryStore, DeliveryWrites } from './interface/deliveries.ts'
import type { FlipStore } from './interface/flips.ts'
import type { IdentityStore, IdentityWrites } from './interface/identities.ts'
import type { ImportStore, ImportWrites } from './interface/imports.ts'
import type { InstanceStore } from './interface/instances.ts'
import type { MailingStore } from './interface/mailings.ts'
import type { PasskeyStore, PasskeyWrites } from './interface/passkeys.ts'
import type { PingStore } from './interface/pings.ts'
import type { ProjectReads, ProjectWrites } from './interface/projects.ts'
import type { SearchStore } from './interface/search.ts'
import type { StatusPageReads, StatusPageWrites } from './interface/status-pages.ts'
import type { TeamReads, TeamWrites } from './interface/team.ts'
import type { UncountedStore } from './interface/uncounted.ts'
import type { Upkeep } from './interface/upkeep.ts'

export type * from './interface/accounts.ts'
export type * from './interface/changes.ts'
export type * from './interface/channels.ts'
export type * from './interface/checks.ts'
export type * from './interface/deliveries.ts'
export type * from './interface/flips.ts'
export type * from './interface/identities.ts'
export type * from './interface/imports.ts'
export type * from './interface/instances.ts'
export type * from './interface/mailings.ts'
export type * from './interface/page.ts'
export type * from './interface/passkeys.ts'
export * from './interface/pings.ts'
export type * from './interface/projects.ts'
export type * from './interface/rules.ts'
export type * from './interface/search.ts'
export type * from './interface/status-pages.ts'
export type * from './interface/team.ts'
export type * from './interface/uncounted.ts'
export type * from './interface/upkeep.ts'
export type { DiskUsage, Durability, NoticeListener, ToldCheck } from './sql/database.ts'

/** Writes that the audit log records: each method writes its rows in its transaction. */
export interface AuthoredWrites
  extends AccountWrites,
    ChannelWrites,
    CheckWrites,
    DeliveryWrites,
    IdentityWrites,
    ImportWrites,
    PasskeyWrites,
    ProjectWrites,
    StatusPageWrites,
    TeamWrites {}

interface AuditStore {
  /** @param author of one change: the next one has another `changeId` */
  by(author: Author): AuthoredWrites
  /** Newest first. */
  listAudit(limit: number): Promise<AuditEntry[]>
  /** Newest first; the rows of one change in the order in which they were written. @param after the row before the first one; null: none */
  readAudit(range: AuditRange, after: AuditPlace | null, limit: number): Promise<PlacedAuditEntry[]>
  /** Who paused the check at that time, as the audit log of its project has it. @returns null when it is not known */
  findPauser(check: Pick<Check, 'id' | 'projectId'>, at: Instant): Promise<Author | null>
}

export interface Store
  extends AccountStore,
    AuditStore,
    ChangeReads,
    ChannelStore,
    CheckReads,
    DeliveryStore,
    FlipStore,
    IdentityStore,
    ImportStore,
    InstanceStore,
    MailingStore,
    PasskeyStore,
    PingStore,
    ProjectReads,
    SearchStore,
    StatusPageReads,
    TeamReads,
    UncountedStore,
    Upkeep {}
