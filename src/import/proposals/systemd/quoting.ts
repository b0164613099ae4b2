/** Writes arguments of a command line in a unit: systemd.service(5) reads `$` and `%` itself, also within quotes. */

/** One argument in quotes. */
export function quoted(text: string): string {
  return inQuotes(text).replaceAll('$', '$$$$')
}

/** One argument, bare if systemd reads nothing into it but `%`. @param readsVariables false: a `:` stands before the program */
export function inUnit(text: string, { readsVariables }: { readonly readsVariables: boolean }): string {
  if (/^[\w:/.~@+,%-]+$/.test(text)) return text.replaceAll('%', '%%')
  return readsVariables ? quoted(text) : inQuotes(text)
}

const inQuotes = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('%', '%%')}'`
