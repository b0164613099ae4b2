/**
 * Bounds the write-ahead log of a file. A thread copies it into the file (a checkpoint) while commits go on; the thread that commits does
 * not, because all pings would wait for that. The design is in `docs/internals.md`, "Checkpoints".
 */
import { Refusal } from '../../../domain/errors.ts'
import { codeOf, messageOf } from '../../../lib/errors.ts'
import { withDeadline } from '../../../lib/work/waits.ts'
import type { FileWatch } from './file/file-watch.ts'
import type { ConnectionSql } from './sql.ts'
import { SqliteThread } from './thread.ts'

/** Pages, of 4 kB each, after which they are copied. Few, because each copy ends with a sync of the file. */
const COPIED_PAGES = 1_000
/** Pages of a log that begins again as soon as it is copied: 66 MB. Until then it is cheaper to let it grow. */
const LONG_PAGES = 16_000
/** Pages of a log behind which the thread has fallen: 99 MB. Each write waits for it then. */
const LONGEST_PAGES = 24_000
/** How long one write waits for the thread, at most. */
const LONGEST_WAIT_MS = 50
/** How often it is looked whether so little is written that the log can be cut off. */
const LOOK_EVERY_MS = 10_000

/** What `PRAGMA wal_checkpoint` tells of a log. */
interface LogState {
  /** pages */
  readonly log: number
  /** how many of them are in the file, from the first on */
  readonly checkpointed: number
}

const EMPTY: LogState = { log: 0, checkpointed: 0 }

interface CheckpointsOptions {
  readonly writer: ConnectionSql
  readonly file: FileWatch
  /** a descriptor of the file; nobody closes it before {@link Checkpoints.close} */
  readonly descriptor: number
  /** called with what is wrong and what to do */
  readonly onFault: (words: string) => void
  readonly startThread?: () => SqliteThread
}

/** The checkpoints of one open file. The thread runs only while much is written. */
export class Checkpoints {
  readonly #options: CheckpointsOptions
  /** after the last commit */
  #state = EMPTY
  /** pages in the log when a copy last began */
  #copiedAt = 0
  /** pages in the log when a write has waited and something, such as a reader, still kept the log from beginning again */
  #heldUpAt = 0
  /** pages in the log at the last look */
  #lookedAt = 0
  #copying: Promise<void> | null = null
  #thread: SqliteThread | null = null
  /** true from a failure of the thread until the next look: the writer copies */
  #isAlone = false
  #timer: Timer | null = null
  #isClosed = false

  constructor(options: CheckpointsOptions) {
    this.#options = options
    options.writer.connection.run('PRAGMA wal_autocheckpoint = 0')
  }

  /**
   * Call it before a write begins, and begin no other until it resolves. SQLite begins the log again when a write finds that all of it is in
   * the file. So if all of a long log but the last pages is, this waits until they are too. Never rejects.
   */
  async makeRoom(): Promise<void> {
    const { log, checkpointed } = this.#state
    if (this.#isClosed || log < Math.max(LONG_PAGES, this.#heldUpAt)) return
    if (this.#isAlone) return this.#copyHere()
    const isAlmostCopied = this.#copying === null && log - checkpointed < COPIED_PAGES
    if (!isAlmostCopied && log < LONGEST_PAGES) return
    const isInTime = await withDeadline(LONGEST_WAIT_MS, this.#copyAll(), () => new Error('late')).then(
      () => true,
      () => false,
    )
    if (isInTime && this.#state.checkpointed < log) this.#heldUpAt = log + COPIED_PAGES
  }

  /** Call it after a commit. */
  async committed(): Promise<void> {
    if (this.#isClosed) return
    const before = this.#state.log
    this.#state = (await this.#lengths()) ?? this.#state
    const { log } = this.#state
    if (log < before) this.#copiedAt = this.#heldUpAt = this.#lookedAt = 0
    if (log < this.#copiedAt + COPIED_PAGES) return
    this.#timer ??= this.#lookLater()
    if (!this.#isAlone) this.#copying ??= this.#copy()
  }

  /** Call it before any connection to the file is closed: the last one that closes makes a checkpoint. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer ?? undefined)
    await this.#copying
    await this.#endThread()
  }

  /** Changes nothing. @returns null after an error, because what was committed stays so */
  async #lengths(): Promise<LogState | null> {
    return this.#options.writer.get<LogState>('PRAGMA wal_checkpoint(NOOP)', []).catch(() => null)
  }

  async #copyAll(): Promise<void> {
    await this.#copying
    this.#copying ??= this.#copy()
    await this.#copying
  }

  /** Never rejects. */
  async #copy(): Promise<void> {
    this.#copiedAt = this.#state.log
    try {
      const thread = await this.#startedThread()
      const copied = await checkpoint(thread, 'PASSIVE')
      this.#state = { ...this.#state, checkpointed: copied.checkpointed }
      // SQLite syncs the file only after a copy that reached the end of the log. Then a write waits, so little may be left to sync.
      await thread.sync(this.#options.descriptor)
    } catch (error) {
      await this.#failed(error)
    } finally {
      this.#copying = null
    }
  }

  async #startedThread(): Promise<SqliteThread> {
    if (this.#thread !== null) return this.#thread
    const { file, writer, startThread = () => new SqliteThread(0) } = this.#options
    const thread = startThread()
    this.#thread = thread
    await thread.connect(writer.connection.filename, 'write')
    // Another file may have taken its place: before the first statement SQLite has not read the log, after it the log is open.
    file.check()
    await thread.all('SELECT 1 FROM sqlite_schema LIMIT 1')
    file.check()
    return thread
  }

  async #endThread(): Promise<void> {
    const thread = this.#thread
    this.#thread = null
    await thread?.close()
  }

  async #failed(error: unknown): Promise<void> {
    const { file, onFault, writer } = this.#options
    await this.#endThread()
    // The next transaction finds out too that the file was taken away.
    if (error instanceof Refusal) return
    if (codeOf(error).startsWith('SQLITE_')) {
      file.failed(error)
      return
    }
    this.#isAlone = true
    const words = `the thread that copies the log of ${writer.connection.filename} into the file has failed (${messageOf(error)})`
    onFault(
      `${words}: pings wait while the server copies it; the thread is started again in ${LOOK_EVERY_MS / 1000} seconds`,
    )
  }

  /** As the thread does it, but everything waits. */
  #copyHere(): void {
    const { file, writer } = this.#options
    try {
      writer.connection.run('PRAGMA wal_checkpoint(PASSIVE)')
    } catch (error) {
      file.failed(error)
    }
    this.#heldUpAt = this.#state.log + COPIED_PAGES
  }

  #lookLater(): Timer {
    return setTimeout(() => this.#look(), LOOK_EVERY_MS).unref()
  }

  /** Cuts off the log if little was written since the last look, and ends the thread. */
  async #look(): Promise<void> {
    const grown = this.#state.log - this.#lookedAt
    this.#lookedAt = this.#state.log
    this.#isAlone = false
    const isDone = grown < COPIED_PAGES && (await this.#cutOff())
    this.#timer = isDone || this.#isClosed ? null : this.#lookLater()
  }

  /** Copies first, because cutting off keeps writes out. @returns false if something, such as a reader, is in the way. Never rejects. */
  async #cutOff(): Promise<boolean> {
    try {
      this.#options.file.check()
      await this.#copyAll()
      if (this.#thread === null || this.#isClosed) return false
      const { log } = await checkpoint(this.#thread, 'TRUNCATE')
      if (log > 0) return false
    } catch (error) {
      await this.#failed(error)
      return false
    }
    this.#state = EMPTY
    this.#copiedAt = this.#heldUpAt = this.#lookedAt = 0
    await this.#endThread()
    return true
  }
}

async function checkpoint(thread: SqliteThread, how: 'PASSIVE' | 'TRUNCATE'): Promise<LogState> {
  const [state = EMPTY] = await thread.all<LogState>(`PRAGMA wal_checkpoint(${how})`)
  return state
}
