/**
 * A thread that runs checkpoints, which copy an open file's write-ahead log into the file. It runs from the first checkpoint until {@link
 * CheckpointThread.end} is called.
 */
import { codeOf } from '../../../../lib/errors.ts'
import { ThreadFault } from '../faults.ts'
import type { OpenFileWatch } from '../file/file-watch.ts'
import { SqliteThread } from '../thread.ts'

/** Lock timeout in milliseconds. The thread does not wait for other programs or readers, because writes would have to wait too. */
const LOCK_TIMEOUT_MS = 0

/** A log's state, as `PRAGMA wal_checkpoint` reports it; -1 while another program runs a checkpoint. */
export interface LogState {
  /** number of pages in the log */
  readonly log: number
  /** number of pages, counted from the start of the log, that have been copied into the file */
  readonly checkpointed: number
}

/**
 * Checkpoint modes. PASSIVE copies the pages that were in the log when the checkpoint began, and never waits. FULL also blocks writes by
 * all programs while it runs, so that it reaches the end of the log. If a program is already writing, FULL behaves like PASSIVE. TRUNCATE
 * behaves like FULL and then truncates the log.
 */
export type CheckpointMode = 'PASSIVE' | 'FULL' | 'TRUNCATE'

interface CheckpointThreadOptions {
  readonly path: string
  readonly file: OpenFileWatch
  readonly start?: () => SqliteThread
}

export class CheckpointThread {
  readonly #options: CheckpointThreadOptions
  #thread: SqliteThread | null = null

  constructor(options: CheckpointThreadOptions) {
    this.#options = options
  }

  /**
   * Runs a checkpoint. Call this method again only after the previous call has ended.
   * @throws ThreadFault for a SQLite error; Refusal if the file is not at its path; any other error if the thread has failed
   */
  async checkpoint(mode: CheckpointMode): Promise<LogState> {
    try {
      return await this.#checkpoint(mode)
    } catch (error) {
      throw codeOf(error).startsWith('SQLITE_') ? new ThreadFault(error) : error
    }
  }

  async end(): Promise<void> {
    const thread = this.#thread
    this.#thread = null
    await thread?.close()
  }

  async #checkpoint(mode: CheckpointMode): Promise<LogState> {
    const { file } = this.#options
    file.check()
    const thread = this.#thread ?? (await this.#started())
    const [state] = await thread.all<LogState>(`PRAGMA wal_checkpoint(${mode})`)
    if (state === undefined) throw new Error('the checkpoint has no result')
    // SQLite syncs the file only after a checkpoint that reaches the end of the log. A write may have to wait for that sync, so the file is
    // synced beforehand to keep the wait short.
    await thread.sync(file.descriptor)
    return state
  }

  async #started(): Promise<SqliteThread> {
    const { path, file, start = () => new SqliteThread(LOCK_TIMEOUT_MS) } = this.#options
    const thread = start()
    this.#thread = thread
    await thread.connect(path, 'write')
    // Another file may have replaced this one, so the file is checked twice. SQLite opens the log only when the first statement runs.
    file.check()
    await thread.all('SELECT 1 FROM sqlite_schema LIMIT 1')
    file.check()
    return thread
  }
}
