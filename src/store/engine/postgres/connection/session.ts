/** One connection of a pool, held for a transaction. */
import type { ReservedSQL, SQL } from 'bun'
import type { Value } from '../../../sql/database.ts'
import { type Parameter, parameterOf, type Rows, withNumbers } from '../values.ts'

const nothing = () => {}

/** A PostgreSQL that does less than this in a millisecond counts as one that does not answer. */
const LEAST_PER_MS = { statements: 0.1, bytes: 2_500 }

/** Runs statements on one connection. */
export interface Queries {
  /** Statements that are not awaited one by one are sent together, and run in order. Numbers arrive as numbers. */
  query(text: string, values: readonly Parameter[]): Promise<Rows>
}

/** In milliseconds, for a few statements without long bodies. More of them have longer. */
export interface Patience {
  /** longest wait for anything to arrive */
  readonly silence: number
  /** longest time from the first statement to the last answer */
  readonly whole: number
}

export class Session implements Queries {
  readonly #pool: SQL
  readonly #patience: Patience
  #reserved: Promise<ReservedSQL> | null = null
  /** statements without an answer, and the connection while it is being made */
  #waiting = 0
  /** when something last arrived, or the first of what waits was sent; monotonic milliseconds */
  #heardAt = 0
  #beganAt: number | null = null
  /** how much longer it may take because of what was sent; milliseconds */
  #allowance = 0
  #isAbandoned = false
  #last: Promise<void> = Promise.resolve()

  /** @param number of the connection within its pool */
  constructor(
    pool: SQL,
    readonly number: number,
    patience: Patience,
  ) {
    this.#pool = pool
    this.#patience = patience
  }

  async query(text: string, values: readonly Parameter[]): Promise<Rows> {
    const connection = await this.#connection()
    const sent = values.map(parameterOf)
    this.#allowance += 1 / LEAST_PER_MS.statements
    for (const value of sent) this.#allowance += bytesIn(value) / LEAST_PER_MS.bytes
    return this.#watched(async () => withNumbers((await connection.unsafe(text, sent)) as Rows))
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

  /** Whether something waits for longer than it may. @param now monotonic milliseconds */
  isLate(now: number): boolean {
    if (this.#waiting === 0) return false
    const { silence, whole } = this.#patience
    const all = now - (this.#beganAt ?? now)
    return this.silence(now) >= silence + this.#allowance || all >= whole + this.#allowance
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
    const now = performance.now()
    this.#beganAt ??= now
    if (this.#waiting === 0) this.#heardAt = now
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

/** Of bodies, which are all that is long. Those in a list are sent as a text, in hexadecimal digits. */
function bytesIn(sent: Value): number {
  if (sent instanceof Uint8Array) return sent.length
  return typeof sent === 'string' ? sent.length / 2 : 0
}
