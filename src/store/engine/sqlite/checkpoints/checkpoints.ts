/**
 * Limits the length of a file's write-ahead log. A thread copies the log into the file while commits continue. Copying in the thread that
 * commits would make all pings wait. The section "Checkpoints" of `docs/internals.md` describes the design.
 */
import type { Database as Connection } from 'bun:sqlite'
import { Refusal } from '../../../../domain/errors.ts'
import { codeOf, messageOf } from '../../../../lib/errors.ts'
import { withDeadline } from '../../../../lib/work/waits.ts'
import { ThreadFault } from '../faults.ts'
import type { OpenFileWatch } from '../file/file-watch.ts'
import type { ConnectionSql } from '../sql.ts'
import type { SqliteThread } from '../thread.ts'
import { type CheckpointMode, CheckpointThread, type LogState } from './checkpoint-thread.ts'
import { LIMITS, type Limits } from './limits.ts'
import { freeBytesAt, growthOf } from './room.ts'

/** Size of a log page, in bytes. */
const BYTES_OF_PAGE = 4_120

const EMPTY: LogState = { log: 0, checkpointed: 0 }

interface CheckpointsOptions {
  readonly writer: ConnectionSql
  readonly file: OpenFileWatch
  /** called with a description of the fault and its consequences */
  readonly onFault: (words: string) => void
  readonly startThread?: () => SqliteThread
  readonly freeBytes?: (path: string) => number
  readonly limits?: Partial<Limits>
}

/** First SQLite version that reports the length of the log without copying it. On macOS, Bun uses the system's SQLite. */
const REPORTS_LENGTH = '>=3.51.0'

/** Returns whether a thread can run the checkpoints. If not, SQLite must run them itself in the thread that commits. */
export function canCopyInThread(connection: Connection): boolean {
  const row = connection.query<{ version: string }, []>('SELECT sqlite_version() AS version').get()
  return row !== null && Bun.semver.satisfies(row.version, REPORTS_LENGTH)
}

/** Runs the checkpoints of one open file. */
export class Checkpoints {
  readonly #options: CheckpointsOptions
  readonly #path: string
  readonly #limits: Limits
  readonly #thread: CheckpointThread
  /** length in pages at which the log restarts */
  #longPages = 0
  /** maximum number of pages that the log file keeps when the log restarts */
  #keptPages = 0
  /** the thread's work in progress */
  #working: Promise<void> | null = null
  /** state of the log after the last commit */
  #state = EMPTY
  /** length of the log in pages at the time when the last copy began */
  #copiedAt = 0
  /**
   * length of the log in pages below which writes do not wait. It is raised after the writer has copied the log, after a disk error, and
   * when a reader blocks the log
   */
  #nextWaitAt = 0
  /** number of pages written since the last check of the log */
  #written = 0
  /** greatest length of the log in pages since its file was last truncated, which is roughly the length of the file */
  #longest = 0
  #timer: Timer | null = null
  /** true from a thread failure until the next check of the log; while it is true, the writer copies the log */
  #isAlone = false
  /** true if the next write must wait until the log is truncated, because the thread found no gap between writes */
  #mustCutOff = false
  /**
   * true after a copy failed because the disk was full, until the next successful copy; while it is true, a copy begins only if it fits on
   * the disk
   */
  #isFull = false
  /** true if the thread's failure was reported to the operator */
  #isReported = false
  #isClosed = false

  constructor(options: CheckpointsOptions) {
    const { writer, file, startThread, limits } = options
    this.#options = options
    this.#path = writer.connection.filename
    this.#limits = { ...LIMITS, ...limits }
    this.#thread = new CheckpointThread({ path: this.#path, file, ...(startThread && { start: startThread }) })
    writer.connection.run('PRAGMA wal_autocheckpoint = 0')
    this.#expect(0)
  }

  /**
   * Call this method before a write begins, and do not begin another write until it resolves. SQLite restarts the log if all of it is
   * already in the file when a write begins. If only the last pages of a long log are not in the file yet, this method waits until they are
   * copied. Never rejects.
   */
  async makeRoom(): Promise<void> {
    if (this.#mustCutOff && this.#working === null) {
      // Tries to truncate only once between two checks of the log, because a reader that blocks it once usually keeps blocking it.
      this.#mustCutOff = false
      await this.#waitFor(this.#work(() => this.#cutOff()))
    }
    const { log, checkpointed } = this.#state
    const { copiedPages, longestPages } = this.#limits
    const from = this.#isAlone ? copiedPages : this.#longPages
    if (this.#isClosed || log < Math.max(from, this.#nextWaitAt)) return
    if (this.#isAlone) return this.#copyHere()
    const isAlmostCopied = this.#working === null && log - checkpointed < copiedPages
    if (!isAlmostCopied && log < longestPages) return
    // FULL blocks writes by other programs and, once the deadline has passed, by this program too. So it is used only for a few pages.
    await this.#waitFor(this.#copyAll(isAlmostCopied ? 'FULL' : 'PASSIVE'))
    const isHeldUp = this.#working === null && this.#state.checkpointed < log
    if (isHeldUp) this.#nextWaitAt = log + copiedPages
  }

  async #waitFor(work: Promise<void>): Promise<void> {
    await withDeadline(this.#longestWait(), work, () => new Error('late')).catch(() => {})
  }

  /**
   * Returns the maximum wait in milliseconds. Pages that a reader keeps in the log are not taken into account, because waiting for them
   * would not make the log shorter.
   */
  #longestWait(): number {
    const { copiedPages, longestPages, longestWaitMs } = this.#limits
    const tooMany = Math.max(0, this.#state.log - Math.max(longestPages, this.#nextWaitAt))
    return longestWaitMs * (1 + tooMany / copiedPages)
  }

  /** Call this method after a commit, before the next write begins. Never rejects. */
  async committed(): Promise<void> {
    if (this.#isClosed) return
    const before = this.#state.log
    this.#state = await this.#lookAtLog()
    const { log, checkpointed } = this.#state
    if (log < before) this.#begunAgain()
    this.#written += log < before ? log : log - before
    this.#longest = Math.max(this.#longest, log)
    // Another program may already have copied the pages.
    if (log < Math.max(this.#copiedAt, checkpointed) + this.#limits.copiedPages) return
    this.#timer ??= this.#lookLater()
    if (!this.#isAlone && this.#working === null) void this.#copy('PASSIVE')
  }

  /** Call this method before any connection to the file is closed, because closing the last connection runs a checkpoint. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer ?? undefined)
    await this.#working
    await this.#thread.end()
  }

  async #lookAtLog(): Promise<LogState> {
    const state = this.#options.writer.get<LogState>('PRAGMA wal_checkpoint(NOOP)', [])
    // If there was an error, the commits are still valid, and the last known state is used.
    return (await state.catch(() => null)) ?? this.#state
  }

  /** Copies the log, including entries that were written while the thread was copying. */
  async #copyAll(mode: CheckpointMode): Promise<void> {
    await this.#working
    await this.#copy(mode)
  }

  #copy(mode: CheckpointMode): Promise<void> {
    this.#copiedAt = this.#state.log
    return this.#work(async () => {
      const { checkpointed } = await this.#thread.checkpoint(mode)
      this.#state = { ...this.#state, checkpointed }
      this.#isReported = false
      this.#isFull = false
    })
  }

  /** Runs one task in the thread at a time. Requests that arrive during a task are dropped. Never rejects. */
  #work(what: () => Promise<void>): Promise<void> {
    if (this.#isClosed) return Promise.resolve()
    const work = async () => {
      await this.#ifItFits(what).catch((error) => this.#failed(error))
      this.#working = null
    }
    this.#working ??= work()
    return this.#working
  }

  /**
   * Copies the log. If the last copy failed because the disk was full, copies only if the copy fits. A copy that does not fit would use up
   * the space that the next pings need, and the log would not get any shorter.
   */
  async #ifItFits(copy: () => Promise<void>): Promise<void> {
    const { writer, freeBytes = freeBytesAt } = this.#options
    if (!this.#isFull || growthOf(writer.connection) <= freeBytes(this.#path)) await copy()
  }

  async #failed(error: unknown): Promise<void> {
    await this.#thread.end()
    this.#mustCutOff = false
    // The next transaction will also detect that the file was removed.
    if (error instanceof Refusal) return
    this.#isAlone = true
    if (!(error instanceof ThreadFault)) return this.#report(messageOf(error))
    this.#isFull = codeOf(error) === 'SQLITE_FULL'
    // Until the log reaches this length, the remaining space is left for pings.
    this.#nextWaitAt = Math.max(this.#nextWaitAt, this.#limits.longPages)
    this.#options.file.failed(error)
  }

  #report(reason: string): void {
    if (this.#isReported) return
    this.#isReported = true
    const failed = `the thread that copies the log of ${this.#path} into the file has failed (${reason})`
    const seconds = this.#limits.lookEveryMs / 1000
    this.#options.onFault(
      `${failed}: the server copies it in its main thread, and pings have to wait; it tries again every ${seconds} seconds`,
    )
  }

  /** Copies the log in the writer's thread, which blocks all other work. */
  #copyHere(): void {
    const { file, writer } = this.#options
    try {
      writer.connection.run('PRAGMA wal_checkpoint(PASSIVE)')
    } catch (error) {
      file.failed(error)
    }
    this.#nextWaitAt = this.#state.log + this.#limits.copiedPages
  }

  #lookLater(): Timer {
    return setTimeout(() => this.#look(), this.#limits.lookEveryMs).unref()
  }

  /** Sets the length at which the log restarts. @param written number of pages written between the last two checks of the log */
  #expect(written: number): void {
    const { shortPages, longPages, longShare, spare } = this.#limits
    this.#longPages = Math.min(longPages, Math.max(shortPages, Math.ceil(written * longShare)))
    this.#keptPages = Math.ceil(this.#longPages * spare)
    this.#options.writer.connection.run(`PRAGMA journal_size_limit = ${this.#keptPages * BYTES_OF_PAGE}`)
  }

  /** Checks the log: truncates it if little was written since the last check, and stops the thread. */
  async #look(): Promise<void> {
    const isQuiet = this.#written * this.#limits.quietShare < this.#longest
    this.#expect(this.#written)
    this.#written = 0
    this.#isAlone = false
    if (isQuiet) {
      // Copies first, because writes have to wait while the log is being truncated.
      await this.#copyAll('PASSIVE')
      this.#mustCutOff = true
      await this.#work(() => this.#cutOff())
    }
    this.#timer = this.#state === EMPTY || this.#isClosed ? null : this.#lookLater()
  }

  /** Truncates the log. Does nothing if a write or a reader blocks it. */
  async #cutOff(): Promise<void> {
    const before = this.#state
    const { log } = await this.#thread.checkpoint('TRUNCATE')
    if (log !== 0) return
    this.#mustCutOff = false
    // A commit may have happened before the answer arrived. The state after that commit is newer.
    if (this.#state === before) {
      this.#state = EMPTY
      this.#begunAgain()
    }
    this.#longest = this.#state.log
    await this.#thread.end()
  }

  #begunAgain(): void {
    this.#longest = Math.min(this.#longest, this.#keptPages)
    this.#copiedAt = 0
    this.#nextWaitAt = 0
  }
}
