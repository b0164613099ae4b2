/** Quotes arguments for command lines in unit files, where systemd itself interprets `$` and `%`, even in quotes (systemd.service(5)). */

/** Returns an argument in quotes. */
export function quoted(text: string): string {
  return inQuotes(text).replaceAll('$', '$$$$')
}

/**
 * Returns an argument, without quotes if possible. @param readsVariables false if the program has the prefix `:`, so that systemd does not
 * expand variables
 */
export function inUnit(text: string, { readsVariables }: { readonly readsVariables: boolean }): string {
  if (/^[\w:/.~@+,%-]+$/.test(text)) return text.replaceAll('%', '%%')
  return readsVariables ? quoted(text) : inQuotes(text)
}

const inQuotes = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('%', '%%')}'`
