/**
 * Tracks which of a project's checks have changed, without reading them. The data is kept in memory only, so it is empty when a process
 * starts. The database reports which checks other processes have pinged. It also reports whether they have written anything else, in which
 * case every check may have changed.
 */
import type { WatchedCheck } from '../../domain/check/check.ts'
import type { OthersRevision, ProjectChanges, Revision } from '../interface/changes.ts'
import type { Shown, TouchedCheck, WritesOfOthers } from '../sql/database.ts'
import { createJoined } from './joined.ts'

/** Changes made by a write. */
export interface Changes {
  /** checks that were pinged or judged, by project; may contain duplicates */
  readonly touched: ReadonlyMap<string, readonly string[]>
  /** checks that were created, edited or deleted, by project */
  readonly edited: ReadonlyMap<string, readonly string[]>
  /** returns the state that was written for a touched check; undefined for other checks */
  readonly stateOf: (checkId: string) => WatchedCheck | undefined
  /** touched checks whose stored status has changed */
  readonly flipped: ReadonlySet<string>
  /** true if a stored status may have changed; false if pings changed only counters and timestamps */
  readonly statuses: boolean
}

export const NO_CHANGES: Changes = {
  touched: new Map(),
  edited: new Map(),
  stateOf: () => undefined,
  flipped: new Set(),
  statuses: false,
}

/**
 * Returns the changes made by a write that has edited checks.
 * @param checkIds checks that were created, edited or deleted, by project; may be empty
 */
export function editsOf(checkIds: readonly (readonly [projectId: string, checkIds: readonly string[]])[]): Changes {
  const edited = new Map(checkIds.filter(([, ids]) => ids.length > 0))
  return { ...NO_CHANGES, edited, statuses: edited.size > 0 }
}

/** Returns the checks that were flipped or edited. */
export function changedChecks({ touched, edited, flipped }: Changes): TouchedCheck[] {
  const told = (checks: ReadonlyMap<string, readonly string[]>, isTold: (id: string) => boolean) =>
    Array.from(checks, ([projectId, ids]) => ids.filter(isTold).map((checkId) => ({ projectId, checkId }))).flat()
  return [...told(touched, (id) => flipped.has(id)), ...told(edited, () => true)]
}

/** Returns which data other processes must reread. @param isLogged whether each touched check was pinged and therefore is in the log */
export function shownBy({ touched, edited }: Changes, isLogged: boolean): Shown {
  if (edited.size > 0 || (touched.size > 0 && !isLogged)) return 'anything'
  return touched.size > 0 ? 'pings' : 'nothing'
}

/** Records that a check was pinged, judged or edited. */
export function touch(noted: Map<string, string[]>, projectId: string, checkId: string): void {
  const known = noted.get(projectId)
  if (known) known.push(checkId)
  else noted.set(projectId, [checkId])
}

/** The result of a write, and the changes that the write made. */
export interface Changing<Result> {
  readonly result: Result
  readonly changes: Changes
}

/** Maximum number of touched checks to remember. If more checks change, all checks count as changed. */
const TOUCHED_KEPT = 2_000

/** The changes in a project whose checks were listed before. */
class Followed {
  edits = 0
  touches = 0
  /** sequence number of each check's last touch, oldest first */
  readonly #touched = new Map<string, number>()

  edit(): void {
    this.edits += 1
    this.#touched.clear()
  }

  touch(checkId: string): void {
    this.touches += 1
    // Deletes the key first, because a Map keeps insertion order.
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
  #ofAccess = 0
  /** other processes' last known edits */
  #others = ''
  /** projects that are tracked because they were listed */
  readonly #followed = new Map<string, Followed>()
  /** reads other processes' writes; the result includes everything that was committed before the call */
  readonly ofOthers: () => Promise<OthersRevision>

  /**
   * @param readOthers see `Database`
   * @param onPinged called with the checks that other processes have pinged, by project, before these checks count as changed
   */
  constructor(
    readOthers: () => Promise<WritesOfOthers>,
    onPinged: (touched: ReadonlyMap<string, readonly string[]>) => void = () => {},
  ) {
    this.ofOthers = createJoined(async () => {
      const { writes, edits, pinged } = await readOthers()
      const touched = new Map<string, string[]>()
      for (const { projectId, checkId } of pinged) touch(touched, projectId, checkId)
      if (touched.size > 0) onPinged(touched)
      this.#touch(touched)
      this.#others = edits
      return { writes, edits }
    })
  }

  /** Records changes. Call this method after the commit. A concurrent reader may get a change twice, but never misses one. */
  changed({ touched, edited, statuses }: Changes): void {
    for (const projectId of edited.keys()) this.#followed.get(projectId)?.edit()
    this.#touch(touched)
    if (statuses) this.#ofStatuses += 1
  }

  allChanged(): void {
    this.#ofAll += 1
  }

  accessChanged(): void {
    this.#ofAccess += 1
  }

  /** @param since null for the first call */
  async ofProject(projectId: string, since: Revision | null): Promise<ProjectChanges> {
    await this.ofOthers()
    const revision = this.nowOfProject(projectId)
    const isComparable = since?.edits === revision.edits
    return { revision, checkIds: isComparable ? this.#follow(projectId).touchedSince(since.touches) : null }
  }

  /** Returns the current revision. Includes writes of other processes only if they were known at the last read. */
  nowOfProject(projectId: string): Revision {
    const { edits, touches } = this.#follow(projectId)
    return { edits: `${this.#ofAll}.${edits}.${this.#others}`, touches }
  }

  /** Returns the revision of statuses, without other processes' writes. */
  nowOfStatuses(): string {
    return `${this.#ofAll}.${this.#ofStatuses}`
  }

  nowOfAccess(): string {
    return `${this.#ofAccess}.${this.#others}`
  }

  #touch(touched: Changes['touched']): void {
    for (const [projectId, checkIds] of touched) {
      const followed = this.#followed.get(projectId)
      if (followed) for (const checkId of checkIds) followed.touch(checkId)
    }
  }

  #follow(projectId: string): Followed {
    const known = this.#followed.get(projectId)
    if (known) return known
    const followed = new Followed()
    this.#followed.set(projectId, followed)
    return followed
  }
}
