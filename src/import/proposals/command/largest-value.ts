/** Computes the largest possible value of an expression with random numbers in the syntax of shells, Perl, Python and other languages. */

const TOKEN = /\d+(?:\.\d+)?|[A-Za-z_][\w.:]*|[-+*/%(),]/g
const VARIABLES: Readonly<Record<string, number>> = { RANDOM: 32_767, SRANDOM: 4_294_967_295 }
/**
 * Matches functions whose result does not exceed their largest argument. Without an argument, `rand` and similar functions return less than
 * 1.
 */
const FUNCTIONS =
  /^(?:int|integer|floor|ceil|round|abs|rand|mt_rand|random|random_int|randint|randrange|uniform|sleep)$/
/** Maximum nesting depth of parentheses and functions. */
const DEPTH_LIMIT = 30

/**
 * Returns the largest possible value, which is 3600 for `RANDOM % 3600`, and 601 for `1 + int(rand(600))`.
 * @param variables values by name
 * @returns Infinity if the largest value cannot be determined
 */
export function largestValue(text: string, variables: ReadonlyMap<string, number> = new Map()): number {
  // The output of a command may be any number, but the remainder of a division is bounded.
  const tokens = text.replace(/\$\([^()]*\)|`[^`]*`/g, ' unknown ').match(TOKEN) ?? []
  if (tokens.length === 0) return Infinity
  const value = new Expression(tokens, variables).sum(0)
  return Number.isNaN(value) ? Infinity : value
}

class Expression {
  readonly #tokens: readonly string[]
  readonly #variables: ReadonlyMap<string, number>
  #at = 0

  constructor(tokens: readonly string[], variables: ReadonlyMap<string, number>) {
    this.#tokens = tokens
    this.#variables = variables
  }

  sum(depth: number): number {
    let value = this.#product(depth)
    for (let sign = this.#take('+', '-'); sign !== null; sign = this.#take('+', '-')) {
      const other = this.#product(depth)
      // A subtraction does not change the maximum, because the subtrahend may be zero.
      if (sign === '+') value += other
    }
    return value
  }

  #product(depth: number): number {
    let value = this.#operand(depth)
    for (let sign = this.#take('*', '/', '%'); sign !== null; sign = this.#take('*', '/', '%')) {
      const isNumber = /^\d/.test(this.#tokens[this.#at] ?? '')
      const other = this.#operand(depth)
      if (sign === '*') value *= other
      else if (sign === '%') value = Math.min(value, other)
      else if (isNumber && other > 0) value /= other
    }
    return value
  }

  #operand(depth: number): number {
    const token = this.#tokens[this.#at++] ?? ''
    if (/^\d/.test(token)) return Number(token)
    if (depth >= DEPTH_LIMIT) return Infinity
    if (token === '(') return this.#list(depth)
    const known = this.#variables.get(token) ?? VARIABLES[token]
    if (known !== undefined) return known
    const name = token.slice(Math.max(token.lastIndexOf('.'), token.lastIndexOf(':')) + 1)
    if (!FUNCTIONS.test(name)) return Infinity
    if (this.#take('(') !== null) return this.#peek(')') ? this.#empty() : this.#list(depth)
    // Perl parses all of `rand 60 * 60` as the argument.
    return /^[\w(]/.test(this.#tokens[this.#at] ?? '') ? this.sum(depth + 1) : 1
  }

  #empty(): number {
    this.#at += 1
    return 1
  }

  /** Returns the largest of the values before the closing parenthesis. */
  #list(depth: number): number {
    let value = this.sum(depth + 1)
    while (this.#take(',') !== null) value = Math.max(value, this.sum(depth + 1))
    this.#take(')')
    return value
  }

  #peek(token: string): boolean {
    return this.#tokens[this.#at] === token
  }

  #take(...tokens: readonly string[]): string | null {
    const token = this.#tokens[this.#at]
    if (token === undefined || !tokens.includes(token)) return null
    this.#at += 1
    return token
  }
}
