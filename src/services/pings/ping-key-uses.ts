/** Records which checks are pinged with which ping key, so that members can see which jobs still use a key before they revoke it. */

import { LRUCache } from 'lru-cache'
import { isUseStale } from '../../domain/project.ts'
import { atMost } from '../../lib/caches/at-most.ts'
import type { Instant } from '../../lib/time.ts'
import { inBatches } from '../../lib/work/batches.ts'
import type { PingKeyUse } from '../../store/store.ts'
import type { Deps } from '../common/deps.ts'

/** Maximum number of key and slug pairs to remember. If there are more pairs, uses are written more often than necessary. */
const USES_KNOWN = 30_000
/** Maximum number of uses that are waiting to be written. Further uses are recorded with later pings. */
const USES_WAITING = 1_000
/** Seconds between the first unwritten use and the write. */
const WRITTEN_AFTER_SECONDS = 10
/** Number of uses per write. A write takes a few milliseconds. */
const WRITTEN_AT_ONCE = 100

export class PingKeyUses {
  readonly #deps: Pick<Deps, 'store' | 'background'>
  /** the last recorded use of each key and slug pair */
  readonly #known = new LRUCache<string, Instant>(atMost(USES_KNOWN))
  /** uses that have not been written yet, keyed by key and slug */
  #waiting = new Map<string, PingKeyUse>()
  #isWriting = false

  constructor(deps: Pick<Deps, 'store' | 'background'>) {
    this.#deps = deps
  }

  /**
   * Records a ping that has reached its check, at most once every five minutes for each key and slug. The caller does not wait for the
   * write.
   */
  note(pingKey: string, slug: string, at: Instant): void {
    const name = `${pingKey}/${slug}`
    if (!isUseStale({ lastUsedAt: this.#known.peek(name) ?? null }, at)) return
    if (this.#waiting.size < USES_WAITING) {
      this.#known.set(name, at)
      this.#waiting.set(name, { pingKey, slug, at })
    }
    if (this.#isWriting) return
    this.#isWriting = true
    this.#deps.background.runAfter(WRITTEN_AFTER_SECONDS, () => this.#write())
  }

  /** Writes the pending uses. If the write fails, they are written after the next recorded ping. */
  async #write(): Promise<void> {
    const uses = [...this.#waiting]
    this.#waiting = new Map()
    this.#isWriting = false
    for (const some of inBatches(uses, WRITTEN_AT_ONCE)) {
      try {
        await this.#deps.store.keys.notePingUses(some.map(([, use]) => use))
      } catch {
        for (const [name, use] of some) if (!this.#waiting.has(name)) this.#waiting.set(name, use)
      }
    }
  }
}
