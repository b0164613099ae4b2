/**
 * The hub of live pages. It keeps a project's checks in memory while at least one page is watching the project. Otherwise it does nothing.
 */
import type { Fingerprint } from '../../domain/check/fingerprint.ts'
import { Refusal } from '../../domain/errors.ts'
import { messageWithCause } from '../../lib/errors.ts'
import { Counts } from '../../lib/work/counts.ts'
import type { CommittedChange, TouchedCheck } from '../../store/store.ts'
import type { Deps } from '../common/deps.ts'
import type { LiveHub, Wanted } from '../common/ports/live.ts'
import { projectUpdate } from '../common/ports/live-update.ts'
import { Subscription } from '../common/ports/subscription.ts'
import { missedSince } from './catch-up.ts'
import { MenuCounts } from './menu-counts.ts'
import { paceOf } from './pace.ts'
import { readPosition, writePosition } from './position.ts'
import { ProjectModel } from './project-model.ts'

/**
 * How long checks stay in memory after the last reader has disconnected, in milliseconds, so that they are still available if the page is
 * reloaded.
 */
const KEPT_MS = 5_000

/** Milliseconds between reads of changes by other processes. Those processes report flips and edits immediately, but not every ping. */
const OTHERS_EVERY_MS = 500
/** Maximum age of displayed durations, in milliseconds. If many pages show durations, each page is updated less often. */
const AGED_EVERY_MS = 10_000
/**
 * Maximum number of pages per second whose displayed durations are updated, because the content has to be read separately for each page.
 */
const AGED_PER_SECOND = 20
/** Maximum number of streams per account. All streams share the capacity for live pages, so no single account may use most of it. */
const STREAMS_PER_ACCOUNT = 300

interface Watched {
  readonly model: ProjectModel
  readonly readers: Set<Subscription>
  dropping: ReturnType<typeof setTimeout> | undefined
}

type HubDeps = Pick<Deps, 'store' | 'now' | 'random' | 'stopwatch' | 'log'>

export class Hub implements LiveHub {
  readonly #deps: HubDeps
  /** Identifies this run of the program. Revisions from different runs cannot be compared. */
  readonly #run: string
  readonly #watched = new Map<string, Watched>()
  readonly #readers = new Set<Subscription>()
  readonly #aging = new Set<Subscription>()
  readonly #streams = new Counts()
  readonly #menu: MenuCounts
  #stopFeed: (() => void) | null = null
  /** last known revision of edits by other processes */
  #others: string | null = null
  #asking: ReturnType<typeof setTimeout> | undefined
  /** milliseconds since the UNIX epoch */
  #agedAt = 0
  #isClosed = false

  constructor(deps: HubDeps) {
    this.#deps = deps
    this.#run = deps.random.uuid().slice(0, 8)
    this.#menu = new MenuCounts(deps, (error) => this.#fail(error, this.#readers))
  }

  async position(projectId: string): Promise<(seen: Fingerprint) => string> {
    const { revision } = await this.#deps.store.changes.read(projectId, null)
    const at = this.#deps.now()
    return (seen) => writePosition({ run: this.#run, revision, at, seen })
  }

  async watch(wanted: Wanted): Promise<Subscription> {
    const { accountId, projectIds, since, wants } = wanted
    const endings = [this.#count(accountId)]
    const reader = new Subscription(wants, () => {
      this.#readers.delete(reader)
      this.#aging.delete(reader)
      for (const end of endings) end()
      this.#stopIfIdle()
    })
    if (this.#isClosed) {
      reader.close()
      return reader
    }
    this.#stopFeed ??= this.#deps.store.changes.watch((change) => this.#apply(change))
    this.#readers.add(reader)
    if (wanted.isAging) this.#addAging(reader)
    try {
      // The revision is read before the checks, so that later writes by other processes are detected.
      this.#others ??= (await this.#deps.store.changes.readRevisionOfOthers()).edits
      if (!this.#readers.has(reader)) return reader
      const watched = projectIds.map((id) => this.#join(id, reader, endings))
      endings.push(...this.#menu.watch(wanted, (update) => reader.push(update)))
      this.#askLater()
      await Promise.all(watched.map(({ model }) => model.ready))
      const [projectId] = projectIds
      if (since !== null && projectId !== undefined) await this.#catchUp(projectId, since, reader)
      return reader
    } catch (error) {
      reader.close()
      throw error
    }
  }

  async noticeOthers(changed: readonly TouchedCheck[] = []): Promise<void> {
    if (this.#readers.size === 0) return
    for (const { projectId, checkId } of changed) {
      const model = this.#watched.get(projectId)?.model
      model?.edit([checkId])
      model?.note(checkId)
    }
    try {
      const { edits } = await this.#deps.store.changes.readRevisionOfOthers()
      if (this.#others !== null && this.#others !== edits) this.#readAgain()
      this.#others = edits
    } catch (error) {
      // The database failure has already been logged, and the next run retries.
      if (!(error instanceof Refusal)) this.#fail(error, this.#readers)
    }
  }

  async tick(): Promise<void> {
    await Promise.all(Array.from(this.#watched.values(), ({ model }) => model.update()))
    await this.#menu.update()
    this.#age()
  }

  close(): void {
    this.#isClosed = true
    for (const reader of [...this.#readers]) reader.close()
    for (const projectId of [...this.#watched.keys()]) this.#drop(projectId)
  }

  /** @returns a function to call when the stream has ended @throws Refusal `busy` */
  #count(accountId: string): () => void {
    if (this.#streams.of(accountId) >= STREAMS_PER_ACCOUNT) {
      throw new Refusal('busy', 'you have too many pages open, close some of them')
    }
    return this.#streams.begin(accountId)
  }

  #join(projectId: string, reader: Subscription, endings: (() => void)[]): Watched {
    const watched = this.#watched.get(projectId) ?? this.#begin(projectId)
    clearTimeout(watched.dropping)
    watched.readers.add(reader)
    endings.push(() => {
      watched.readers.delete(reader)
      if (watched.readers.size > 0) return
      watched.dropping = setTimeout(() => this.#drop(projectId), KEPT_MS)
      watched.dropping.unref()
    })
    return watched
  }

  #askLater(): void {
    if (this.#readers.size === 0 || this.#asking !== undefined) return
    const timer = setTimeout(async () => {
      await this.noticeOthers()
      this.#age()
      if (this.#asking !== timer) return
      this.#asking = undefined
      this.#askLater()
    }, OTHERS_EVERY_MS)
    this.#asking = timer
  }

  #addAging(reader: Subscription): void {
    if (this.#aging.size === 0) this.#agedAt = this.#deps.now().epochMilliseconds
    this.#aging.add(reader)
  }

  #age(): void {
    const now = this.#deps.now().epochMilliseconds
    const pause = Math.max(AGED_EVERY_MS, (this.#aging.size * 1_000) / AGED_PER_SECOND)
    // The clock may have been set back.
    if (Math.abs(now - this.#agedAt) < pause) return
    this.#agedAt = now
    for (const reader of this.#aging) reader.push({ kind: 'aged' })
  }

  #begin(projectId: string): Watched {
    const readers = new Set<Subscription>()
    const onError = (error: unknown) => {
      this.#fail(error, readers)
      this.#drop(projectId)
    }
    const model = new ProjectModel(this.#deps, projectId, {
      pace: () => paceOf(this.#readers.size, this.#watched.size),
      position: (seen) => this.#positionNow(projectId, seen),
      onUpdate: (update) => {
        for (const reader of readers) reader.push(update)
      },
      onError,
    })
    model.ready.catch(onError)
    const watched: Watched = { model, readers, dropping: undefined }
    this.#watched.set(projectId, watched)
    return watched
  }

  #drop(projectId: string): void {
    const watched = this.#watched.get(projectId)
    if (!watched) return
    clearTimeout(watched.dropping)
    watched.model.close()
    this.#watched.delete(projectId)
    this.#stopIfIdle()
  }

  /** Stops listening for commits once there are no readers and no watched projects left. */
  #stopIfIdle(): void {
    if (this.#readers.size > 0 || this.#watched.size > 0) return
    this.#stopFeed?.()
    this.#stopFeed = null
    this.#others = null
    clearTimeout(this.#asking)
    this.#asking = undefined
  }

  #apply(change: CommittedChange): void {
    if (change.kind === 'checks') {
      for (const [projectId, ids] of change.touched) {
        this.#watched.get(projectId)?.model.touch(ids, change.stateOf)
        if (change.statuses) this.#menu.changeChecks(projectId)
        // If it is unknown how a check changed, its advice may have changed too.
        else if (ids.some((id) => change.stateOf(id) === undefined)) this.#menu.changeAdvice(projectId)
      }
      for (const [projectId, ids] of change.edited) {
        this.#watched.get(projectId)?.model.edit(ids)
        this.#menu.changeChecks(projectId)
      }
    } else if (change.kind === 'alerts') {
      this.#watched.get(change.projectId)?.model.note(change.checkId)
      this.#menu.changeAlerts(change.projectId)
    } else if (change.kind === 'all') {
      this.#readAgain()
    }
  }

  #readAgain(): void {
    for (const { model } of this.#watched.values()) model.readAgain()
    this.#menu.changeAll()
  }

  #positionNow(projectId: string, seen: Fingerprint): string {
    const { store, now } = this.#deps
    return writePosition({ run: this.#run, revision: store.changes.revisionOf(projectId), at: now(), seen })
  }

  async #catchUp(projectId: string, since: string, reader: Subscription): Promise<void> {
    const from = readPosition(since)
    const model = this.#watched.get(projectId)?.model
    if (!from || !model) return reader.push({ kind: 'unknown' })
    const { store, now } = this.#deps
    const known = from.run === this.#run ? (await store.changes.read(projectId, from.revision)).checkIds : null
    const ids = await missedSince(model, from, known)
    if (ids === null) return reader.push({ kind: 'unknown' })
    if (ids.size === 0) return
    const position = model.isSettled ? this.#positionNow(projectId, model.seen) : null
    const missed = { projectId, at: now(), position, checks: model.pick(ids), removed: [], touched: ids }
    reader.push(
      projectUpdate({
        ...{ ...missed, hasAlertNews: true, counts: model.counts, hasNewDoubts: true },
        ...{ isBehind: false, hasTurned: false },
      }),
    )
  }

  /** Ends streams after an error. The browsers will reconnect. */
  #fail(error: unknown, readers: ReadonlySet<Subscription>): void {
    if (readers.size > 0) this.#deps.log('warning', 'live pages were cut off', { reason: messageWithCause(error) })
    for (const reader of [...readers]) reader.close()
  }
}
