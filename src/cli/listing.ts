/** Formats lists of commands for help and errors. */
import type { Command } from './command.ts'

/**
 * Returns the commands of the group that the words name, such as `key` or `project member`. The list is empty if there is no such group.
 */
export function groupOf(commands: readonly Command[], typed: readonly string[]): readonly Command[] {
  if (typed.length === 0) return commands
  return commands.filter(({ words }) => words.startsWith(`${typed.join(' ')} `))
}

/** Returns a line for each command. @param width width of the column of command words, in characters */
export function listing(commands: readonly Command[], width = widthOf(commands)): string {
  return commands.map(({ words, summary }) => `${words.padEnd(width)}  ${summary}`).join('\n')
}

export function widthOf(commands: readonly Command[]): number {
  return Math.max(...commands.map(({ words }) => words.length))
}
