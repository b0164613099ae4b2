/** The text format of PostgreSQL's COPY: https://www.postgresql.org/docs/current/sql-copy.html#id-1.9.3.55.9.2 */

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

/** @param line without its end @returns the values of a row; null: the value is NULL */
export function copyRow(line: string): (string | null)[] {
  return line.split('\t').map((field) => {
    if (field === '\\N') return null
    return field.includes('\\') ? field.replace(/\\(x[0-9A-Fa-f]{1,2}|[0-7]{1,3}|.)/gs, unescaped) : field
  })
}

function unescaped(_: string, code: string): string {
  if (/^x[0-9A-Fa-f]/.test(code)) return String.fromCharCode(Number.parseInt(code.slice(1), 16))
  if (/^[0-7]/.test(code)) return String.fromCharCode(Number.parseInt(code, 8))
  return ESCAPES[code] ?? code
}

const HEAD = /^COPY (?:(?:"[^"]+"|[\w$]+)\.)?"?([\w$]+)"? \((.*)\) FROM stdin;$/

/** @returns the table and its columns, if the line begins a block of rows; else null */
export function copyHead(line: string): { readonly table: string; readonly columns: readonly string[] } | null {
  const [, table, columns] = HEAD.exec(line) ?? []
  if (table === undefined || columns === undefined) return null
  return { table, columns: columns.split(', ').map((name) => name.replace(/^"(.*)"$/, '$1')) }
}

/** A value of type bytea in hexadecimal digits or in the older format with backslashes. */
export function copyBytes(text: string): Uint8Array {
  if (text.startsWith('\\x')) return Uint8Array.fromHex(text.slice(2))
  const latin1 = text.replace(/\\(\\|[0-7]{3})/g, (_, code: string) =>
    code === '\\' ? code : String.fromCharCode(Number.parseInt(code, 8)),
  )
  return Uint8Array.from(latin1, (char) => char.charCodeAt(0))
}
