/** The command line: finds the command, parses its arguments, runs it, and prints its result or error. */
import { createDeps, systemClock } from '../app-deps.ts'
import { type Config, readConfig, wantsColor } from '../config/config.ts'
import { oneLine, printable } from '../lib/text.ts'
import { createLog } from '../observe.ts'
import type { Deps } from '../services/deps.ts'
import { readArguments } from './arguments.ts'
import type { Command, Context } from './command.ts'
import { accountCommands } from './commands/account.ts'
import { accountStateCommands } from './commands/account-state.ts'
import { auditCommands } from './commands/audit.ts'
import { backupCommands } from './commands/backup.ts'
import { channelCommands } from './commands/channel.ts'
import { checkCommands } from './commands/check.ts'
import { copyCommands } from './commands/copy.ts'
import { deliveryCommands } from './commands/delivery.ts'
import { importCommands } from './commands/import.ts'
import { importCrontabCommands } from './commands/import-crontab.ts'
import { importGatusCommands } from './commands/import-gatus.ts'
import { importKubernetesCommands } from './commands/import-kubernetes.ts'
import { importProjectCommands } from './commands/import-project.ts'
import { importSystemdCommands } from './commands/import-systemd.ts'
import { uptimeKumaCommands } from './commands/import-uptime-kuma.ts'
import { instanceCommands } from './commands/instances.ts'
import { keyCommands } from './commands/key.ts'
import { mailCommands } from './commands/mail.ts'
import { memberCommands } from './commands/member.ts'
import { pingCommands } from './commands/ping.ts'
import { projectCommands } from './commands/project.ts'
import { projectFileCommands } from './commands/project-file.ts'
import { reportCommands } from './commands/report.ts'
import { scheduleCommands } from './commands/schedule.ts'
import { serverCommands } from './commands/server.ts'
import { complain } from './complaint.ts'
import { completionCommands } from './completion.ts'
import { commandWords, groupOf, help, helpCommands, missingCommand, overview, unknownCommand } from './help.ts'
import { writeOutput } from './output.ts'
import { withProgress } from './progress.ts'
import { type Screen, type Shown, show } from './screen.ts'

const COMMANDS: readonly Command[] = [
  ...serverCommands,
  ...projectCommands,
  ...projectFileCommands,
  ...memberCommands,
  ...keyCommands,
  ...accountCommands,
  ...accountStateCommands,
  ...auditCommands,
  ...checkCommands,
  ...pingCommands,
  ...channelCommands,
  ...deliveryCommands,
  ...mailCommands,
  ...reportCommands,
  ...scheduleCommands,
  ...backupCommands,
  ...copyCommands,
  ...importCommands,
  ...importProjectCommands,
  ...uptimeKumaCommands,
  ...importCrontabCommands,
  ...importSystemdCommands,
  ...importKubernetesCommands,
  ...importGatusCommands,
  ...instanceCommands,
  ...completionCommands(() => COMMANDS),
  ...helpCommands(() => COMMANDS),
]

/** @param words the command line without the name of the program. @returns the exit status */
export async function runCli(words: readonly string[]): Promise<number> {
  try {
    const command = findCommand(words)
    if (command) return await runCommand(command, words.slice(command.words.split(' ').length))
    if (words.includes('--version')) return await runCli(['version', ...words.filter((word) => word !== '--version')])
    return introduce(words)
  } catch (error) {
    return complain(error, words.includes('--json'))
  }
}

function findCommand(words: readonly string[]): Command | undefined {
  return COMMANDS.find((command) => command.words.split(' ').every((word, index) => words[index] === word))
}

/** For words without a command. @throws Refusal `usage` unless they ask for help */
function introduce(words: readonly string[]): number {
  const typed = commandWords(words)
  const group = groupOf(COMMANDS, typed)
  const asksForHelp = words.length === 0 || words.includes('--help') || words.includes('-h')
  if (group.length === 0) throw unknownCommand(COMMANDS, words)
  if (asksForHelp) return say(overview(group), plainScreen())
  if (typed.length > 0 || words.every((word) => word === '--json')) throw missingCommand(typed, group)
  throw unknownCommand(COMMANDS, words)
}

async function runCommand(command: Command, args: readonly string[]): Promise<number> {
  const { values, lists, positionals } = readArguments(command, args)
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
    lists,
    now: systemClock,
    async openDeps() {
      const { config } = context
      const create = command.createsDatabase ?? false
      const log = await createLog(config.logLevel)
      deps ??= await showProgress((onWork) => createDeps(config, log, { create, checkIntegrity: create, onWork }))
      return deps
    },
    showProgress,
    // Only text is made safe for a terminal; JSON stays exact.
    print(result, shown) {
      if (values.json) process.stdout.write(`${JSON.stringify(result)}\n`)
      else say(shown, { ...plainScreen(), hasColor: process.stdout.isTTY && wantsColor() })
    },
    write: writeOutput,
    isOnTerminal: process.stdout.isTTY === true,
    note(text) {
      if (!values.json) process.stderr.write(`${printable(text)}\n`)
    },
    confirm: (question) => !(process.stdin.isTTY && process.stdout.isTTY) || confirm(oneLine(question)),
  }
  try {
    return (await command.run(context)) ?? 0
  } finally {
    const opened = deps as Deps | null
    await opened?.closeCarriers()
    await opened?.store.close()
  }
}

function plainScreen(): Screen {
  const { isTTY, columns } = process.stdout
  return { columns: isTTY ? columns || DEFAULT_COLUMNS : null, hasColor: false, now: systemClock() }
}

/** of a terminal that doesn't say its width */
const DEFAULT_COLUMNS = 80

function say(shown: Shown, screen: Screen): number {
  process.stdout.write(`${show(shown, screen)}\n`)
  return 0
}
