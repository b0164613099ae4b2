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

/** Pages have 4 kB each. */
interface Limits {
  /** pages after which they are copied: few, because each copy ends with a sync of the file */
  readonly copiedPages: number
  /** pages of a log that begins again as soon as it is copied: the more, the fewer pings wait for that */
  readonly longPages: number
  /** pages of a log behind which the thread has fallen: each write waits for it */
  readonly longestPages: number
  /** how long one write waits for the thread, at most */
  readonly longestWaitMs: number
  readonly lookEveryMs: number
  /** pages between two looks: if fewer were written, the log is cut off, after which SQLite reads its pages anew */
  readonly quietPages: number
}

/** A log begins again at 99 MB; at 132 MB writes wait. */
const LIMITS: Limits = {
  copiedPages: 1_000,
  longPages: 24_000,
  longestPages: 32_000,
  longestWaitMs: 50,
  lookEveryMs: 5_000,
  quietPages: 100,
}

/** What `PRAGMA wal_checkpoint` tells of a log; -1 while another program makes a checkpoint. */
interface LogState {
  /** pages */
  readonly log: number
  /** how many of them are in the file, from the first on */
  readonly checkpointed: number
}

/** How long the thread keeps writes out while it waits for another program. */
const LOCK_TIMEOUT_MS = 20

const EMPTY: LogState = { log: 0, checkpointed: 0 }

interface CheckpointsOptions {
  readonly writer: ConnectionSql
  readonly file: FileWatch
  /** a descriptor of the file; nobody closes it before {@link Checkpoints.close} */
  readonly descriptor: number
  /** called with what is wrong and what to do */
  readonly onFault: (words: string) => void
  readonly startThread?: () => SqliteThread
  readonly limits?: Partial<Limits>
}

/** The checkpoints of one open file. The thread runs only while much is written. */
export class Checkpoints {
  readonly #options: CheckpointsOptions
  readonly #limits: Limits
  /** after the last commit */
  #state = EMPTY
  /** pages in the log when a copy last began */
  #copiedAt = 0
  /** pages in the log when a write has waited and something, such as a reader, still kept the log from beginning again */
  #heldUpAt = 0
  /** pages in the log at the last look */
  #lookedAt = 0
  /** what the thread is doing */
  #working: Promise<void> | null = null
  #thread: SqliteThread | null = null
  /** true from a failure of the thread until the next look: the writer copies */
  #isAlone = false
  /** true if the operator knows that the thread fails */
  #isTold = false
  #timer: Timer | null = null
  #isClosed = false

  constructor(options: CheckpointsOptions) {
    this.#options = options
    this.#limits = { ...LIMITS, ...options.limits }
    options.writer.connection.run('PRAGMA wal_autocheckpoint = 0')
  }

  /**
   * Call it before a write begins, and begin no other until it resolves. SQLite begins the log again when a write finds that all of it is in
   * the file. So if all of a long log but the last pages is, this waits until they are too. Never rejects.
   */
  async makeRoom(): Promise<void> {
    const { log, checkpointed } = this.#state
    if (this.#isClosed || log < Math.max(this.#limits.longPages, this.#heldUpAt)) return
    if (this.#isAlone) return this.#copyHere()
    const isAlmostCopied = this.#working === null && log - checkpointed < this.#limits.copiedPages
    if (!isAlmostCopied && log < this.#limits.longestPages) return
    const isInTime = await withDeadline(
      this.#limits.longestWaitMs,
      this.#copyAll('FULL'),
      () => new Error('late'),
    ).then(
      () => true,
      () => false,
    )
    if (isInTime && this.#state.checkpointed < log) this.#heldUpAt = log + this.#limits.copiedPages
  }

  /** Call it after a commit. */
  async committed(): Promise<void> {
    if (this.#isClosed) return
    const before = this.#state.log
    this.#state = (await this.#lengths()) ?? this.#state
    const { log } = this.#state
    if (log < before) this.#begunAgain()
    if (log < this.#copiedAt + this.#limits.copiedPages) return
    this.#timer ??= this.#lookLater()
    if (!this.#isAlone && this.#working === null) void this.#copy('PASSIVE')
  }

  /** Call it before any connection to the file is closed: the last one that closes makes a checkpoint. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer ?? undefined)
    await this.#working
    await this.#endThread()
  }

  /** Changes nothing. @returns null after an error, because what was committed stays so */
  async #lengths(): Promise<LogState | null> {
    return this.#options.writer.get<LogState>('PRAGMA wal_checkpoint(NOOP)', []).catch(() => null)
  }

  /** Copies also what came while the thread was at work. @param how FULL keeps other programs from writing meanwhile */
  async #copyAll(how: 'PASSIVE' | 'FULL'): Promise<void> {
    await this.#working
    await this.#copy(how)
  }

  #copy(how: 'PASSIVE' | 'FULL'): Promise<void> {
    this.#copiedAt = this.#state.log
    return this.#work(async (thread) => {
      const { checkpointed } = await checkpoint(thread, how)
      this.#state = { ...this.#state, checkpointed }
      // SQLite syncs the file only after a copy that reached the end of the log. Then a write waits, so little may be left to sync.
      await thread.sync(this.#options.descriptor)
      this.#isTold = false
    })
  }

  /** Lets the thread do one thing at a time: what is asked of it while it is at work is left out. Never rejects. */
  #work(what: (thread: SqliteThread) => Promise<void>): Promise<void> {
    if (this.#isClosed) return Promise.resolve()
    const work = async () => {
      try {
        await what(await this.#startedThread())
      } catch (error) {
        await this.#failed(error)
      } finally {
        this.#working = null
      }
    }
    this.#working ??= work()
    return this.#working
  }

  async #startedThread(): Promise<SqliteThread> {
    if (this.#thread !== null) return this.#thread
    const { file, writer, startThread = () => new SqliteThread(LOCK_TIMEOUT_MS) } = this.#options
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
    if (this.#isTold) return
    this.#isTold = true
    const words = `the thread that copies the log of ${writer.connection.filename} into the file has failed (${messageOf(error)})`
    onFault(
      `${words}: pings wait while the server copies it; the thread is started again in ${this.#limits.lookEveryMs / 1000} seconds`,
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
    this.#heldUpAt = this.#state.log + this.#limits.copiedPages
  }

  #lookLater(): Timer {
    return setTimeout(() => this.#look(), this.#limits.lookEveryMs).unref()
  }

  /** Cuts off the log if little was written since the last look, and ends the thread. */
  async #look(): Promise<void> {
    const grown = this.#state.log - this.#lookedAt
    this.#lookedAt = this.#state.log
    this.#isAlone = false
    if (grown < this.#limits.quietPages) {
      // First, because cutting off keeps writes out.
      await this.#copyAll('PASSIVE')
      await this.#work((thread) => this.#cutOff(thread))
    }
    this.#timer = this.#state === EMPTY || this.#isClosed ? null : this.#lookLater()
  }

  /** Does nothing if something, such as a reader, is in the way. */
  async #cutOff(thread: SqliteThread): Promise<void> {
    this.#options.file.check()
    const before = this.#state
    const { log } = await checkpoint(thread, 'TRUNCATE')
    if (log !== 0) return
    // A commit may have come before the answer, and knows more.
    if (this.#state === before) {
      this.#state = EMPTY
      this.#begunAgain()
    }
    await this.#endThread()
  }

  #begunAgain(): void {
    this.#copiedAt = 0
    this.#heldUpAt = 0
    this.#lookedAt = 0
  }
}

async function checkpoint(thread: SqliteThread, how: 'PASSIVE' | 'FULL' | 'TRUNCATE'): Promise<LogState> {
  const [state = EMPTY] = await thread.all<LogState>(`PRAGMA wal_checkpoint(${how})`)
  return state
}
