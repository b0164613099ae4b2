/** What can be undone: kept in memory for an hour, and within bounds, so a restart of the server forgets it. */
import type { Undo } from '../domain/check/bulk.ts'
import { addSeconds, type Instant, isAtOrAfter } from '../lib/time.ts'

/** How to put one check back. */
export interface UndoStep {
  readonly publicId: string
  readonly undo: Undo
}

/** Nobody else can undo it. */
export interface UndoOwner {
  readonly accountId: string
  readonly projectId: string
}

interface Kept {
  readonly owner: UndoOwner
  readonly steps: readonly UndoStep[]
  readonly until: Instant
}

const KEPT_SECONDS = 3_600
/** A step takes about 500 bytes, with the longest tags 2 kB. */
const STEPS_KEPT = 40_000

export class UndoMemory {
  /** by token, oldest first */
  readonly #kept = new Map<string, Kept>()
  readonly #limit: number
  #steps = 0

  /** @param limit of steps in all; beyond it, the oldest changes can no longer be undone */
  constructor(limit = STEPS_KEPT) {
    this.#limit = limit
  }

  /** @returns false if these are more steps than are ever kept */
  keep(token: string, owner: UndoOwner, steps: readonly UndoStep[], now: Instant): boolean {
    if (steps.length > this.#limit) return false
    this.#kept.set(token, { owner, steps, until: addSeconds(now, KEPT_SECONDS) })
    this.#steps += steps.length
    this.#forget(now)
    return true
  }

  /** Each token works once. @returns null for any that does not work */
  take(token: string, { accountId, projectId }: UndoOwner, now: Instant): readonly UndoStep[] | null {
    this.#forget(now)
    const kept = this.#kept.get(token)
    if (kept?.owner.accountId !== accountId || kept.owner.projectId !== projectId) return null
    this.#drop(token, kept)
    return kept.steps
  }

  /** Drops what has expired, and the oldest beyond the limit. */
  #forget(now: Instant): void {
    for (const [token, kept] of this.#kept) {
      if (this.#steps <= this.#limit && !isAtOrAfter(now, kept.until)) return
      this.#drop(token, kept)
    }
  }

  #drop(token: string, { steps }: Kept): void {
    this.#kept.delete(token)
    this.#steps -= steps.length
  }
}
