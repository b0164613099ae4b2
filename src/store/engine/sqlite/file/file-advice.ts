/**
 * Tells the operator what to do about a database file that is no longer at its path. The advice depends on whether the file still has
 * another name, on which file is now at its path, and on where its log is.
 */
import { FileComparison } from './file-comparison.ts'
import type { FileContents } from './file-contents.ts'
import { type FileIdentity, identityOf, isDeleted, isSameIdentity } from './file-identity.ts'
import { copiedWords, type Files, goneWords, replacedWords } from './file-messages.ts'
import { realPathOf } from './real-path.ts'

export class FileAdvice {
  readonly #given: string
  readonly #path: string
  readonly #log: string
  readonly #contents: FileContents
  readonly #database: FileComparison
  readonly #logComparison: FileComparison

  /**
   * @param given absolute path that the operator configured, which may be a link
   * @param path absolute path of the file to which `given` led when it was opened
   */
  constructor(given: string, path: string, contents: FileContents) {
    this.#given = given
    this.#path = path
    this.#log = `${path}-wal`
    this.#contents = contents
    this.#database = new FileComparison(contents.file)
    this.#logComparison = new FileComparison(contents.logFile)
  }

  /** Returns the message for a path without a file. */
  goneWords(): string {
    return goneWords(this.#files(), this.#contents.identity.ino)
  }

  /** Returns the message about a new file at the path. Reads up to 64 MiB of the new file. @param there the new file */
  replacedWords(there: FileIdentity): string {
    // The log is kept next to the link's original target. A file in another directory cannot use this log.
    const isInPlace = realPathOf(this.#given) === this.#path
    const compared = isInPlace ? this.#database.compare(this.#path) : 'different'
    if (compared === 'same') return copiedWords(this.#files())
    const mayBeCopy = compared === 'unfinished'
    return replacedWords(this.#files(), { was: this.#contents.identity.ino, is: there.ino, mayBeCopy })
  }

  /** Call this method after the connections are closed: see {@link FileContents}. */
  close(): void {
    this.#database.close()
    this.#logComparison.close()
  }

  #files(): Files {
    const { file, logFile, logIdentity } = this.#contents
    const isLogThere = isSameIdentity(logIdentity, identityOf(this.#log))
    return {
      database: { path: this.#given, descriptor: file, isDeleted: isDeleted(file) },
      log: { path: this.#log, descriptor: logFile, isDeleted: isDeleted(logFile) },
      hasLog: isLogThere || this.#logComparison.compare(this.#log) === 'same',
    }
  }
}
