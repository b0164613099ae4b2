/** Quotes arguments for command lines in unit files. systemd itself interprets `$` and `%` there, even in quotes (systemd.service(5)). */

/** Returns an argument in quotes. */
export function quoted(text: string): string {
  return inQuotes(text).replaceAll('$', '$$$$')
}

/**
 * Returns the argument, without quotes if it needs none. @param readsVariables false if the program has the prefix `:`, so that systemd
 * does not expand variables
 */
export function inUnit(text: string, { readsVariables }: { readonly readsVariables: boolean }): string {
  if (/^[\w:/.~@+,%-]+$/.test(text)) return text.replaceAll('%', '%%')
  return readsVariables ? quoted(text) : inQuotes(text)
}

const inQuotes = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('%', '%%')}'`
