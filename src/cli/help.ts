/** `overdue help`, `overdue version`, and what stands where a command is missing or mistyped. */
import { version } from '../../package.json'
import { UsageError } from './arguments.ts'
import { type Command, type Context, usageLine } from './command.ts'
import { suggest } from './suggest.ts'

/** @param all every command there is, asked for when one of these runs */
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

/** The commands that begin with the first of `words`; none when it is no group. */
export function groupOf(commands: readonly Command[], [first]: readonly string[]): Command[] {
  return commands.filter(({ words }) => words.startsWith(`${first} `))
}

export function overview(commands: readonly Command[]): string {
  return [
    'Usage: overdue COMMAND [OPTIONS]',
    '',
    listing(commands).replace(/^/gm, '  '),
    '',
    'Every command has --help, and prints JSON with --json.',
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

/** For a group without a command behind it. */
export function missingCommand(group: string, commands: readonly Command[]): UsageError {
  const lines = listing(commands).split('\n')
  return new UsageError(`missing command after "${group}"`, `see \`overdue ${group} --help\``, lines)
}

export function unknownCommand(commands: readonly Command[], words: readonly string[]): UsageError {
  const typed = words.filter((word) => !word.startsWith('-'))
  const [first = '', second = ''] = typed
  const isGroup = groupOf(commands, typed).length > 0
  const meant = meantCommand(commands, first, second)
  const help = isGroup ? `overdue ${first} --help` : 'overdue --help'
  const hint = meant === null ? `see \`${help}\`` : `did you mean \`overdue ${meant}\`? Else see \`${help}\``
  return new UsageError(`unknown command "${isGroup ? `${first} ${second}` : first || words.join(' ')}"`, hint)
}

/** Also the other way round, as in `create project`. */
function meantCommand(commands: readonly Command[], first: string, second: string): string | null {
  const names = new Set(commands.flatMap(({ words }) => [words, words.split(' ')[0] ?? '']))
  return (
    suggest(`${first} ${second}`.trim(), names) ?? suggest(`${second} ${first}`.trim(), names) ?? suggest(first, names)
  )
}
