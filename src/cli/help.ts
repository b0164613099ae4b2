/** Implements `overdue help` and `overdue version`. */
import { version } from '../../package.json'
import { type Command, type Context, usageLine, wholeCommand } from './command.ts'
import { groupOf, listing, widthOf } from './listing.ts'
import { unknownCommand } from './unknown-command.ts'

/** A group of commands that the help lists under one title. */
export interface Group {
  readonly title: string
  readonly commands: readonly Command[]
}

/** @param all returns all commands; called when `help` or `version` runs */
export function helpCommands(all: () => readonly Group[]): Command[] {
  return [
    {
      words: 'help',
      takes: ['[COMMAND]', '[SUBCOMMAND]', '[SUBCOMMAND]'],
      summary: 'explain a command, or list all commands',
      example: 'overdue help channel create',
      async run({ positionals, print }: Context) {
        const commands = all().flatMap((group) => group.commands)
        const found = commands.find(({ words }) => words === positionals.join(' '))
        if (found) {
          const command = await wholeCommand(found)
          print(describe(command), help(command))
        } else {
          const group = await Promise.all(groupOf(commands, positionals).map(wholeCommand))
          if (group.length === 0) throw unknownCommand(commands, positionals)
          print(group.map(describe), overview(groupsOf(all(), positionals)))
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

/**
 * Returns the groups to list: all groups if nothing was typed, otherwise one untitled group that contains the commands beginning with the
 * typed words.
 */
export function groupsOf(all: readonly Group[], typed: readonly string[]): readonly Group[] {
  if (typed.length === 0) return all
  const commands = all.flatMap((group) => group.commands)
  return [{ title: '', commands: groupOf(commands, typed) }]
}

/** Lists all commands of the groups, with examples. If there are several groups, each contributes only the example of its first command. */
export function overview(groups: readonly Group[]): string {
  const commands = groups.flatMap((group) => group.commands)
  const width = widthOf(commands)
  const examples = groups.length === 1 ? commands : groups.flatMap((group) => group.commands.slice(0, 1))
  return [
    'Usage: overdue COMMAND [OPTIONS]',
    '',
    ...groups.flatMap((group) => [
      ...(group.title === '' ? [] : [`${group.title}:`]),
      listing(group.commands, width).replace(/^/gm, '  '),
      '',
    ]),
    'Examples:',
    ...examples.map(({ example }) => `  ${example}`),
    '',
    'Every command has --help. With --json, a command prints JSON.',
    'Settings come from the environment; see docs/settings.md.',
  ].join('\n')
}

export function help(command: Command): string {
  const { summary, details, example } = command
  const sentence = `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`
  return [usageLine(command), '', sentence, ...(details ? [details] : []), '', 'Example:', `  ${example}`].join('\n')
}
