/** Numbers of checks that are down, of the projects of all readers. They are read again after flips, at most once a second. */
import type { Store } from '../../store/store.ts'

const EVERY_MS = 1_000

interface Watcher {
  readonly projectIds: ReadonlySet<string>
  readonly onChange: (down: ReadonlyMap<string, number>) => void
}

export interface DownCountsDeps {
  readonly store: Pick<Store, 'countDown'>
}

export interface DownCountsOptions {
  readonly onError: (error: unknown) => void
}

export class DownCounts {
  readonly #deps: DownCountsDeps
  readonly #options: DownCountsOptions
  readonly #watchers = new Set<Watcher>()
  /** as last read, of projects that are watched */
  readonly #known = new Map<string, number>()
  readonly #stale = new Set<string>()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(deps: DownCountsDeps, options: DownCountsOptions) {
    this.#deps = deps
    this.#options = options
  }

  /**
   * @param onChange called with the numbers of those projects: first with all, then with those that have changed
   * @returns ends it
   */
  watch(projectIds: readonly string[], onChange: Watcher['onChange']): () => void {
    const watcher = { projectIds: new Set(projectIds), onChange }
    this.#watchers.add(watcher)
    for (const id of projectIds) if (!this.#known.has(id)) this.#stale.add(id)
    const known = projectIds.flatMap((id) => (this.#known.has(id) ? [[id, this.#known.get(id) ?? 0] as const] : []))
    if (known.length > 0) onChange(new Map(known))
    this.#arm()
    return () => {
      this.#watchers.delete(watcher)
      if (this.#watchers.size === 0) this.close()
    }
  }

  /** Statuses of checks of the project may have changed. */
  change(projectId: string): void {
    if (!this.#known.has(projectId)) return
    this.#stale.add(projectId)
    this.#arm()
  }

  changeAll(): void {
    for (const id of this.#known.keys()) this.change(id)
  }

  /** Reads what has changed and tells it. */
  async update(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const ids = [...this.#stale]
    this.#stale.clear()
    if (ids.length === 0) return
    const numbers = await this.#deps.store.countDown(ids)
    const changed = new Map<string, number>()
    const watched = new Set(Array.from(this.#watchers, ({ projectIds }) => [...projectIds]).flat())
    for (const [index, id] of ids.entries()) {
      // Its last reader may have left meanwhile. Nothing tells then that the number has changed.
      if (!watched.has(id)) continue
      const down = numbers[index] ?? 0
      if (this.#known.get(id) !== down) changed.set(id, down)
      this.#known.set(id, down)
    }
    for (const { projectIds, onChange } of this.#watchers) {
      const own = new Map([...changed].filter(([id]) => projectIds.has(id)))
      if (own.size > 0) onChange(own)
    }
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#known.clear()
    this.#stale.clear()
  }

  #arm(): void {
    if (this.#stale.size === 0) return
    this.#timer ??= setTimeout(() => this.update().catch(this.#options.onError), EVERY_MS)
  }
}
