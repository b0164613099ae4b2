/** The command line: finds the command, parses its arguments, runs it, and prints its result or error. It loads only descriptions. */
import { readArguments } from './arguments.ts'
import type { Command } from './command.ts'
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
import type { Io } from './io.ts'
import { runCommand, say } from './run-command.ts'

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
export async function runCli(words: readonly string[], io: Io): Promise<number> {
  try {
    const command = findCommand(words)
    if (command) return await answer(command, words.slice(command.words.split(' ').length), io)
    if (!words.includes('--version')) return introduce(words, io)
    return await runCli(['version', ...words.filter((word) => word !== '--version')], io)
  } catch (error) {
    return complain(error, words.includes('--json'), io)
  }
}

function findCommand(words: readonly string[]): Command | undefined {
  return COMMANDS.find((command) => command.words.split(' ').every((word, index) => words[index] === word))
}

async function answer(command: Command, words: readonly string[], io: Io): Promise<number> {
  const args = readArguments(command, words)
  if (!args.values.help) return runCommand(command, args, io)
  say(help(command), io)
  return 0
}

/** For words without a command. @throws Refusal `usage` unless they ask for help */
function introduce(words: readonly string[], io: Io): number {
  const typed = commandWords(words)
  const group = groupOf(COMMANDS, typed)
  const asksForHelp = words.length === 0 || words.includes('--help') || words.includes('-h')
  if (group.length === 0) throw unknownCommand(COMMANDS, words)
  if (asksForHelp) {
    say(overview(group), io)
    return 0
  }
  if (typed.length > 0 || words.every((word) => word === '--json')) throw missingCommand(typed, group)
  throw unknownCommand(COMMANDS, words)
}
