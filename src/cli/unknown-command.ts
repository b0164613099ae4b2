/** Creates the errors for a missing or unknown command. These errors suggest the command that the user probably meant. */
import { Refusal } from '../domain/errors.ts'
import { suggest } from '../lib/text/suggest.ts'
import type { Command } from './command.ts'
import { groupOf, listing } from './listing.ts'
import { inOtherWords } from './other-words.ts'
import { usageError } from './usage.ts'

/** @param group words of the group; empty for the program itself, whose commands are too many to list */
export function missingCommand(group: readonly string[], commands: readonly Command[]): Refusal {
  const help = helpOf(group)
  if (group.length === 0) return usageError('missing command', help)
  const problems = listing(commands).split('\n')
  return new Refusal('usage', `missing command after "${group.join(' ')}"`, { hint: help, problems })
}

/** Returns a hint such as ``see `overdue key --help` ``. */
function helpOf(words: readonly string[]): string {
  return `see \`${['overdue', ...words, '--help'].join(' ')}\``
}

/** Returns the words of the command. They follow leading options, such as `--json`, and precede the command's own options. */
export function commandWords(words: readonly string[]): readonly string[] {
  const isOption = (word: string) => word.startsWith('-')
  const begin = words.findIndex((word) => !isOption(word))
  const typed = begin < 0 ? [] : words.slice(begin)
  const end = typed.findIndex(isOption)
  return end < 0 ? typed : typed.slice(0, end)
}

export function unknownCommand(commands: readonly Command[], words: readonly string[]): Refusal {
  const typed = commandWords(words)
  const known = typed.findLastIndex((_, index) => groupOf(commands, typed.slice(0, index + 1)).length > 0) + 1
  const message = `unknown command "${typed.slice(0, known + 1).join(' ') || words.join(' ')}"`
  const meant = inOtherWords(new Set(commands.map((command) => command.words)), typed) ?? misspelled(commands, typed)
  const help = helpOf(typed.slice(0, known))
  if (meant === null) return usageError(message, help)
  const members = groupOf(commands, meant.split(' '))
  if (members.length === 0) return usageError(message, `did you mean \`overdue ${meant}\`? Otherwise ${help}`)
  return new Refusal('usage', `${message}; did you mean one of these`, {
    hint: helpOf(meant.split(' ')),
    problems: listing(members).split('\n'),
  })
}

/** Returns the command or group with the most similar name. Also recognizes words in reverse order, such as `create project`. */
function misspelled(commands: readonly Command[], [first = '', second = '', third = '']: readonly string[]) {
  const names = new Set(commands.flatMap(({ words }) => beginnings(words.split(' '))))
  const longest = [...names].filter((name) => name.split(' ').length > 2)
  return (
    (third === '' ? null : suggest(`${first} ${second} ${third}`, longest)) ??
    suggest(`${first} ${second}`.trim(), names) ??
    suggest(`${second} ${first}`.trim(), names) ??
    suggest(first, names)
  )
}

/** Returns all prefixes of the words: `project`, `project member`, `project member add`. */
function beginnings(words: readonly string[]): string[] {
  return words.map((_, index) => words.slice(0, index + 1).join(' '))
}
