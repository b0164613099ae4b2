/**
 * Tells which checks of a project writes have changed, without reading them. Kept in memory, so it begins anew with each
 * process; that another process has written is told by the engine's own counter, and then every check may have changed.
 */
import type { ProjectChanges, Revision } from './store.ts'

/** What a write has changed. */
export interface Changes {
  /** checks that were pinged or judged, by project, some perhaps more than once */
  readonly touched: ReadonlyMap<string, readonly string[]>
  /** projects in which a check was made, edited or deleted */
  readonly edited: ReadonlySet<string>
  /** false when only pings were counted and dated: then no stored status is another one */
  readonly statuses: boolean
}

export const NO_CHANGES: Changes = { touched: new Map(), edited: new Set(), statuses: false }

/** Notes that a check was pinged or judged. */
export function touch(touched: Map<string, string[]>, projectId: string, checkId: string): void {
  const known = touched.get(projectId)
  if (known) known.push(checkId)
  else touched.set(projectId, [checkId])
}

/** What a write hands back, and what it has changed. */
export interface Changing<Result> {
  readonly result: Result
  readonly changes: Changes
}

/** Beyond that it is as if all had changed. */
const TOUCHED_KEPT = 2_000

/** What is known of a project that somebody has asked for. */
class Followed {
  edits = 0
  touches = 0
  /** By check the number of its last touch; the oldest first. */
  readonly #touched = new Map<string, number>()

  edit(): void {
    this.edits += 1
    this.#touched.clear()
  }

  touch(checkId: string): void {
    this.touches += 1
    // Taken out first: a Map keeps the order of insertion.
    this.#touched.delete(checkId)
    this.#touched.set(checkId, this.touches)
    if (this.#touched.size > TOUCHED_KEPT) this.edit()
  }

  touchedSince(touches: number): string[] {
    return [...this.#touched].filter(([, touch]) => touch > touches).map(([checkId]) => checkId)
  }
}

export class Revisions {
  #ofAll = 0
  #ofStatuses = 0
  /** Only these cost anything: most projects are never listed. */
  readonly #followed = new Map<string, Followed>()
  readonly #readForeignCommits: () => Promise<number>

  /** @param readForeignCommits a number that changes whenever another process has written */
  constructor(readForeignCommits: () => Promise<number>) {
    this.#readForeignCommits = readForeignCommits
  }

  /** To be called when the write is committed: who reads in between is told of it once too often, never too late. */
  changed({ touched, edited, statuses }: Changes): void {
    for (const projectId of edited) this.#followed.get(projectId)?.edit()
    for (const [projectId, checkIds] of touched) {
      const followed = this.#followed.get(projectId)
      if (followed) for (const checkId of checkIds) followed.touch(checkId)
    }
    if (statuses) this.#ofStatuses += 1
  }

  allChanged(): void {
    this.#ofAll += 1
  }

  /** @param since null: nothing is known yet */
  async ofProject(projectId: string, since: Revision | null): Promise<ProjectChanges> {
    const foreign = await this.#readForeignCommits()
    const followed = this.#follow(projectId)
    const revision = { edits: `${this.#ofAll}.${followed.edits}.${foreign}`, touches: followed.touches }
    const isComparable = since?.edits === revision.edits
    return { revision, checkIds: isComparable ? followed.touchedSince(since.touches) : null }
  }

  async ofStatuses(): Promise<string> {
    return `${this.#ofAll}.${this.#ofStatuses}.${await this.#readForeignCommits()}`
  }

  #follow(projectId: string): Followed {
    const known = this.#followed.get(projectId)
    if (known) return known
    const followed = new Followed()
    this.#followed.set(projectId, followed)
    return followed
  }
}
