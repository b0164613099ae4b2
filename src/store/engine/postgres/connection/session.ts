/** A connection from a pool that is reserved for one transaction. */
import type { ReservedSQL, SQL } from 'bun'
import type { Value } from '../../../sql/database.ts'
import { type Parameter, parameterOf, type Rows, withNumbers } from '../values.ts'

const nothing = () => {}

/** Minimum rates. If PostgreSQL is slower than this, it is considered unresponsive. */
const LEAST_PER_MS = { statements: 0.1, bytes: 2_500 }

/** Runs statements on one connection. */
export interface Queries {
  /** Runs a statement. Statements that are not awaited one by one are sent together and run in order. Bigints are converted to numbers. */
  query(text: string, values: readonly Parameter[]): Promise<Rows>
}

/** Timeouts in milliseconds, for a few statements without long bodies. More statements or longer bodies get more time. */
export interface Patience {
  /** maximum wait for the next answer */
  readonly silence: number
  /** maximum time from the first statement to the last answer */
  readonly whole: number
}

export class Session implements Queries {
  readonly #pool: SQL
  readonly #patience: Patience
  #reserved: Promise<ReservedSQL> | null = null
  /** number of statements without an answer, plus one while the connection is being established */
  #waiting = 0
  /** when the last answer arrived or the first pending statement was sent; monotonic milliseconds */
  #heardAt = 0
  #beganAt: number | null = null
  /** additional milliseconds allowed for the answers, depending on how much was sent */
  #allowance = 0
  #isAbandoned = false
  #last: Promise<void> = Promise.resolve()

  /** @param number the connection's number within its pool */
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

  /** Returns how long the session has been waiting without an answer, in milliseconds. @param now monotonic milliseconds */
  silence(now: number): number {
    return this.#waiting > 0 ? now - this.#heardAt : 0
  }

  /** Returns whether the session has waited longer than its limit. @param now monotonic milliseconds */
  isLate(now: number): boolean {
    if (this.#waiting === 0) return false
    const { silence, whole } = this.#patience
    const all = now - (this.#beganAt ?? now)
    return this.silence(now) >= silence + this.#allowance || all >= whole + this.#allowance
  }

  /** Stops sending statements, because the pool is about to be closed. */
  abandon(): void {
    this.#isAbandoned = true
  }

  /** Returns the connection to its pool when all sent statements have been answered. */
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

/** Counts only the bytes of bodies, because all other values are short. Bodies in a list are sent as hexadecimal strings. */
function bytesIn(sent: Value): number {
  if (sent instanceof Uint8Array) return sent.length
  return typeof sent === 'string' ? sent.length / 2 : 0
}
