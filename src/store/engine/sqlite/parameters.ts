/** SQLite takes `$1` as a name and numbers names by first appearance; `?1` is the first parameter. */
export function withNumberedParameters(statement: string): string {
  return statement.replace(/\$(\d+)/g, '?$1')
}
