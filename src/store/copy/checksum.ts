/** A checksum over rows in a canonical form, which is the same for every engine. */
import { createHash } from 'node:crypto'
import type { Value } from '../sql/database.ts'
import type { Row } from './rows.ts'

/** Rows are added in the order of their keys. */
export class Checksum {
  readonly #hash = createHash('sha256')
  /** what is not in the hash yet: one long text costs less than many short ones */
  #text = ''

  add(rows: readonly Row[]): void {
    for (const row of rows) for (const value of row) this.#add(value)
    this.#flush()
  }

  /** Kind and length stand before each value, so that different rows never become the same bytes. */
  #add(value: Value): void {
    if (value === null) this.#text += 'n'
    else if (typeof value === 'number') this.#text += `i${value};`
    else if (typeof value === 'string') this.#text += `t${value.length};${value}`
    else {
      this.#text += `b${value.length};`
      this.#flush()
      this.#hash.update(value)
    }
  }

  #flush(): void {
    this.#hash.update(this.#text)
    this.#text = ''
  }

  /** In hexadecimal digits. Ends it. */
  end(): string {
    return this.#hash.digest('hex')
  }
}
