/** Writes arguments of a command line in a unit: systemd.service(5) interprets `$` and `%` itself, also within quotes. */

/** Returns one argument in quotes. */
export function quoted(text: string): string {
  return inQuotes(text).replaceAll('$', '$$$$')
}

/** Returns one argument, bare if systemd interprets nothing in it but `%`. @param readsVariables false: the program has a `:` before it */
export function inUnit(text: string, { readsVariables }: { readonly readsVariables: boolean }): string {
  if (/^[\w:/.~@+,%-]+$/.test(text)) return text.replaceAll('%', '%%')
  return readsVariables ? quoted(text) : inQuotes(text)
}

const inQuotes = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('%', '%%')}'`
