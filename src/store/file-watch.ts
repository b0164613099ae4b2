/**
 * Whether the file that is written is the one that the next start will read. Deleted, replaced or overwritten, nothing is
 * taken and nothing is told from it; told to the operator once when it begins, again when something else is to be done about
 * it, and once when it ends.
 */
import { type Database as Connection, constants } from 'bun:sqlite'
import { Refusal, UserError } from '../domain/errors.ts'
import { asRefusal, damageWords, isPersistent, UNAVAILABLE } from './faults.ts'
import { FileAdvice } from './file-advice.ts'
import { FileContents } from './file-contents.ts'
import { type FileIdentity, identityOf, isSameIdentity } from './file-identity.ts'
import { damagedWords } from './file-messages.ts'

/** How often the contents are looked at; names are with each transaction. */
const LOOK_EVERY_SECONDS = 1
/** A disk that is nearly full takes some writes and refuses others: that is one fault and not many. */
const QUIET_SECONDS = 10

export interface FileWatchOptions {
  /** told what is wrong and what to do, whenever that changes; null when it is over */
  readonly onFault: (words: string | null) => void
  /** seconds that only go forward, from whatever beginning */
  readonly stopwatch: () => number
}

export interface FileWatch {
  /** Before work and after a commit. @throws Refusal `unavailable` when nobody will read what is written */
  check(): void
  /** A commit has succeeded. @throws like {@link check} */
  committed(): void
  /** An error of the work, as the callers of the store know it. */
  failed(error: unknown): unknown
  /** Whether the log is to stay as it is: brought into another's file it would be lost, and so would the file. */
  readonly keepsLog: boolean
  /** After the connections: see {@link FileContents}. */
  close(): void
}

/** For a database without a file. */
export const UNWATCHED: FileWatch = {
  check() {},
  committed() {},
  failed: asRefusal,
  keepsLog: false,
  close() {},
}

interface Fault {
  /** `file`: not at its name. `log`, `index`: the same of the log and of its index. `failing`: what is asked of the disk fails. */
  readonly kind: 'file' | 'log' | 'index' | 'damaged' | 'failing'
  readonly words: string
}

/**
 * @param given the name that the operator knows, perhaps a link; absolute
 * @param path where that leads to; absolute
 * @param writer opened on it, in WAL mode
 * @throws UserError when another file has got the name since
 */
export function watchFile(given: string, path: string, writer: Connection, options: FileWatchOptions): FileWatch {
  const watch = new OpenFileWatch(given, path, writer, options)
  const hasMoved = new Int32Array(2)
  writer.fileControl(constants.SQLITE_FCNTL_HAS_MOVED, hasMoved)
  if (hasMoved[0] === 0) return watch
  watch.close()
  throw new UserError(`the database file ${given} was moved or replaced while it was being opened`, 'try again')
}

class OpenFileWatch implements FileWatch {
  readonly #given: string
  readonly #path: string
  readonly #log: string
  readonly #index: string
  readonly #writer: Connection
  readonly #options: FileWatchOptions
  readonly #contents: FileContents
  readonly #advice: FileAdvice
  /** what has been told */
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

  get keepsLog(): boolean {
    return this.#fault?.kind === 'file' || this.#lasts
  }

  /**
   * Until a restart. Whoever has damaged the file may have put it right, but nobody knows with what the cache and the log
   * agree; the same holds where others have written by an index that is not ours.
   */
  get #lasts(): boolean {
    return this.#fault?.kind === 'damaged' || this.#fault?.kind === 'index'
  }

  check(): void {
    if (this.#isClosed) return
    const fault = this.#lasts ? this.#fault : (this.#findElsewhere() ?? this.#findOverwritten())
    if (fault !== null) throw this.#begin(fault)
    if (this.#fault !== null && this.#fault.kind !== 'failing') this.#end()
  }

  committed(): void {
    this.check()
    const isQuiet = this.#fault !== null && this.#options.stopwatch() >= this.#lastFailureAt + QUIET_SECONDS
    if (isQuiet) this.#end()
  }

  failed(error: unknown): unknown {
    const refusal = asRefusal(error)
    if (!(refusal instanceof Refusal) || refusal === error) return refusal
    const damage = damageWords(error)
    if (damage !== null) return this.#begin(this.#damaged(`is damaged (${damage})`))
    if (!isPersistent(error)) return refusal
    this.#lastFailureAt = this.#options.stopwatch()
    const elsewhere = this.#findElsewhere()
    if (elsewhere !== null) return this.#begin(elsewhere)
    const words = `the database ${this.#given} cannot be used: ${refusal.reason}`
    return this.#begin({ kind: 'failing', words }, refusal.reason)
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
      this.#bringLogIn()
      const words = `the log ${this.#log} was deleted or replaced while the server ran: restart the server in order (SIGTERM)`
      return { kind: 'log', words: `${words}, which brings what the log held into the database` }
    }
    if (isSameIdentity(indexIdentity, identityOf(this.#index))) return null
    // Whoever opens the database now makes another index and knows nothing of our locks: both would write to one place.
    const words = `the index ${this.#index} of the log was deleted or replaced while the server ran: restart the server`
    return { kind: 'index', words: `${words}, which makes a new one` }
  }

  /** A new file is looked at once a second, since it may be a copy that has to be compared. */
  #elsewhereWords(there: FileIdentity | null): string {
    if (there === null) return this.#advice.goneWords()
    const isDue = this.#fault?.kind !== 'file' || this.#options.stopwatch() >= this.#nextLookAt
    if (!isDue) return this.#fault?.words ?? ''
    this.#nextLookAt = this.#options.stopwatch() + LOOK_EVERY_SECONDS
    return this.#advice.replacedWords(there)
  }

  #findOverwritten(): Fault | null {
    // A file that was away may have been written meanwhile.
    const isDue = this.#options.stopwatch() >= this.#nextLookAt || this.#fault?.kind === 'file'
    if (!isDue) return null
    this.#nextLookAt = this.#options.stopwatch() + LOOK_EVERY_SECONDS
    const found = this.#contents.findOverwritten()
    if (found === null) return null
    return this.#damaged(
      `was overwritten while the server ran${found === 'log' ? `, or its log ${this.#log} was` : ''}`,
    )
  }

  #damaged(what: string): Fault {
    return { kind: 'damaged', words: damagedWords(this.#given, this.#path, this.#log, what) }
  }

  /** The file is ours, and only we can still read the log: what is in it gets where a crash leaves it alone. */
  #bringLogIn(): void {
    const isDue = this.#fault?.kind !== 'log' || this.#options.stopwatch() >= this.#nextLookAt
    if (!isDue || this.#writer.inTransaction) return
    this.#nextLookAt = this.#options.stopwatch() + LOOK_EVERY_SECONDS
    try {
      this.#writer.run('PRAGMA wal_checkpoint(PASSIVE)')
    } catch {
      // Tried again in a second, and when the server ends.
    }
  }

  /** @param reason for those who probe */
  #begin(fault: Fault, reason = fault.words): Refusal {
    const isNew = this.#fault?.kind !== fault.kind || (fault.kind === 'file' && this.#fault.words !== fault.words)
    this.#fault = fault
    if (isNew) this.#options.onFault(fault.words)
    return new Refusal('unavailable', UNAVAILABLE, { cause: new Error(reason), isLogged: true })
  }

  #end(): void {
    this.#fault = null
    this.#options.onFault(null)
  }
}
