/** `overdue help`, `overdue version`, and the errors for a missing or unknown command. */
import { version } from '../../package.json'
import { Refusal } from '../domain/errors.ts'
import { suggest } from '../lib/suggest.ts'
import { type Command, type Context, usageLine } from './command.ts'
import { usageError } from './usage.ts'

/** @param all returns every command; called when one of these runs */
export function helpCommands(all: () => readonly Command[]): Command[] {
  return [
    {
      words: 'help',
      takes: ['[COMMAND]', '[SUBCOMMAND]'],
      summary: 'explain a command, or list all commands',
      example: 'overdue help channel create',
      async run({ positionals, print }: Context) {
        const command = all().find(({ words }) => words === positionals.join(' '))
        if (command) print(describe(command), help(command))
        else if (positionals.length === 0) print(all().map(describe), overview(all()))
        else {
          const group = groupOf(all(), positionals)
          if (group.length === 0 || positionals.length > 1) throw unknownCommand(all(), positionals)
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

/** The commands whose first word is the first of the words, such as `key`; empty when it is not a group. */
export function groupOf(commands: readonly Command[], [first]: readonly string[]): Command[] {
  return commands.filter(({ words }) => words.startsWith(`${first} `))
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

/** @param group null: the program itself; its many commands are not listed */
export function missingCommand(group: string | null, commands: readonly Command[]): Refusal {
  if (group === null) return usageError('missing command', 'see `overdue --help`')
  const problems = listing(commands).split('\n')
  return new Refusal('usage', `missing command after "${group}"`, { hint: `see \`overdue ${group} --help\``, problems })
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
  const [first = '', second = ''] = typed
  const isGroup = groupOf(commands, typed).length > 0
  const meant = meantCommand(commands, first, second)
  const help = isGroup ? `overdue ${first} --help` : 'overdue --help'
  const hint = meant === null ? `see \`${help}\`` : `did you mean \`overdue ${meant}\`? Otherwise see \`${help}\``
  const message = `unknown command "${isGroup ? `${first} ${second}` : first || words.join(' ')}"`
  const members = meant === null ? [] : groupOf(commands, [meant])
  if (members.length === 0) return usageError(message, hint)
  const problems = listing(members).split('\n')
  return new Refusal('usage', `${message}; did you mean one of these`, {
    hint: `see \`overdue ${meant} --help\``,
    problems,
  })
}

/** Also finds reversed words, such as `create project`. */
function meantCommand(commands: readonly Command[], first: string, second: string): string | null {
  const names = new Set(commands.flatMap(({ words }) => [words, words.split(' ')[0] ?? '']))
  return (
    suggest(`${first} ${second}`.trim(), names) ?? suggest(`${second} ${first}`.trim(), names) ?? suggest(first, names)
  )
}
