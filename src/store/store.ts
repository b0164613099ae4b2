/**
 * The store. Its methods are named in domain terms. Several processes may share one database. Each process claims work before doing it.
 * Rules that depend on stored data are pure functions that the store applies inside the transaction. Concurrent calls have the same effect
 * as the same calls made one after another. The store may call a function argument again if it has to retry the transaction.
 *
 * A method that writes is one transaction, except for the methods of `imports` and `retention` that say otherwise. If its promise resolves,
 * everything is on disk; if it rejects, nothing was written. While the database cannot be used, every method rejects with a `Refusal` of
 * code `unavailable`. A write also rejects with this code if the result of its commit is unknown. Methods are grouped by noun, as in
 * `store.checks.find`. Methods whose changes are recorded in the audit log are called on an author, as in `store.by(author).checks.change`.
 * `sql-store/` builds the methods from the functions in the nouns' directories, which document what each method promises. `interface/`
 * contains their parameters and results.
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
