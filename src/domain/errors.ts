/** The one way a request is turned down: a closed list of codes that each door maps to its own words and numbers. */

export type RefusalCode =
  | 'invalid'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'over-limit'
  | 'too-large'
  | 'busy'
  | 'unavailable'

export interface RefusalOptions extends ErrorOptions {
  /** true: the log has a line about what lies behind it, and gets no other for each request */
  readonly isLogged?: boolean
  /** when it is worth trying again; null or left out where the code says it already */
  readonly retryAfterSeconds?: number | null
}

/**
 * Thrown for what merely ends a request. `message` is meant for the client: it says what to change and quotes no secret.
 * Outcomes that a caller branches on are unions in the return type instead.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly isLogged: boolean
  /** null where the code says it already, or time alone does not help */
  readonly retryAfterSeconds: number | null

  constructor(
    readonly code: RefusalCode,
    message: string,
    { isLogged = false, retryAfterSeconds = null, ...options }: RefusalOptions = {},
  ) {
    super(message, options)
    this.isLogged = isLogged
    this.retryAfterSeconds = retryAfterSeconds
  }

  /** for the operator's log: what lies behind the message, where that is known */
  get reason(): string {
    return this.cause instanceof Error ? this.cause.message : this.message
  }
}

export interface UserErrorOptions extends ErrorOptions {
  readonly problems?: readonly string[]
}

/** A command or a setting that cannot work as given; `hint` says what to do next. Doors print both and no stack. */
export class UserError extends Error {
  override readonly name = 'UserError'
  /** one line each, where several things are wrong or there is something to choose from */
  readonly problems: readonly string[]

  constructor(
    message: string,
    readonly hint?: string,
    { problems = [], ...options }: UserErrorOptions = {},
  ) {
    super(message, options)
    this.problems = problems
  }
}
