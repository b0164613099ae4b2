/** The hub of live pages. It keeps the checks of a project in memory while somebody watches it, and does nothing otherwise. */
import type { Seen } from '../../domain/check/seen.ts'
import { Refusal } from '../../domain/errors.ts'
import { Counts } from '../../lib/counts.ts'
import { messageWithCause } from '../../lib/errors.ts'
import type { CommittedChange, ToldCheck } from '../../store/store.ts'
import type { Deps } from '../deps.ts'
import { missedSince } from './catch-up.ts'
import { DownCounts } from './down-counts.ts'
import type { LiveHub, Wanted } from './live.ts'
import { readPosition, writePosition } from './position.ts'
import { type Pace, ProjectModel } from './project-model.ts'
import { Subscription } from './subscription.ts'
import { projectUpdate, ROWS_PER_UPDATE } from './update.ts'

/** The least time between two updates of a project, so at most four messages a second and reader. */
const UPDATE_EVERY_MS = 250
/** What live pages cost together is limited, however many are open: messages a second, and rows made for them. */
const MESSAGES_PER_SECOND = 200
const ROWS_PER_SECOND = 400
/** A project with many readers and changes gets a few rows at least: states that change come first. */
const ROWS_AT_LEAST = 5
/** A page that is loaded again finds the checks still in memory. */
const KEPT_MS = 5_000

/** Others tell of flips and edits at once, but not of each ping. */
const OTHERS_EVERY_MS = 500
/** Of the time, to read all projects again that somebody watches. */
const READ_AGAIN_SHARE = 0.2

/** All streams share what live pages may cost, so nobody may take most of it. */
const STREAMS_PER_ACCOUNT = 300

interface Watched {
  readonly model: ProjectModel
  readonly readers: Set<Subscription>
  dropping: ReturnType<typeof setTimeout> | undefined
}

export type HubDeps = Pick<Deps, 'store' | 'now' | 'random' | 'stopwatch' | 'log'>

export class Hub implements LiveHub {
  readonly #deps: HubDeps
  /** Revisions of another run of the program say nothing. */
  readonly #run: string
  readonly #watched = new Map<string, Watched>()
  readonly #readers = new Set<Subscription>()
  readonly #streams = new Counts()
  readonly #downCounts: DownCounts
  #stopFeed: (() => void) | null = null
  /** their edits, as last read */
  #others: string | null = null
  #asking: ReturnType<typeof setTimeout> | undefined
  #isClosed = false

  constructor(deps: HubDeps) {
    this.#deps = deps
    this.#run = deps.random.uuid().slice(0, 8)
    this.#downCounts = new DownCounts(deps, { onError: (error) => this.#fail(error, this.#readers) })
  }

  async position(projectId: string): Promise<(seen: Seen) => string> {
    const { revision } = await this.#deps.store.readChanges(projectId, null)
    const at = this.#deps.now()
    return (seen) => writePosition({ run: this.#run, revision, at, seen })
  }

  async watch({ accountId, projectIds, numbersOf, since, wants }: Wanted): Promise<Subscription> {
    const endings = [this.#count(accountId)]
    const reader = new Subscription(wants, () => {
      this.#readers.delete(reader)
      for (const end of endings) end()
      this.#rest()
    })
    if (this.#isClosed) {
      reader.close()
      return reader
    }
    this.#stopFeed ??= this.#deps.store.watchChanges((change) => this.#take(change))
    this.#readers.add(reader)
    try {
      // Before the checks are read: what others write from now on is noticed.
      this.#others ??= (await this.#deps.store.readRevisionOfOthers()).edits
      if (!this.#readers.has(reader)) return reader
      const watched = projectIds.map((id) => this.#enter(id, reader, endings))
      if (numbersOf.length > 0) {
        endings.push(this.#downCounts.watch(numbersOf, (down) => reader.push({ kind: 'down', down })))
      }
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

  async noticeOthers(changed: readonly ToldCheck[] = []): Promise<void> {
    if (this.#readers.size === 0) return
    for (const { projectId, checkId } of changed) this.#watched.get(projectId)?.model.edit([checkId])
    try {
      const { edits } = await this.#deps.store.readRevisionOfOthers()
      if (this.#others !== null && this.#others !== edits) this.#readAgain()
      this.#others = edits
    } catch (error) {
      // A database that is lost has been logged, and is asked again.
      if (!(error instanceof Refusal)) this.#fail(error, this.#readers)
    }
  }

  async tick(): Promise<void> {
    await Promise.all(Array.from(this.#watched.values(), ({ model }) => model.update()))
    await this.#downCounts.update()
  }

  close(): void {
    this.#isClosed = true
    for (const reader of [...this.#readers]) reader.close()
    for (const projectId of [...this.#watched.keys()]) this.#drop(projectId)
  }

  /** @returns what to call when the stream has ended @throws Refusal `busy` */
  #count(accountId: string): () => void {
    if (this.#streams.of(accountId) >= STREAMS_PER_ACCOUNT) {
      throw new Refusal('busy', 'you have too many pages open, close some of them')
    }
    return this.#streams.begin(accountId)
  }

  #enter(projectId: string, reader: Subscription, endings: (() => void)[]): Watched {
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
      if (this.#asking !== timer) return
      this.#asking = undefined
      this.#askLater()
    }, OTHERS_EVERY_MS)
    this.#asking = timer
  }

  #begin(projectId: string): Watched {
    const readers = new Set<Subscription>()
    const onError = (error: unknown) => {
      this.#fail(error, readers)
      this.#drop(projectId)
    }
    const model = new ProjectModel(this.#deps, projectId, {
      pace: () => this.#pace(),
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

  #pace(): Pace {
    const pauseMs = Math.max(UPDATE_EVERY_MS, (this.#readers.size * 1_000) / MESSAGES_PER_SECOND)
    const rows = Math.floor((ROWS_PER_SECOND * pauseMs) / 1_000 / this.#watched.size)
    const rest = this.#watched.size / READ_AGAIN_SHARE - 1
    return { pauseMs, rows: Math.min(ROWS_PER_UPDATE, Math.max(ROWS_AT_LEAST, rows)), rest }
  }

  #drop(projectId: string): void {
    const watched = this.#watched.get(projectId)
    if (!watched) return
    clearTimeout(watched.dropping)
    watched.model.close()
    this.#watched.delete(projectId)
    this.#rest()
  }

  /** Without readers and projects, commits need not tell anything. */
  #rest(): void {
    if (this.#readers.size > 0 || this.#watched.size > 0) return
    this.#stopFeed?.()
    this.#stopFeed = null
    this.#others = null
    clearTimeout(this.#asking)
    this.#asking = undefined
  }

  #take(change: CommittedChange): void {
    if (change.kind === 'checks') {
      for (const [projectId, ids] of change.touched) {
        this.#watched.get(projectId)?.model.touch(ids, change.stateOf)
        if (change.statuses) this.#downCounts.change(projectId)
      }
      for (const [projectId, ids] of change.edited) {
        this.#watched.get(projectId)?.model.edit(ids)
        this.#downCounts.change(projectId)
      }
    } else if (change.kind === 'alerts') {
      this.#watched.get(change.projectId)?.model.note(change.checkId)
    } else if (change.kind === 'all') {
      this.#readAgain()
    }
  }

  #readAgain(): void {
    for (const { model } of this.#watched.values()) model.readAgain()
    this.#downCounts.changeAll()
  }

  #positionNow(projectId: string, seen: Seen): string {
    const { store, now } = this.#deps
    return writePosition({ run: this.#run, revision: store.revisionOf(projectId), at: now(), seen })
  }

  async #catchUp(projectId: string, since: string, reader: Subscription): Promise<void> {
    const from = readPosition(since)
    const model = this.#watched.get(projectId)?.model
    if (!from || !model) return reader.push({ kind: 'unknown' })
    const { store, now } = this.#deps
    const known = from.run === this.#run ? (await store.readChanges(projectId, from.revision)).checkIds : null
    const ids = await missedSince(model, from, known)
    if (ids === null) return reader.push({ kind: 'unknown' })
    if (ids.size === 0) return
    const position = model.isSettled ? this.#positionNow(projectId, model.seen) : null
    const missed = { projectId, at: now(), position, checks: model.pick(ids), removed: [], touched: ids }
    reader.push(
      projectUpdate({ ...missed, hasAlertNews: true, counts: model.counts, isBehind: false, hasTurned: false }),
    )
  }

  /** Their browsers open the streams again. */
  #fail(error: unknown, readers: ReadonlySet<Subscription>): void {
    if (readers.size > 0) this.#deps.log('warning', 'live pages were cut off', { reason: messageWithCause(error) })
    for (const reader of [...readers]) reader.close()
  }
}
