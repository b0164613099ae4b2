/** `overdue help`, `overdue version`, and the errors for a missing or unknown command. */
import { version } from '../../package.json'
import { Refusal } from '../domain/errors.ts'
import { suggest } from '../lib/text/suggest.ts'
import { type Command, type Context, usageLine, wholeCommand } from './command.ts'
import { usageError } from './usage.ts'

/** @param all returns every command; called when one of these runs */
export function helpCommands(all: () => readonly Command[]): Command[] {
  return [
    {
      words: 'help',
      takes: ['[COMMAND]', '[SUBCOMMAND]', '[SUBCOMMAND]'],
      summary: 'explain a command, or list all commands',
      example: 'overdue help channel create',
      async run({ positionals, print }: Context) {
        const found = all().find(({ words }) => words === positionals.join(' '))
        if (found) {
          const command = await wholeCommand(found)
          print(describe(command), help(command))
        } else {
          const group = await Promise.all(groupOf(all(), positionals).map(wholeCommand))
          if (group.length === 0) throw unknownCommand(all(), positionals)
          print(group.map(describe), overview(group))
        }
        return 0
      },
    },
    {
      words: 'version',
      summary: 'print the version',
      example: 'overdue version',
      async run({ print }) {
        print({ version }, version)
        return 0
      },
    },
  ]
}

function describe(command: Command) {
  const { words, summary, details = null, example } = command
  return { command: words, usage: usageLine(command), summary, details, example }
}

/** The commands that begin with the words, such as `key` or `project member`, and go on; empty when that is not a group. */
export function groupOf(commands: readonly Command[], typed: readonly string[]): readonly Command[] {
  if (typed.length === 0) return commands
  return commands.filter(({ words }) => words.startsWith(`${typed.join(' ')} `))
}

export function overview(commands: readonly Command[]): string {
  return [
    'Usage: overdue COMMAND [OPTIONS]',
    '',
    listing(commands).replace(/^/gm, '  '),
    '',
    'Every command has --help. With --json, a command prints JSON.',
    'Settings come from the environment; see docs/settings.md.',
  ].join('\n')
}

function listing(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ words }) => words.length))
  return commands.map(({ words, summary }) => `${words.padEnd(width)}  ${summary}`).join('\n')
}

export function help(command: Command): string {
  const { summary, details, example } = command
  const sentence = `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`
  return [usageLine(command), '', sentence, ...(details ? [details] : []), '', 'Example:', `  ${example}`].join('\n')
}

/** @param group its words; empty: the program itself, whose many commands are not listed */
export function missingCommand(group: readonly string[], commands: readonly Command[]): Refusal {
  const help = helpOf(group)
  if (group.length === 0) return usageError('missing command', help)
  const problems = listing(commands).split('\n')
  return new Refusal('usage', `missing command after "${group.join(' ')}"`, { hint: help, problems })
}

/** ``see `overdue key --help` `` */
function helpOf(words: readonly string[]): string {
  return `see \`${['overdue', ...words, '--help'].join(' ')}\``
}

/** The words between leading options, such as `--json`, and the options of a command. */
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
  const meant = meantCommand(commands, typed)
  const help = helpOf(typed.slice(0, known))
  if (meant === null) return usageError(message, help)
  const members = groupOf(commands, meant.split(' '))
  if (members.length === 0) return usageError(message, `did you mean \`overdue ${meant}\`? Otherwise ${help}`)
  return new Refusal('usage', `${message}; did you mean one of these`, {
    hint: helpOf(meant.split(' ')),
    problems: listing(members).split('\n'),
  })
}

/** Also finds reversed words, such as `create project`. */
function meantCommand(commands: readonly Command[], [first = '', second = '', third = '']: readonly string[]) {
  const names = new Set(commands.flatMap(({ words }) => beginnings(words.split(' '))))
  const longest = [...names].filter((name) => name.split(' ').length > 2)
  return (
    (third === '' ? null : suggest(`${first} ${second} ${third}`, longest)) ??
    suggest(`${first} ${second}`.trim(), names) ??
    suggest(`${second} ${first}`.trim(), names) ??
    suggest(first, names)
  )
}

/** `project`, `project member`, `project member add` */
function beginnings(words: readonly string[]): string[] {
  return words.map((_, index) => words.slice(0, index + 1).join(' '))
}
