/** A SQLite connection in its own thread, so that a slow statement delays nothing else. */
import { Worker } from 'node:worker_threads'
import { withDeadline } from '../../../lib/work/waits.ts'
import type { Value } from '../../sql/value.ts'
import { LOCK_TIMEOUT_MS } from './lock-timeout.ts'
import { withNumberedParameters } from './parameters.ts'

const CLOSE_MS = 500
/** Maximum number of prepared statements. Lists of ids are padded to a fixed length, so there are only a few different statements. */
const STATEMENTS_KEPT = 50

/** The thread's code. It is a string, because a compiled executable contains no separate file. */
const THREAD = `
  const { Database } = require('bun:sqlite')
  const { fdatasyncSync } = require('node:fs')
  const { parentPort, workerData } = require('node:worker_threads')
  const prepared = new Map()
  let connection = null
  const forget = () => {
    for (const statement of prepared.values()) statement.finalize()
    prepared.clear()
  }
  const prepare = (text) => {
    const known = prepared.get(text)
    if (known) return known
    if (prepared.size >= ${STATEMENTS_KEPT}) forget()
    const statement = connection.prepare(text)
    prepared.set(text, statement)
    return statement
  }
  const work = {
    connect(path, access) {
      work.close()
      const flags = access === 'write' ? { readwrite: true, create: false } : { readonly: true }
      connection = path === null ? new Database(':memory:') : new Database(path, flags)
      connection.run('PRAGMA busy_timeout = ' + workerData.lockTimeoutMs)
      connection.run('PRAGMA trusted_schema = OFF')
    },
    all: (text, values) => prepare(text).all(...values),
    insert(text, rows) {
      const statement = prepare(text)
      connection.transaction(() => {
        for (const row of rows) statement.run(...row)
      })()
    },
    sync(file) {
      try {
        fdatasyncSync(file)
      } catch ({ message }) {
        throw { message, code: 'SQLITE_IOERR_FSYNC' }
      }
    },
    close() {
      forget()
      connection?.close()
      connection = null
    },
  }
  parentPort.on('message', ([what, ...given]) => {
    try {
      parentPort.postMessage({ result: work[what](...given) })
    } catch ({ message, code }) {
      parentPort.postMessage({ failure: { message, code } })
    }
  })`

interface Failure {
  readonly message: string
  readonly code: string | undefined
}

type Answer = { readonly result: unknown } | { readonly failure: Failure }

/** Runs requests in order. Errors have SQLite's codes. Call {@link close}, or the process will wait for the thread. */
export class SqliteThread {
  readonly #thread: Worker
  readonly #waiting: PromiseWithResolvers<unknown>[] = []
  #ended: { readonly error: unknown } | null = null

  /** @param lockTimeoutMs maximum wait for another program's lock */
  constructor(lockTimeoutMs = LOCK_TIMEOUT_MS) {
    this.#thread = new Worker(THREAD, { eval: true, workerData: { lockTimeoutMs } })
    this.#thread.on('message', (answer: Answer) => {
      const asked = this.#waiting.shift()
      if ('failure' in answer) asked?.reject(asError(answer.failure))
      else asked?.resolve(answer.result)
    })
    this.#thread.on('error', (error) => this.#end(error))
    this.#thread.on('exit', () => this.#end(new Error('the thread of a SQLite file has ended')))
  }

  /** Connects to a database, and closes an earlier connection. @param path path of an existing file; null for a database in memory */
  async connect(path: string | null, access: 'read' | 'write' = 'read'): Promise<void> {
    await this.#ask('connect', path, access)
  }

  /** Runs a statement with numbered parameters: `$1`, `$2`, … */
  async all<Row>(statement: string, values: readonly Value[] = []): Promise<Row[]> {
    return (await this.#ask('all', withNumberedParameters(statement), values)) as Row[]
  }

  /** Runs a statement once for each row, in one transaction. */
  async insert(statement: string, rows: readonly (readonly Value[])[]): Promise<void> {
    await this.#ask('insert', withNumberedParameters(statement), rows)
  }

  /** Syncs a file. @param file a descriptor @throws an error with SQLite's code */
  async sync(file: number): Promise<void> {
    await this.#ask('sync', file)
  }

  /** Closes the connection. Work in progress has half a second to finish. */
  async close(): Promise<void> {
    await withDeadline(CLOSE_MS, this.#ask('close'), noAnswer).catch(() => {})
    this.#end(new Error('the thread of a SQLite file has ended'))
    await withDeadline(CLOSE_MS, this.#thread.terminate(), noAnswer).catch(() => {})
  }

  #end(error: unknown): void {
    this.#ended ??= { error }
    for (const asked of this.#waiting.splice(0)) asked.reject(error)
  }

  #ask(...asked: readonly unknown[]): Promise<unknown> {
    if (this.#ended) return Promise.reject(this.#ended.error)
    const answer = Promise.withResolvers<unknown>()
    this.#waiting.push(answer)
    this.#thread.postMessage(asked)
    return answer.promise
  }
}

function noAnswer(): Error {
  return new Error('the thread of a SQLite file does not answer')
}

function asError({ message, code }: Failure): Error {
  return Object.assign(new Error(message), { code })
}
