/**
 * Checks that the open file is still the one that the server would open after a restart. If the file was deleted, replaced or overwritten,
 * all reads and writes are rejected. The operator is notified when the problem begins, whenever the advice changes, and when the problem
 * ends.
 */
import { type Database as Connection, constants } from 'bun:sqlite'
import { Refusal } from '../../../../domain/errors.ts'
import { asRefusal, damageWords, isPersistent, UNAVAILABLE } from '../faults.ts'
import { FileAdvice } from './file-advice.ts'
import { FileContents } from './file-contents.ts'
import { type FileIdentity, identityOf, isSameIdentity } from './file-identity.ts'
import { damagedWords } from './file-messages.ts'

/** Seconds between checks of the contents. The paths are checked in each transaction. */
const LOOK_EVERY_SECONDS = 1
/**
 * Number of seconds without a failure after which a fault has ended. On a nearly full disk, some writes succeed and others fail, which
 * should count as a single fault.
 */
const QUIET_SECONDS = 10

export interface FileWatchOptions {
  /** called with the problem and what to do about it whenever either changes, and with null when the problem is over */
  readonly onFault: (words: string | null) => void
  /** monotonic clock in seconds */
  readonly stopwatch: () => number
}

export interface FileWatch {
  /** Call this method before work and after a commit. @throws Refusal `unavailable` if writes would not be found after a restart */
  check(): void
  /** Call this method after a commit. @throws like {@link check} */
  committed(): void
  /** @returns the error to throw to the store's callers */
  failed(error: unknown): unknown
  /** True if closing must not run a checkpoint, which would destroy the log or a file that belongs to another program. */
  readonly keepsLog: boolean
  /** Call this method after the connections are closed: see {@link FileContents}. */
  close(): void
}

/** Watches a database file that is open. */
export interface OpenFileWatch extends FileWatch {
  /** descriptor for syncing the file, valid until {@link close} */
  readonly descriptor: number
}

/** The watch for a database in memory or for a locked file. Neither needs to be watched. */
export const UNWATCHED: FileWatch = {
  check() {},
  committed() {},
  failed: asRefusal,
  keepsLog: false,
  close() {},
}

interface Fault {
  /**
   * Kind of fault. `file`, `log` and `index` mean that the file of this name is not at its path. `failing` means that there are disk
   * errors.
   */
  readonly kind: 'file' | 'log' | 'index' | 'damaged' | 'failing'
  readonly words: string
}

/**
 * @param given absolute path that the operator configured, which may be a link
 * @param path absolute path of the file to which `given` leads
 * @param writer a connection to the file, in WAL mode
 * @throws Refusal `database-moved` if the file was moved or replaced since it was opened
 */
export function watchFile(given: string, path: string, writer: Connection, options: FileWatchOptions): OpenFileWatch {
  const watch = new Watch(given, path, writer, options)
  const hasMoved = new Int32Array(2)
  writer.fileControl(constants.SQLITE_FCNTL_HAS_MOVED, hasMoved)
  if (hasMoved[0] === 0) return watch
  watch.close()
  const message = `the database file ${given} was moved or replaced while it was being opened`
  throw new Refusal('database-moved', message, { path: given })
}

class Watch implements OpenFileWatch {
  readonly #given: string
  readonly #path: string
  readonly #log: string
  readonly #index: string
  readonly #writer: Connection
  readonly #options: FileWatchOptions
  readonly #contents: FileContents
  readonly #advice: FileAdvice
  /** the last message that was sent to the operator */
  #fault: Fault | null = null
  #nextLookAt: number
  #lastFailureAt = 0
  #isClosed = false

  constructor(given: string, path: string, writer: Connection, options: FileWatchOptions) {
    this.#given = given
    this.#path = path
    this.#log = `${path}-wal`
    this.#index = `${path}-shm`
    this.#writer = writer
    this.#options = options
    this.#contents = new FileContents(path)
    this.#advice = new FileAdvice(given, path, this.#contents)
    this.#nextLookAt = options.stopwatch() + LOOK_EVERY_SECONDS
  }

  get descriptor(): number {
    return this.#contents.file
  }

  get keepsLog(): boolean {
    return this.#fault?.kind === 'file' || this.#needsRestart
  }

  /**
   * Returns whether the fault lasts until the server is restarted. Even after the file is repaired, the cache and the log may not match it.
   * The same applies if other processes have written using a different index.
   */
  get #needsRestart(): boolean {
    return this.#fault?.kind === 'damaged' || this.#fault?.kind === 'index'
  }

  check(): void {
    if (this.#isClosed) return
    const fault = this.#needsRestart ? this.#fault : (this.#findElsewhere() ?? this.#findOverwritten())
    if (fault !== null) throw this.#beginFault(fault)
    if (this.#fault !== null && this.#fault.kind !== 'failing') this.#endFault()
  }

  committed(): void {
    this.check()
    const isQuiet = this.#fault !== null && this.#options.stopwatch() >= this.#lastFailureAt + QUIET_SECONDS
    if (isQuiet) this.#endFault()
  }

  failed(error: unknown): unknown {
    const refusal = asRefusal(error)
    if (!(refusal instanceof Refusal) || refusal === error) return refusal
    const damage = damageWords(error)
    if (damage !== null) return this.#beginFault(this.#damaged(`is damaged (${damage})`))
    if (!isPersistent(error)) return refusal
    this.#lastFailureAt = this.#options.stopwatch()
    const elsewhere = this.#findElsewhere()
    if (elsewhere !== null) return this.#beginFault(elsewhere)
    const words = `the database ${this.#given} cannot be used: ${refusal.reason}`
    return this.#beginFault({ kind: 'failing', words }, refusal.reason)
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#contents.close()
    this.#advice.close()
  }

  #findElsewhere(): Fault | null {
    const { identity, logIdentity, indexIdentity } = this.#contents
    const there = identityOf(this.#given)
    if (!isSameIdentity(identity, there)) return { kind: 'file', words: this.#elsewhereWords(there) }
    if (!isSameIdentity(logIdentity, identityOf(this.#log))) {
      this.#checkpoint()
      const words = `the log ${this.#log} was deleted or replaced while the server was running: restart the server cleanly (SIGTERM)`
      return { kind: 'log', words: `${words}; when it stops, it writes the contents of the log into the database` }
    }
    if (isSameIdentity(indexIdentity, identityOf(this.#index))) return null
    // A process that opens the database now would create another index, in which this process's locks are missing. Both processes would
    // then write to the same place.
    const words = `the index ${this.#index} of the log was deleted or replaced while the server was running: restart the server`
    return { kind: 'index', words: `${words}, which creates a new one` }
  }

  /** Compares a new file with the open one once a second, because it may be a copy. */
  #elsewhereWords(there: FileIdentity | null): string {
    if (there === null) return this.#advice.goneWords()
    const isDue = this.#fault?.kind !== 'file' || this.#options.stopwatch() >= this.#nextLookAt
    if (!isDue) return this.#fault?.words ?? ''
    this.#nextLookAt = this.#options.stopwatch() + LOOK_EVERY_SECONDS
    return this.#advice.replacedWords(there)
  }

  #findOverwritten(): Fault | null {
    // A file that was missing may have been changed before it was put back, so its contents are checked immediately.
    const isDue = this.#options.stopwatch() >= this.#nextLookAt || this.#fault?.kind === 'file'
    if (!isDue) return null
    this.#nextLookAt = this.#options.stopwatch() + LOOK_EVERY_SECONDS
    const found = this.#contents.findOverwritten()
    if (found === null) return null
    const alsoLog = found === 'log' ? `or its log ${this.#log} ` : ''
    return this.#damaged(`${alsoLog}was overwritten while the server was running`)
  }

  #damaged(what: string): Fault {
    return { kind: 'damaged', words: damagedWords(this.#given, this.#path, this.#log, what) }
  }

  /** Writes the log into the file before a crash can lose it, because no other process can read the log any more. */
  #checkpoint(): void {
    const isDue = this.#fault?.kind !== 'log' || this.#options.stopwatch() >= this.#nextLookAt
    if (!isDue || this.#writer.inTransaction) return
    this.#nextLookAt = this.#options.stopwatch() + LOOK_EVERY_SECONDS
    try {
      this.#writer.run('PRAGMA wal_checkpoint(PASSIVE)')
    } catch {
      // The checkpoint is retried a second later, and again when the server stops.
    }
  }

  /** @param reason the reason that `/readyz` shows */
  #beginFault(fault: Fault, reason = fault.words): Refusal {
    const isNew = this.#fault?.kind !== fault.kind || (fault.kind === 'file' && this.#fault.words !== fault.words)
    this.#fault = fault
    if (isNew) this.#options.onFault(fault.words)
    return new Refusal('unavailable', UNAVAILABLE, { reason, isLogged: true })
  }

  #endFault(): void {
    this.#fault = null
    this.#options.onFault(null)
  }
}
