/**
 * Tells whether writes have changed what is shown of checks, without reading the checks. Counts in memory, so it begins
 * anew with each process; writes of other processes are noticed by the engine's own counter.
 */

/** What a write has changed. */
export interface Changes {
  /** the projects of which some check is not as it was */
  readonly projectIds: Iterable<string>
  /** false when only pings were counted and dated: then no stored status is another one */
  readonly statuses: boolean
}

/** What a write hands back, and what it has changed. */
export interface Changing<Result> {
  readonly result: Result
  readonly changes: Changes
}

export class Revisions {
  #ofAll = 0
  #ofStatuses = 0
  readonly #ofProjects = new Map<string, number>()
  readonly #readForeignCommits: () => Promise<number>

  /** @param readForeignCommits a number that changes whenever another process has written */
  constructor(readForeignCommits: () => Promise<number>) {
    this.#readForeignCommits = readForeignCommits
  }

  /** To be called when the write is committed: who reads in between is told of it once too often, never too late. */
  changed({ projectIds, statuses }: Changes): void {
    for (const id of projectIds) this.#ofProjects.set(id, (this.#ofProjects.get(id) ?? 0) + 1)
    if (statuses) this.#ofStatuses += 1
  }

  allChanged(): void {
    this.#ofAll += 1
    // Whoever holds an older revision sees the change by the first number.
    this.#ofProjects.clear()
  }

  async ofProject(projectId: string): Promise<string> {
    return `${this.#ofAll}.${this.#ofProjects.get(projectId) ?? 0}.${await this.#readForeignCommits()}`
  }

  async ofStatuses(): Promise<string> {
    return `${this.#ofAll}.${this.#ofStatuses}.${await this.#readForeignCommits()}`
  }
}
