/**
 * Tracks which checks of a project have changed, without reading them. It is in memory and starts empty with each process.
 * The database tells whether another process has written; then every check may have changed.
 */
import type { ProjectChanges, Revision } from './store.ts'

/** What a write has changed. */
export interface Changes {
  /** by project, the checks that were pinged or judged; may contain duplicates */
  readonly touched: ReadonlyMap<string, readonly string[]>
  /** projects in which a check was created, edited or deleted */
  readonly edited: ReadonlySet<string>
  /** true if a stored status may have changed; false if pings changed only counters and times */
  readonly statuses: boolean
}

export const NO_CHANGES: Changes = { touched: new Map(), edited: new Set(), statuses: false }

/** Notes that a check was pinged or judged. */
export function touch(touched: Map<string, string[]>, projectId: string, checkId: string): void {
  const known = touched.get(projectId)
  if (known) known.push(checkId)
  else touched.set(projectId, [checkId])
}

/** What a write returns, and what it has changed. */
export interface Changing<Result> {
  readonly result: Result
  readonly changes: Changes
}

/** If more checks change, all count as changed. */
const TOUCHED_KEPT = 2_000

/** The changes of a project that was asked for before. */
class Followed {
  edits = 0
  touches = 0
  /** The number of each check's last touch, oldest first. */
  readonly #touched = new Map<string, number>()

  edit(): void {
    this.edits += 1
    this.#touched.clear()
  }

  touch(checkId: string): void {
    this.touches += 1
    // Deleted first, because a Map keeps the order of insertion.
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
  /** Projects that are never listed are not tracked. */
  readonly #followed = new Map<string, Followed>()
  readonly #revisionOfOthers: () => Promise<string>

  /** @param revisionOfOthers see `Database`: changes whenever another process has written */
  constructor(revisionOfOthers: () => Promise<string>) {
    this.#revisionOfOthers = revisionOfOthers
  }

  /** Call it after the commit: a reader in between may be told of the change twice, but never too late. */
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

  /** @param since null on the first call */
  async ofProject(projectId: string, since: Revision | null): Promise<ProjectChanges> {
    const others = await this.#revisionOfOthers()
    const followed = this.#follow(projectId)
    const revision = { edits: `${this.#ofAll}.${followed.edits}.${others}`, touches: followed.touches }
    const isComparable = since?.edits === revision.edits
    return { revision, checkIds: isComparable ? followed.touchedSince(since.touches) : null }
  }

  async ofStatuses(): Promise<string> {
    return `${this.#ofAll}.${this.#ofStatuses}.${await this.#revisionOfOthers()}`
  }

  #follow(projectId: string): Followed {
    const known = this.#followed.get(projectId)
    if (known) return known
    const followed = new Followed()
    this.#followed.set(projectId, followed)
    return followed
  }
}
