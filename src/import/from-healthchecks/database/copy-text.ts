/** The text format of PostgreSQL's COPY: https://www.postgresql.org/docs/current/sql-copy.html#id-1.9.3.55.9.2 */

const [TAB, BACKSLASH, LOWER_X] = [0x09, 0x5c, 0x78]
const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }
const ESCAPED = new Map(Object.entries(ESCAPES).map(([code, char]) => [code.charCodeAt(0), char.charCodeAt(0)]))

/**
 * Returns the offset of each value in a row, and the offset where the next value would begin. Stops at the first surplus value.
 * @param line the line, without its line break @param width number of values @returns null if the row has more or fewer values
 */
export function copyColumns(line: Uint8Array, width: number): number[] | null {
  const starts = [0]
  for (let at = 0; at < line.length; at++) {
    if (line[at] !== TAB) continue
    if (starts.length === width) return null
    starts.push(at + 1)
  }
  starts.push(line.length + 1)
  return starts.length === width + 1 ? starts : null
}

/** Returns a value of a row. @param columns result of {@link copyColumns} @returns null if the value is NULL */
export function copyValue(line: Buffer, columns: readonly number[], index: number): Buffer | null {
  const value = line.subarray(columns[index] ?? 0, (columns[index + 1] ?? 1) - 1)
  if (!value.includes(BACKSLASH)) return value
  return value.length === 2 && value[1] === 'N'.charCodeAt(0) ? null : unescaped(value)
}

/** Removes escapes in one pass, into a buffer of the same length, because a value may contain millions of escapes. */
function unescaped(value: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(value.length)
  let length = 0
  for (let at = 0; at < value.length; ) {
    const byte = value[at] ?? 0
    if (byte !== BACKSLASH || at + 1 === value.length) {
      bytes[length++] = byte
      at += 1
      continue
    }
    const code = value[at + 1] ?? 0
    const base = code === LOWER_X ? 16 : 8
    const [from, most] = code === LOWER_X ? [at + 2, 2] : [at + 1, 3]
    const digits = digitsAt(value, from, most, base)
    bytes[length++] = digits > 0 ? number(value, from, digits, base) & 0xff : (ESCAPED.get(code) ?? code)
    at = digits > 0 ? from + digits : at + 2
  }
  return bytes.subarray(0, length)
}

function digitsAt(value: Buffer, from: number, most: number, base: number): number {
  let digits = 0
  while (digits < most && !Number.isNaN(digit(value[from + digits], base))) digits += 1
  return digits
}

function number(value: Buffer, from: number, digits: number, base: number): number {
  let sum = 0
  for (let index = 0; index < digits; index++) sum = sum * base + digit(value[from + index], base)
  return sum
}

function digit(byte: number | undefined, base: number): number {
  return byte === undefined ? Number.NaN : Number.parseInt(String.fromCharCode(byte), base)
}

const HEAD = /^COPY (?:(?:"[^"]+"|[\w$]+)\.)?"?([\w$]+)"? \((.*)\) FROM stdin;$/

/** @returns the table and its columns if the line begins a block of rows, otherwise null */
export function copyHead(line: string): { readonly table: string; readonly columns: readonly string[] } | null {
  const [, table, columns] = HEAD.exec(line) ?? []
  if (table === undefined || columns === undefined) return null
  return { table, columns: columns.split(', ').map((name) => name.replace(/^"(.*)"$/, '$1')) }
}

/**
 * Parses a value of type bytea in hexadecimal digits or in the older format with backslashes. @throws SyntaxError if there are invalid
 * digits
 */
export function copyBytes(text: Buffer): Uint8Array {
  if (text[0] === BACKSLASH && text[1] === LOWER_X) return Uint8Array.fromHex(text.toString('latin1', 2))
  return Uint8Array.from(unescaped(text))
}
