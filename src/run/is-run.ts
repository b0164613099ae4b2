/** Recognizes command lines of this client. The program checks this before it loads anything else. */

/** Returns true if the words call `overdue run`. A help option before the command belongs to the full command line. */
export function isRun(words: readonly string[]): boolean {
  const separator = words.indexOf('--')
  const ours = words.slice(0, separator < 0 ? undefined : separator)
  return ours[0] === 'run' && !ours.some((word) => word === '--help' || word === '-h')
}
