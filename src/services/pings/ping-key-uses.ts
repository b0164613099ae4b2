/** Which checks are pinged with which ping key, so that one sees which jobs still use a key before it is revoked. */

import { LRUCache } from 'lru-cache'
import { isUseStale } from '../../domain/project.ts'
import { atMost } from '../../lib/caches/at-most.ts'
import type { Instant } from '../../lib/time.ts'
import { inBatches } from '../../lib/work/batches.ts'
import type { PingKeyUse } from '../../store/store.ts'
import type { Deps } from '../common/deps.ts'

/** Of more pairs of key and slug than these, uses are written more often than they need to be. */
const USES_KNOWN = 30_000
/** So many wait for the next write; further ones are noted by a later ping. */
const USES_WAITING = 1_000
/** From the first that waits to the write. */
const WRITTEN_AFTER_SECONDS = 10
/** A write of so many takes few milliseconds. */
const WRITTEN_AT_ONCE = 100

export class PingKeyUses {
  readonly #deps: Pick<Deps, 'store' | 'background'>
  /** the last use that was noted, by key and slug */
  readonly #known = new LRUCache<string, Instant>(atMost(USES_KNOWN))
  /** by key and slug */
  #waiting = new Map<string, PingKeyUse>()
  #isWriting = false

  constructor(deps: Pick<Deps, 'store' | 'background'>) {
    this.#deps = deps
  }

  /** Notes a ping that has reached its check, once in five minutes for each key and slug. Nothing waits for the write. */
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

  /** What cannot be written waits for the write after the next ping that is noted. */
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
