/**
 * Bounds the write-ahead log of a file. A thread copies it into the file while commits continue; the thread that commits does not, because
 * all pings would wait for that. `docs/internals.md` has the design, in "Checkpoints".
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

/** Bytes of a page in the log. */
const BYTES_OF_PAGE = 4_120

const EMPTY: LogState = { log: 0, checkpointed: 0 }

interface CheckpointsOptions {
  readonly writer: ConnectionSql
  readonly file: OpenFileWatch
  /** called with the fault and its consequence */
  readonly onFault: (words: string) => void
  readonly startThread?: () => SqliteThread
  readonly freeBytes?: (path: string) => number
  readonly limits?: Partial<Limits>
}

/** The first SQLite that reports the length of the log without copying it. On macOS, Bun uses the SQLite of the system. */
const TELLS_LENGTH = '>=3.51.0'

/** Whether a thread can make the checkpoints. If not, SQLite must make them itself, in the thread that commits. */
export function canCopyInThread(connection: Connection): boolean {
  const row = connection.query<{ version: string }, []>('SELECT sqlite_version() AS version').get()
  return row !== null && Bun.semver.satisfies(row.version, TELLS_LENGTH)
}

/** The checkpoints of one open file. */
export class Checkpoints {
  readonly #options: CheckpointsOptions
  readonly #path: string
  readonly #limits: Limits
  readonly #thread: CheckpointThread
  /** pages at which the log restarts */
  #longPages = 0
  /** most pages that the file of the log keeps at a restart */
  #keptPages = 0
  /** work of the thread in progress */
  #working: Promise<void> | null = null
  /** the log after the last commit */
  #state = EMPTY
  /** pages in the log when a copy last began */
  #copiedAt = 0
  /** pages that the log has when a write may wait again, after the writer copied, the disk failed, or a reader kept the log */
  #nextWaitAt = 0
  /** pages written since the last look */
  #written = 0
  /** the most pages that the log had since its file was shortened, so about the length of the file */
  #longest = 0
  #timer: Timer | null = null
  /** true from a failure of the thread until the next look: the writer copies */
  #isAlone = false
  /** true: the next write waits until the log is cut off, because the thread did not find the moment between two writes */
  #mustCutOff = false
  /** true from a copy for which the disk was full until one that succeeds: none begins unless it fits */
  #isFull = false
  /** true if the operator knows that the thread fails */
  #isTold = false
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
   * Call it before a write begins, and begin no other until it resolves. SQLite restarts the log when a write finds all of it in the file.
   * So if only the last pages of a long log are missing there, this waits until they are copied. Never rejects.
   */
  async makeRoom(): Promise<void> {
    if (this.#mustCutOff && this.#working === null) {
      // Only once between two looks: a reader that is in the way stays there.
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
    // FULL keeps other programs from writing, and after the deadline this one too, so it is used for few pages.
    await this.#waitFor(this.#copyAll(isAlmostCopied ? 'FULL' : 'PASSIVE'))
    const isHeldUp = this.#working === null && this.#state.checkpointed < log
    if (isHeldUp) this.#nextWaitAt = log + copiedPages
  }

  async #waitFor(work: Promise<void>): Promise<void> {
    await withDeadline(this.#longestWait(), work, () => new Error('late')).catch(() => {})
  }

  /** Returns milliseconds. Pages that a reader has kept in the log do not count, since no wait would have made it shorter. */
  #longestWait(): number {
    const { copiedPages, longestPages, longestWaitMs } = this.#limits
    const tooMany = Math.max(0, this.#state.log - Math.max(longestPages, this.#nextWaitAt))
    return longestWaitMs * (1 + tooMany / copiedPages)
  }

  /** Call it after a commit, before the next write begins. Never rejects. */
  async committed(): Promise<void> {
    if (this.#isClosed) return
    const before = this.#state.log
    this.#state = await this.#lookAtLog()
    const { log, checkpointed } = this.#state
    if (log < before) this.#begunAgain()
    this.#written += log < before ? log : log - before
    this.#longest = Math.max(this.#longest, log)
    // Another program may have copied the pages.
    if (log < Math.max(this.#copiedAt, checkpointed) + this.#limits.copiedPages) return
    this.#timer ??= this.#lookLater()
    if (!this.#isAlone && this.#working === null) void this.#copy('PASSIVE')
  }

  /** Call it before any connection to the file is closed, because the last one that closes makes a checkpoint. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer ?? undefined)
    await this.#working
    await this.#thread.end()
  }

  async #lookAtLog(): Promise<LogState> {
    const state = this.#options.writer.get<LogState>('PRAGMA wal_checkpoint(NOOP)', [])
    // After an error, the commits are not undone, and the last known state is used.
    return (await state.catch(() => null)) ?? this.#state
  }

  /** Copies the log, including entries that were written while the thread was at work. */
  async #copyAll(mode: CheckpointMode): Promise<void> {
    await this.#working
    await this.#copy(mode)
  }

  #copy(mode: CheckpointMode): Promise<void> {
    this.#copiedAt = this.#state.log
    return this.#work(async () => {
      const { checkpointed } = await this.#thread.checkpoint(mode)
      this.#state = { ...this.#state, checkpointed }
      this.#isTold = false
      this.#isFull = false
    })
  }

  /** Runs one piece of work of the thread at a time; requests during it are dropped. Never rejects. */
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
   * Copies the log, but after a full disk only if the copy fits: otherwise it would take the space that the next pings need, and the log
   * would stay as long as it is.
   */
  async #ifItFits(copy: () => Promise<void>): Promise<void> {
    const { writer, freeBytes = freeBytesAt } = this.#options
    if (!this.#isFull || growthOf(writer.connection) <= freeBytes(this.#path)) await copy()
  }

  async #failed(error: unknown): Promise<void> {
    await this.#thread.end()
    this.#mustCutOff = false
    // The next transaction also detects that the file was removed.
    if (error instanceof Refusal) return
    this.#isAlone = true
    if (!(error instanceof ThreadFault)) return this.#tell(messageOf(error))
    this.#isFull = codeOf(error) === 'SQLITE_FULL'
    // Until then the remaining space is for pings.
    this.#nextWaitAt = Math.max(this.#nextWaitAt, this.#limits.longPages)
    this.#options.file.failed(error)
  }

  #tell(reason: string): void {
    if (this.#isTold) return
    this.#isTold = true
    const failed = `the thread that copies the log of ${this.#path} into the file has failed (${reason})`
    const seconds = this.#limits.lookEveryMs / 1000
    this.#options.onFault(
      `${failed}: the server copies it, and pings wait meanwhile; it tries again every ${seconds} seconds`,
    )
  }

  /** Copies the log by the writer; everything waits for it. */
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

  /** Sets the length at which the log restarts. @param written number of pages that were written between two looks */
  #expect(written: number): void {
    const { shortPages, longPages, longShare, spare } = this.#limits
    this.#longPages = Math.min(longPages, Math.max(shortPages, Math.ceil(written * longShare)))
    this.#keptPages = Math.ceil(this.#longPages * spare)
    this.#options.writer.connection.run(`PRAGMA journal_size_limit = ${this.#keptPages * BYTES_OF_PAGE}`)
  }

  /** Cuts off the log if little was written since the last look, and ends the thread. */
  async #look(): Promise<void> {
    const isQuiet = this.#written * this.#limits.quietShare < this.#longest
    this.#expect(this.#written)
    this.#written = 0
    this.#isAlone = false
    if (isQuiet) {
      // First, because cutting off keeps writes out.
      await this.#copyAll('PASSIVE')
      this.#mustCutOff = true
      await this.#work(() => this.#cutOff())
    }
    this.#timer = this.#state === EMPTY || this.#isClosed ? null : this.#lookLater()
  }

  /** Cuts off the log. Does nothing if a write or a reader, for example, is in the way. */
  async #cutOff(): Promise<void> {
    const before = this.#state
    const { log } = await this.#thread.checkpoint('TRUNCATE')
    if (log !== 0) return
    this.#mustCutOff = false
    // A commit may have happened before the answer, and its state is newer.
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
