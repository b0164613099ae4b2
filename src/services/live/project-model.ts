/**
 * A watched project. Its checks are read once, and afterwards change through commits and because time passes. An update contains the
 * changes since the previous update. A single timer triggers both the updates and the time-based changes.
 */
import type { WatchedCheck } from '../../domain/check/check.ts'
import type { Fingerprint } from '../../domain/check/fingerprint.ts'
import type { StandingCounts } from '../../domain/list/check-list.ts'
import type { Instant } from '../../lib/time.ts'
import type { Deps } from '../common/deps.ts'
import type { LiveCheck, ProjectUpdate } from '../common/ports/live-update.ts'
import { LiveChecks } from './live-checks.ts'
import { LiveQuietHours } from './live-quiet-hours.ts'
import { LiveSilences } from './live-silences.ts'
import { NextUpdate } from './next-update.ts'
import { type Reread, readAll, readSome } from './rereads.ts'

/** Maximum delay of the timer, in milliseconds. The clock may be changed, and the platform's timers have a maximum delay. */
const TIMER_LIMIT_MS = 60_000

type ModelDeps = Pick<Deps, 'store' | 'now' | 'stopwatch'>

export interface Pace {
  /** minimum time between two updates, in milliseconds */
  readonly pauseMs: number
  /** maximum number of checks in an update */
  readonly rows: number
  /** pause before all checks are reread, as a multiple of the time that the last read took */
  readonly rest: number
}

interface ModelOptions {
  readonly pace: () => Pace
  /** @returns the position for a reader that has received everything up to now @param seen the fingerprint for such a reader */
  readonly position: (seen: Fingerprint) => string
  readonly onUpdate: (update: ProjectUpdate) => void
  readonly onError: (error: unknown) => void
}

export class ProjectModel {
  readonly #deps: ModelDeps
  readonly #projectId: string
  readonly #options: ModelOptions
  readonly #checks: LiveChecks
  readonly #silences: LiveSilences
  /** time up to which the starts and ends of silences have been reported */
  #silencesToldAt: Instant
  readonly #quietHours: LiveQuietHours
  /** true if integrations may have changed */
  #mustReadQuietHours = false
  readonly #next: NextUpdate
  /** values that commits have written since the last update */
  #written = new Map<string, WatchedCheck>()
  /** ids of the checks to reread */
  #edited = new Set<string>()
  /** ids of checks whose related data has changed, such as alerts */
  #noted = new Set<string>()
  #hasAlertNews = false
  #mustReadAll = false
  /** stopwatch time before which the checks are not reread, in milliseconds */
  #readAllAt = Number.NEGATIVE_INFINITY
  #timer: ReturnType<typeof setTimeout> | undefined
  /** true if the timer is set for changes that are already known, rather than for time-based changes */
  #isDue = false
  /** stopwatch time of the last update, in milliseconds */
  #updatedAt = Number.NEGATIVE_INFINITY
  #updating: Promise<void> | null = null
  #isClosed = false
  /** Resolves when the checks have been read. */
  readonly ready: Promise<void>

  constructor(deps: ModelDeps, projectId: string, options: ModelOptions) {
    this.#deps = deps
    this.#projectId = projectId
    this.#options = options
    this.#checks = new LiveChecks((...change) => this.#next.add(...change))
    this.#silences = new LiveSilences(projectId)
    this.#silencesToldAt = deps.now()
    this.#quietHours = new LiveQuietHours(projectId)
    this.#next = new NextUpdate(projectId, this.#checks)
    this.ready = this.#read()
  }

  get counts(): StandingCounts {
    return this.#checks.counts
  }

  /** The fingerprint for a reader that has received all updates. */
  get seen(): Fingerprint {
    return this.#checks.seen
  }

  /** True if readers have received everything. */
  get isSettled(): boolean {
    return this.#isSeen && !this.#mustReadAll && this.#next.isEmpty
  }

  get #isSeen(): boolean {
    return this.#written.size === 0 && this.#edited.size === 0 && this.#noted.size === 0 && !this.#hasAlertNews
  }

  /** Records that a commit has written to the checks. Checks whose written values are unknown are reread. */
  touch(checkIds: readonly string[], stateOf: (checkId: string) => WatchedCheck | undefined): void {
    for (const id of checkIds) {
      const written = stateOf(id)
      if (written) this.#written.set(id, written)
      else this.#edited.add(id)
    }
    this.#schedule()
  }

  /** Records that checks were created, edited or deleted. */
  edit(checkIds: readonly string[]): void {
    for (const id of checkIds) this.#edited.add(id)
    this.#schedule()
  }

  /**
   * Records that alerts or integrations have changed.
   * @param checkId the check that the alert belongs to; null if the change is not limited to one check
   */
  note(checkId: string | null): void {
    if (checkId === null) this.#mustReadQuietHours = true
    else if (this.#checks.get(checkId) !== undefined) this.#noted.add(checkId)
    this.#hasAlertNews = true
    this.#schedule()
  }

  /** Records that every check may have changed. */
  readAgain(): void {
    this.#mustReadAll = true
    this.#schedule()
  }

  /** Reads all checks now, regardless of when they were last read, and reports changes. */
  async refresh(): Promise<void> {
    this.#mustReadAll = true
    this.#readAllAt = Number.NEGATIVE_INFINITY
    await this.update()
  }

  /** Includes the current state of the checks in the next update, even if it has not changed. */
  repeat(checkIds: Iterable<string>): void {
    this.#addAgain(checkIds)
    this.#schedule()
  }

  /** See {@link LiveChecks.pick}. */
  pick(checkIds: Iterable<string>): LiveCheck[] {
    return this.#checks.pick(checkIds)
  }

  /**
   * Returns the ids of checks that have become late, slow or down since the given time without a commit, or whose silence has begun or
   * ended since then.
   */
  turnedSince(since: Instant): string[] {
    return [...this.#checks.turnedSince(since), ...this.#silencedSince(since, this.#deps.now())]
  }

  /** See {@link LiveChecks.activeSince}. */
  activeSince(since: Instant): string[] {
    return this.#checks.activeSince(since)
  }

  /** Collects changes now, including time-based changes, and reports them. */
  async update(): Promise<void> {
    await this.#updating
    this.#updating ??= this.#update().finally(() => {
      this.#updating = null
      this.#schedule()
    })
    await this.#updating
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
  }

  /** Sets the timer. A commit may affect many projects, so this call is cheap if the timer is already set for the next update. */
  #schedule(): void {
    if (this.#isDue || this.#isClosed || this.#updating) return
    this.#isDue = !this.#isSeen || !this.#next.isEmpty
    const elapsed = this.#deps.stopwatch() * 1000
    const next = Math.min(this.#checks.next, this.#silences.next, this.#quietHours.next)
    const inTime = next - this.#deps.now().epochMilliseconds
    const due = this.#isDue ? 0 : Math.min(inTime, this.#mustReadAll ? this.#readAllAt - elapsed : TIMER_LIMIT_MS)
    const pause = this.#updatedAt + this.#options.pace().pauseMs - elapsed
    const delay = Math.min(Math.max(due, pause, 0), TIMER_LIMIT_MS)
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.update().catch(this.#options.onError), delay)
  }

  async #read(): Promise<void> {
    await this.#readAll(new Set())
    this.#next.begin()
    this.#schedule()
  }

  async #update(): Promise<void> {
    await this.ready
    this.#isDue = false
    this.#updatedAt = this.#deps.stopwatch() * 1000
    const at = this.#deps.now()
    const hasAlertNews = this.#quietHours.passTime(at) || this.#hasAlertNews
    this.#hasAlertNews = false
    const touched = this.#takeWritten()
    if (this.#checks.next <= at.epochMilliseconds) this.#checks.passTime(at)
    this.#passSilences(at)
    if (this.#mustReadAll && this.#updatedAt >= this.#readAllAt) await this.#readAll(touched)
    if (this.#edited.size > 0) await this.#readEdited(touched)
    if (this.#mustReadQuietHours) await this.#readQuietHours()
    if (!this.#isClosed) this.#tell(touched, hasAlertNews)
  }

  #takeWritten(): Set<string> {
    const at = this.#deps.now()
    const written = this.#written
    this.#written = new Map()
    for (const [id, check] of written) this.#checks.write(id, check, at)
    const touched = new Set([...written.keys(), ...this.#noted])
    this.#addAgain(this.#noted)
    this.#noted = new Set()
    return touched
  }

  /** Reports the checks whose silence has begun or ended. */
  #passSilences(at: Instant): void {
    if (this.#silences.next <= at.epochMilliseconds) {
      this.#addAgain(this.#silencedSince(this.#silencesToldAt, at))
      this.#silences.passTime(at)
    }
    this.#silencesToldAt = at
  }

  #silencedSince(since: Instant, at: Instant): string[] {
    return this.#silences.turnedSince(since, at, this.#checks.all())
  }

  #addAgain(checkIds: Iterable<string>): void {
    for (const id of checkIds) {
      const state = this.#checks.get(id)?.state
      if (state) this.#next.add(id, state, state)
    }
  }

  async #readAll(touched: Set<string>): Promise<void> {
    this.#mustReadAll = false
    const { stopwatch } = this.#deps
    const began = stopwatch() * 1000
    await this.#silences.readAll(this.#deps, this.#silencesToldAt)
    await this.#readQuietHours()
    this.#addRead(await readAll(this.#deps, this.#projectId, this.#checks, () => this.#isClosed), touched)
    const elapsed = stopwatch() * 1000
    this.#readAllAt = elapsed + this.#options.pace().rest * (elapsed - began)
  }

  async #readEdited(touched: Set<string>): Promise<void> {
    const ids = [...this.#edited]
    this.#edited = new Set()
    // The start or end of a silence counts as an edit of its checks.
    await this.#silences.read(this.#deps, ids, this.#silencesToldAt)
    this.#addRead(await readSome(this.#deps, this.#projectId, this.#checks, ids), touched)
  }

  async #readQuietHours(): Promise<void> {
    this.#mustReadQuietHours = false
    await this.#quietHours.read(this.#deps, this.#deps.now())
  }

  #addRead({ changed, gone }: Reread, touched: Set<string>): void {
    for (const id of [...changed, ...gone]) touched.add(id)
    for (const id of gone) {
      const publicId = this.#checks.remove(id)
      if (publicId !== null) this.#next.remove(id, publicId)
    }
  }

  #tell(touched: Set<string>, hasAlertNews: boolean): void {
    const update = this.#next.take({
      at: this.#deps.now(),
      touched,
      hasAlertNews,
      rows: this.#options.pace().rows,
      position: () => (this.isSettled ? this.#options.position(this.seen) : null),
    })
    if (update) this.#options.onUpdate(update)
  }
}
