/**
 * Watches one number per project, such as the number of checks that are down. Changed numbers are reread at most once a second, and then
 * sent to the readers.
 */

const EVERY_MS = 1_000

interface Watcher {
  readonly projectIds: readonly string[]
  readonly onChange: (numbers: ReadonlyMap<string, number>) => void
  /** true once the watcher has received the numbers for all of its projects */
  isTold: boolean
}

interface ProjectCountsOptions {
  /** @returns the numbers, in the order of `projectIds` */
  readonly read: (projectIds: readonly string[]) => Promise<readonly number[]>
  readonly onError: (error: unknown) => void
}

export class ProjectCounts {
  readonly #options: ProjectCountsOptions
  /** watchers by project; none of the sets is empty */
  readonly #watchers = new Map<string, Set<Watcher>>()
  /** last known numbers of the watched projects */
  readonly #known = new Map<string, number>()
  /** watched projects whose number must be reread */
  readonly #stale = new Set<string>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #reading: Promise<void> | null = null

  constructor(options: ProjectCountsOptions) {
    this.#options = options
  }

  /**
   * @param onChange called first with the numbers of all projects, then with changed numbers
   * @returns a function that stops watching
   */
  watch(projectIds: readonly string[], onChange: Watcher['onChange']): () => void {
    const watcher = { projectIds, onChange, isTold: false }
    for (const id of projectIds) {
      const ofProject = this.#watchers.get(id)
      if (ofProject) ofProject.add(watcher)
      else this.#watchers.set(id, new Set([watcher]))
      if (!this.#known.has(id)) this.#stale.add(id)
    }
    if (!projectIds.some((id) => this.#stale.has(id))) this.#tell(watcher, new Set())
    this.#schedule()
    return () => {
      for (const id of projectIds) this.#leave(id, watcher)
    }
  }

  /** Records that the project's number may have changed. */
  change(projectId: string): void {
    if (!this.#watchers.has(projectId)) return
    this.#stale.add(projectId)
    this.#schedule()
  }

  changeAll(): void {
    for (const id of this.#watchers.keys()) this.change(id)
  }

  /** Rereads the numbers that may have changed, and sends those that have. */
  async update(): Promise<void> {
    if (this.#reading) await this.#reading
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null
      this.#schedule()
    })
    await this.#reading
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#watchers.clear()
    this.#known.clear()
    this.#stale.clear()
  }

  /** Drops a project that is no longer watched, because its changes are no longer reported. */
  #leave(projectId: string, watcher: Watcher): void {
    const ofProject = this.#watchers.get(projectId)
    ofProject?.delete(watcher)
    if (ofProject?.size !== 0) return
    this.#watchers.delete(projectId)
    this.#known.delete(projectId)
    this.#stale.delete(projectId)
    if (this.#watchers.size === 0) this.close()
  }

  async #read(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const ids = [...this.#stale]
    this.#stale.clear()
    if (ids.length === 0) return
    const numbers = await this.#options.read(ids)
    const changed = new Set<string>()
    for (const [index, id] of ids.entries()) {
      if (!this.#watchers.has(id)) continue
      const number = numbers[index] ?? 0
      if (this.#known.get(id) !== number) changed.add(id)
      this.#known.set(id, number)
    }
    const concerned = new Set(ids.flatMap((id) => [...(this.#watchers.get(id) ?? [])]))
    for (const watcher of concerned) this.#tell(watcher, changed)
  }

  #tell(watcher: Watcher, changed: ReadonlySet<string>): void {
    const { projectIds, onChange, isTold } = watcher
    const told = projectIds.flatMap((id) => {
      const number = this.#known.get(id)
      return number !== undefined && (!isTold || changed.has(id)) ? [[id, number] as const] : []
    })
    if (told.length === 0 || (!isTold && told.length < projectIds.length)) return
    watcher.isTold = true
    onChange(new Map(told))
  }

  #schedule(): void {
    if (this.#stale.size === 0 || this.#reading) return
    this.#timer ??= setTimeout(() => this.update().catch(this.#options.onError), EVERY_MS)
  }
}
