/** When ping keys were last used, so that one sees whether jobs still use a key before it is revoked. */
import { isUseStale } from '../domain/project.ts'
import { BoundedCache } from '../lib/bounded-cache.ts'
import type { Instant } from '../lib/time.ts'
import type { Deps } from './deps.ts'

/** Of more keys than these, uses are written more often than they need to be. */
const KEYS_NOTED = 1_000

export class PingKeyUses {
  readonly #deps: Pick<Deps, 'store' | 'background'>
  /** what this process has written, by key */
  readonly #noted = new BoundedCache<Instant>(KEYS_NOTED)

  constructor(deps: Pick<Deps, 'store' | 'background'>) {
    this.#deps = deps
  }

  /** Writes once in five minutes, and nothing waits for that. @param pingKey one that a project has */
  note(pingKey: string, at: Instant): void {
    if (!isUseStale({ lastUsedAt: this.#noted.find(pingKey) ?? null }, at)) return
    this.#noted.set(pingKey, at)
    const { store, background } = this.#deps
    background.run(() => store.touchKey(pingKey, at).catch(() => {}))
  }
}
