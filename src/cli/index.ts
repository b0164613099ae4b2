/**
 * Runs a command line. Finds the command, parses its arguments, runs it, and prints its result or error. Until a command runs, only
 * descriptions are loaded.
 */

import { accountCommands } from './account/commands.ts'
import { readArguments } from './arguments.ts'
import { auditCommands } from './audit/commands.ts'
import { backupCommands } from './backup/commands.ts'
import { channelCommands } from './channel/commands.ts'
import { checkCommands } from './check/commands.ts'
import { type Command, wholeCommand } from './command.ts'
import { complain } from './complaint.ts'
import { completionCommands } from './completion.ts'
import { copyCommands } from './copy/commands.ts'
import { deliveryCommands } from './delivery/commands.ts'
import { doctorCommands } from './doctor/commands.ts'
import { type Group, groupsOf, help, helpCommands, overview } from './help.ts'
import { importCommands } from './import/commands.ts'
import { proposalCommands } from './import/proposals/commands.ts'
import { incidentCommands } from './incident/commands.ts'
import { instanceCommands } from './instances/commands.ts'
import { keyCommands } from './key/commands.ts'
import { groupOf } from './listing.ts'
import { logCommands } from './log/commands.ts'
import { mailCommands } from './mail/commands.ts'
import { memberCommands } from './member/commands.ts'
import { pingCommands } from './ping/commands.ts'
import { projectCommands } from './project/commands.ts'
import { reportCommands } from './report/commands.ts'
import { runCommands } from './run/commands.ts'
import { runCommand, say } from './run-command.ts'
import { scheduleCommands } from './schedule/commands.ts'
import { searchCommands } from './search/commands.ts'
import { serverCommands } from './server/commands.ts'
import { silenceCommands } from './silence/commands.ts'
import { statusCommands } from './status/commands.ts'
import type { Io } from './terminal/io.ts'
import { commandWords, missingCommand, unknownCommand } from './unknown-command.ts'

/** All commands, in the order in which help lists them. */
const GROUPS: readonly Group[] = [
  {
    title: 'Daily work',
    commands: [...statusCommands, ...logCommands, ...searchCommands, ...pingCommands, ...runCommands],
  },
  { title: 'Checks', commands: [...checkCommands, ...scheduleCommands, ...doctorCommands] },
  {
    title: 'Alerts',
    commands: [
      ...incidentCommands,
      ...silenceCommands,
      ...channelCommands,
      ...deliveryCommands,
      ...reportCommands,
      ...mailCommands,
    ],
  },
  {
    title: 'Projects and people',
    commands: [...projectCommands, ...memberCommands, ...keyCommands, ...accountCommands, ...auditCommands],
  },
  { title: 'Server', commands: [...serverCommands, ...instanceCommands, ...backupCommands, ...copyCommands] },
  { title: 'Moving in', commands: [...importCommands, ...proposalCommands] },
  { title: 'This program', commands: [...helpCommands(() => GROUPS), ...completionCommands(() => COMMANDS)] },
]

const COMMANDS = GROUPS.flatMap(({ commands }) => commands)

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
  say(help(await wholeCommand(command)), io)
  return 0
}

/** Handles a command line that names no command. @throws Refusal `usage` unless the command line requests help */
function introduce(words: readonly string[], io: Io): number {
  const typed = commandWords(words)
  const group = groupOf(COMMANDS, typed)
  const asksForHelp = words.length === 0 || words.includes('--help') || words.includes('-h')
  if (group.length === 0) throw unknownCommand(COMMANDS, words)
  if (asksForHelp) {
    say(overview(groupsOf(GROUPS, typed)), io)
    return 0
  }
  if (typed.length > 0 || words.every((word) => word === '--json')) throw missingCommand(typed, group)
  throw unknownCommand(COMMANDS, words)
}
