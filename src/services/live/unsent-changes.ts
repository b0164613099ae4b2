/** Changes in a project that have not been sent to its readers yet. Each check is stored only once, so memory use is bounded. */
import type { ShownState } from '../../domain/check/shown-check.ts'

/** Number of updates over which a burst of changes may be spread. If a burst takes longer, readers are told that rows are missing. */
const BEHIND_AFTER = 8

interface SentRow {
  readonly checkId: string
  /** the state that was last sent; null if none was sent */
  readonly was: ShownState | null
}

export class UnsentChanges {
  /** checks whose state has changed, with the state that was last sent */
  readonly #turned = new Map<string, ShownState | null>()
  /** checks with other changes; the check that has waited longest comes first */
  readonly #changed = new Map<string, ShownState>()
  /** number of changes since the last `take` */
  #fresh = 0
  #takesBehind = 0
  /** public ids of removed checks */
  #removed: string[] = []

  get isEmpty(): boolean {
    return this.#turned.size === 0 && this.#changed.size === 0 && this.#removed.length === 0
  }

  /** True if checks change faster than their changes can be sent. */
  get isBehind(): boolean {
    return this.#takesBehind >= BEHIND_AFTER
  }

  add(checkId: string, before: ShownState | null, after: ShownState): void {
    this.#fresh += 1
    if (this.#turned.has(checkId)) return
    if (before === after) {
      this.#changed.set(checkId, after)
    } else {
      this.#changed.delete(checkId)
      this.#turned.set(checkId, before)
    }
  }

  remove(checkId: string, publicId: string): void {
    this.#turned.delete(checkId)
    this.#changed.delete(checkId)
    this.#removed.push(publicId)
  }

  clear(): void {
    this.#turned.clear()
    this.#changed.clear()
    this.#fresh = 0
  }

  /**
   * Removes and returns the changes to send now. Checks whose state changed come first. If checks change faster than they can be
   * sent, the other checks are held back, because their rows would immediately be out of date again.
   * @param limit maximum number of checks
   */
  take(limit: number): { readonly rows: readonly SentRow[]; readonly removed: readonly string[] } {
    const rows = takeFrom(this.#turned, limit)
    if (this.#fresh <= limit) rows.push(...takeFrom(this.#changed, limit - rows.length))
    this.#fresh = 0
    this.#takesBehind = this.#turned.size + this.#changed.size > 0 ? this.#takesBehind + 1 : 0
    const removed = this.#removed
    this.#removed = []
    return { rows, removed }
  }
}

function takeFrom(waiting: Map<string, ShownState | null>, limit: number): SentRow[] {
  const taken = [...waiting].slice(0, limit).map(([checkId, was]) => ({ checkId, was }))
  for (const { checkId } of taken) waiting.delete(checkId)
  return taken
}
