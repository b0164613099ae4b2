/** The database itself, what the server knows of its own past, and retention. */

import type { Instant } from '../../lib/time.ts'
import type { DiskUsage, Durability } from '../sql/database.ts'
import type { Instance } from './instances.ts'

/** A period in which no server ran, or none could record that it did. */
export interface Outage {
  readonly from: Instant
  readonly until: Instant
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

export interface Upkeep {
  /** Reads from a table. @throws Refusal `unavailable` if that fails */
  probe(): Promise<void>
  /** Writes a row and syncs it to disk. @throws Refusal `unavailable` if that fails */
  probeWrite(at: Instant): Promise<void>
  size(): Promise<DiskUsage>
  /** Where an answered ping is: see `Database`. */
  durability(): Promise<Durability | null>
  close(): Promise<void>
  /** When a server last recorded that it runs; null if none ever has. */
  findAlive(): Promise<Instant | null>
  /** @param outage that has just ended; replaces the last one @param instance which lives, with what it tells of itself */
  recordAlive(at: Instant, outage?: Outage, instance?: Instance): Promise<void>
  /**
   * The last sign of life of an instance that stops. Removes it, and ends its leases: the next to ask gets them. An instance that was
   * refused one does not ask again before the time at which that would have ended.
   */
  recordStop(at: Instant, instanceId: string): Promise<void>
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
  readTotals(): Promise<Totals>
  /**
   * Removes the rows of deleted checks, shortens logs that exceed their limits, and deletes flips older than `flipsBefore`; at
   * most `limit` of each. Works in short transactions, between which others run: if a call fails, what it did so far remains.
   */
  prune(flipsBefore: Instant, limit: number): Promise<Pruned>
  /** Removes at most `limit` rows of the audit log that are older than `before`. @returns how many */
  pruneAudit(before: Instant, limit: number): Promise<number>
  /** Removes at most `limit` answers of attempts that began before then. The attempts stay until their delivery goes. @returns how many */
  pruneAnswers(before: Instant, limit: number): Promise<number>
  /** Removes sessions, links, changes that can no longer be undone, and counts of refused requests, which have expired at `now`. */
  removeExpired(now: Instant): Promise<void>
}
