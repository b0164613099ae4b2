/** {@link Sql} for a transaction on one connection. */
import type { Lock, Sql, Value } from '../../sql/database.ts'
import type { Queries } from './connection/session.ts'
import { LOCK_CHECKS, LOCK_NAMES, lockNames } from './locks.ts'
import { createPingTables } from './ping-tables.ts'
import { STATEMENTS } from './statements.ts'
import type { Parameter, Rows } from './values.ts'
import { createWordIndex } from './word-index.ts'

const nothing = () => {}

/** Maximum number of statements to send together. With more, pending answers would take up too much of this process's memory. */
const AT_ONCE = 256

export class TransactionSql implements Sql, Queries {
  readonly statements = STATEMENTS
  readonly words = createWordIndex(this)
  readonly pings = createPingTables(this)
  readonly #session: Queries
  readonly #unheard: Promise<unknown>[] = []
  #hasChanged = false
  #hasEnded = false
  /** error of the first statement that failed; it makes all later statements fail too */
  #failure: unknown = null

  constructor(session: Queries) {
    this.#session = session
  }

  /** Returns whether any statement has changed a row. */
  get hasChanged(): boolean {
    return this.#hasChanged
  }

  /**
   * Sends a statement together with later ones, without waiting for its answer. If it fails, the transaction fails with its error. {@link
   * heard} waits for the answer.
   */
  later(statement: string, values: readonly Parameter[]): void {
    this.#hasChanged = true
    const done = this.query(statement, values)
    done.catch(nothing)
    this.#unheard.push(done)
  }

  /** Waits for the answers that were not awaited. @throws the first error */
  async heard(): Promise<void> {
    await allSettled(this.#unheard.splice(0))
  }

  /**
   * Rejects further statements, because they would run after the transaction. Some asynchronous part of failed work may still be running.
   */
  end(): void {
    this.#hasEnded = true
  }

  async get<Row>(statement: string, values: readonly Value[]): Promise<Row | null> {
    const rows = await this.query(statement, values)
    return (rows[0] as Row | undefined) ?? null
  }

  async all<Row>(statement: string, values: readonly Parameter[]): Promise<Row[]> {
    return (await this.query(statement, values)) as Row[]
  }

  async run(statement: string, values: readonly Parameter[]): Promise<number> {
    return (await this.query(statement, values)).count
  }

  async getEach<Row>(statement: string, lists: readonly (readonly Value[])[]): Promise<(Row | null)[]> {
    const found: (Row | null)[] = []
    for (let done = 0; done < lists.length; done += AT_ONCE) {
      const some = lists.slice(done, done + AT_ONCE).map((values) => this.get<Row>(statement, values))
      found.push(...(await allSettled(some)))
    }
    return found
  }

  async runEach(statement: string, lists: readonly (readonly Value[])[]): Promise<void> {
    for (const values of lists) {
      if (this.#unheard.length >= AT_ONCE) await this.heard()
      this.later(statement, values)
    }
  }

  async lock(what: Lock, keys: readonly string[] = ['']): Promise<void> {
    if (keys.length === 0) return
    if (what === 'check') await this.#send(LOCK_CHECKS, [keys])
    else await this.#send(LOCK_NAMES, [lockNames(what, keys)])
  }

  async query(statement: string, values: readonly Parameter[]): Promise<Rows> {
    const rows = await this.#send(statement, values)
    if (rows.count > 0 && rows.command !== 'SELECT') this.#hasChanged = true
    return rows
  }

  async #send(statement: string, values: readonly Parameter[]): Promise<Rows> {
    if (this.#hasEnded) throw new Error('the transaction of this statement has ended')
    try {
      return await this.#session.query(statement, values)
    } catch (error) {
      this.#failure ??= error
      throw this.#failure
    }
  }
}

/** Waits for all promises, so that no statement is in progress when the transaction ends. @throws the first error */
async function allSettled<Result>(promises: readonly Promise<Result>[]): Promise<Result[]> {
  await Promise.allSettled(promises)
  return Promise.all(promises)
}
