/** One connection of a pool, held for a transaction. */
import type { ReservedSQL, SQL } from 'bun'
import { type Parameter, type Rows, withNumbers } from './values.ts'

const nothing = () => {}

/** Runs statements on one connection. */
export interface Queries {
  /** Statements that are not awaited one by one are sent together, and run in order. Numbers arrive as numbers. */
  query(text: string, values: readonly Parameter[]): Promise<Rows>
}

export class Session implements Queries {
  readonly #pool: SQL
  #reserved: Promise<ReservedSQL> | null = null
  /** statements without an answer, and the connection while it is being made */
  #waiting = 0
  /** when something last arrived, or the first of what waits was sent; monotonic milliseconds */
  #heardAt = 0
  #isAbandoned = false
  #last: Promise<void> = Promise.resolve()

  /** @param number of the connection within its pool @param silenceLimit longest wait for anything to arrive, in milliseconds */
  constructor(
    pool: SQL,
    readonly number: number,
    readonly silenceLimit: number,
  ) {
    this.#pool = pool
  }

  async query(text: string, values: readonly Parameter[]): Promise<Rows> {
    const connection = await this.#connection()
    return this.#watched(async () => withNumbers((await connection.unsafe(text, [...values])) as Rows))
  }

  /** @param text statements without parameters, separated by semicolons */
  async script(text: string): Promise<void> {
    const connection = await this.#connection()
    await this.#watched(() => connection.unsafe(text).simple())
  }

  #connection(): Promise<ReservedSQL> {
    this.#reserved ??= this.#watched(() => this.#pool.reserve())
    return this.#reserved
  }

  /** How long something has waited and nothing has arrived, in milliseconds. @param now monotonic milliseconds */
  silence(now: number): number {
    return this.#waiting > 0 ? now - this.#heardAt : 0
  }

  /** Its pool is about to be closed: nothing more is sent. */
  abandon(): void {
    this.#isAbandoned = true
  }

  /** Gives the connection back to its pool when the statements that were sent have been answered. */
  async end(): Promise<void> {
    const connection = await this.#reserved?.catch(() => null)
    await this.#last
    if (!this.#isAbandoned) connection?.release()
  }

  async #watched<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#waiting === 0) this.#heardAt = performance.now()
    this.#waiting += 1
    const done = work()
    this.#last = done.then(nothing, nothing)
    try {
      return await done
    } finally {
      this.#waiting -= 1
      this.#heardAt = performance.now()
    }
  }
}
