/**
 * The store, whose methods are named in words of the domain. Several processes may share one database. Each process claims work before
 * doing it, and the store applies rules that depend on rows inside the transaction, as pure functions. Concurrent calls have the same
 * effect as the same calls made one after another. The store may call a function argument again if it has to retry the transaction.
 *
 * A method that writes is one transaction, except for the methods of `imports` and `retention` that say otherwise. When its promise
 * resolves, everything is on disk; when it rejects, nothing is written. While the database cannot be used, every method rejects with a
 * `Refusal` of code `unavailable`. A write also rejects with it if the result of its commit is unknown. Methods are grouped by noun, as in
 * `store.checks.find`, or `store.by(author).checks.change` if the audit log records them. `sql-store/` builds them from the functions in
 * the nouns' folders, which document what each method promises. `interface/` contains their parameters and results.
 */

export type * from './interface/accounts.ts'
export type * from './interface/advice.ts'
export type * from './interface/changes.ts'
export type * from './interface/channels.ts'
export type * from './interface/checks.ts'
export type * from './interface/deliveries.ts'
export type * from './interface/flips.ts'
export type * from './interface/imports.ts'
export type * from './interface/incidents.ts'
export type * from './interface/instances.ts'
export * from './interface/pings.ts'
export type * from './interface/projects.ts'
export type * from './interface/rules.ts'
export type * from './interface/search.ts'
export type * from './interface/team.ts'
export type * from './interface/upkeep.ts'
export type { Page, PageMark } from './pages.ts'
export type { DiskUsage, Durability, NoticeListener, TouchedCheck } from './sql/database.ts'

export type { AuthoredWrites, Store } from './sql-store/sql-store.ts'
