/** Which command lines are for this client. The program asks before it loads anything else. */

/** True if the words name `overdue run`. Its help is the command line's, if it is asked for before the words of the command. */
export function isRun(words: readonly string[]): boolean {
  const separator = words.indexOf('--')
  const ours = words.slice(0, separator < 0 ? undefined : separator)
  return ours[0] === 'run' && !ours.some((word) => word === '--help' || word === '-h')
}
