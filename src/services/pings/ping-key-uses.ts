/** Records which checks are pinged with which ping key, so that people see which jobs still use a key before it is revoked. */

import { LRUCache } from 'lru-cache'
import { isUseStale } from '../../domain/project.ts'
import { atMost } from '../../lib/caches/at-most.ts'
import type { Instant } from '../../lib/time.ts'
import { inBatches } from '../../lib/work/batches.ts'
import type { PingKeyUse } from '../../store/store.ts'
import type { Deps } from '../common/deps.ts'

/** Pairs of key and slug that are remembered. With more, uses are written more often than necessary. */
const USES_KNOWN = 30_000
/** Most uses that wait for the next write; further ones are recorded by a later ping. */
const USES_WAITING = 1_000
/** Seconds from the first waiting use to the write. */
const WRITTEN_AFTER_SECONDS = 10
/** Uses per write, which takes a few milliseconds. */
const WRITTEN_AT_ONCE = 100

export class PingKeyUses {
  readonly #deps: Pick<Deps, 'store' | 'background'>
  /** the last recorded use, by key and slug */
  readonly #known = new LRUCache<string, Instant>(atMost(USES_KNOWN))
  /** waiting uses by key and slug */
  #waiting = new Map<string, PingKeyUse>()
  #isWriting = false

  constructor(deps: Pick<Deps, 'store' | 'background'>) {
    this.#deps = deps
  }

  /** Records a ping that has reached its check, once in five minutes for each key and slug. Nothing waits for the write. */
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

  /** Writes waiting uses. If that fails, they wait for the write after the next recorded ping. */
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
