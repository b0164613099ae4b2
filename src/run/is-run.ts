/** Recognizes the client's command lines. The program checks for them before it loads anything else. */

/**
 * Returns true if the words call `overdue run`. Returns false if a help option precedes the command, because the full command line handles
 * that option.
 */
export function isRun(words: readonly string[]): boolean {
  const separator = words.indexOf('--')
  const ours = words.slice(0, separator < 0 ? undefined : separator)
  return ours[0] === 'run' && !ours.some((word) => word === '--help' || word === '-h')
}
