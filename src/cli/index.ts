/** The command line: finds the command, reads its arguments, prints what it gives and says what went wrong. */
import { createDeps, systemClock } from '../app.ts'
import { type Config, readConfig, wantsColor } from '../config.ts'
import { oneLine, printable } from '../domain/text.ts'
import { createLog } from '../observe.ts'
import type { Deps } from '../services/deps.ts'
import { readArguments } from './arguments.ts'
import { backupCommands } from './backup.ts'
import { channelCommands } from './channel.ts'
import { checkCommands } from './check.ts'
import type { Command, Context } from './command.ts'
import { complain, complaintOf } from './complaint.ts'
import { completionCommands } from './completion.ts'
import { deliveryCommands } from './delivery.ts'
import { groupOf, help, helpCommands, missingCommand, overview, unknownCommand } from './help.ts'
import { keyCommands } from './key.ts'
import { mailCommands } from './mail.ts'
import { pingCommands } from './ping.ts'
import { withProgress } from './progress.ts'
import { projectCommands } from './project.ts'
import { reportCommands } from './report.ts'
import { scheduleCommands } from './schedule.ts'
import { type Screen, type Shown, show } from './screen.ts'
import { serverCommands } from './server.ts'

const COMMANDS: readonly Command[] = [
  ...serverCommands,
  ...projectCommands,
  ...keyCommands,
  ...checkCommands,
  ...pingCommands,
  ...channelCommands,
  ...deliveryCommands,
  ...mailCommands,
  ...reportCommands,
  ...scheduleCommands,
  ...backupCommands,
  ...completionCommands(() => COMMANDS),
  ...helpCommands(() => COMMANDS),
]

const HELP = ['--help', '-h']

/** @param words the command line after the program's name. @returns the exit status */
export async function runCli(words: readonly string[]): Promise<number> {
  try {
    const command = findCommand(words)
    if (command) return await runCommand(command, words.slice(command.words.split(' ').length))
    if (words.includes('--version')) return await runCli(['version', ...words.filter((word) => word !== '--version')])
    return introduce(words)
  } catch (error) {
    return complain(complaintOf(error), words.includes('--json'))
  }
}

function findCommand(words: readonly string[]): Command | undefined {
  return COMMANDS.find((command) => command.words.split(' ').every((word, index) => words[index] === word))
}

/** For words that are no command. @throws UsageError unless somebody asks for help */
function introduce(words: readonly string[]): number {
  const group = groupOf(COMMANDS, words)
  const [first, second] = words.filter((word) => !word.startsWith('-'))
  const asksForHelp = words.length === 0 || words.some((word) => HELP.includes(word))
  if (first !== undefined && (group.length === 0 || second !== undefined)) throw unknownCommand(COMMANDS, words)
  if (asksForHelp) return say(overview(group.length > 0 ? group : COMMANDS), plainScreen())
  throw first === undefined ? unknownCommand(COMMANDS, words) : missingCommand(first, group)
}

async function runCommand(command: Command, args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(command, args)
  if (values.help) return say(help(command), plainScreen())
  let config: Config | null = null
  let deps: Deps | null = null
  const isWatched = process.stderr.isTTY === true && values.json !== true
  const showProgress: Context['showProgress'] = (work) => withProgress(isWatched, work)
  const context: Context = {
    get config() {
      config ??= readConfig()
      return config
    },
    positionals,
    values,
    now: systemClock,
    async openDeps() {
      const { config } = context
      const create = command.makesDatabase ?? false
      const log = await createLog(config.logLevel)
      deps ??= await showProgress((onWork) => createDeps(config, log, { create, onWork }))
      return deps
    },
    showProgress,
    // JSON stays exact, words must not command the terminal.
    print(result, shown) {
      if (values.json) process.stdout.write(`${JSON.stringify(result)}\n`)
      else say(shown, { ...plainScreen(), hasColor: process.stdout.isTTY && wantsColor() })
    },
    note(text) {
      if (!values.json) process.stderr.write(`${printable(text)}\n`)
    },
    confirm: (question) => !(process.stdin.isTTY && process.stdout.isTTY) || confirm(oneLine(question)),
  }
  try {
    return (await command.run(context)) ?? 0
  } finally {
    const opened = deps as Deps | null
    await opened?.hangUp()
    await opened?.store.close()
  }
}

function plainScreen(): Screen {
  const { isTTY, columns } = process.stdout
  return { columns: isTTY ? columns || DEFAULT_COLUMNS : null, hasColor: false, now: systemClock() }
}

/** of a terminal that does not tell */
const DEFAULT_COLUMNS = 80

function say(shown: Shown, screen: Screen): number {
  process.stdout.write(`${show(shown, screen)}\n`)
  return 0
}
