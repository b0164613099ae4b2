/** The command line: finds the command, reads its options, prints what it gives and says what went wrong. */
import { parseArgs } from 'node:util'
import { version } from '../../package.json'
import { createDeps, systemClock } from '../app.ts'
import { ConfigError, readConfig } from '../config.ts'
import { Refusal, UserError } from '../domain/errors.ts'
import { oneLine, printable } from '../domain/text.ts'
import { createLog } from '../observe.ts'
import type { Deps } from '../services/deps.ts'
import { backupCommands } from './backup.ts'
import { channelCommands } from './channel.ts'
import type { Command, Context } from './command.ts'
import { table } from './command.ts'
import { deliveryCommands } from './delivery.ts'
import { keyCommands } from './key.ts'
import { mailCommands } from './mail.ts'
import { withProgress } from './progress.ts'
import { projectCommands } from './project.ts'
import { reportCommands } from './report.ts'
import { scheduleCommands } from './schedule.ts'
import { serverCommands } from './server.ts'

const COMMANDS: readonly Command[] = [
  ...serverCommands,
  ...projectCommands,
  ...keyCommands,
  ...channelCommands,
  ...deliveryCommands,
  ...mailCommands,
  ...reportCommands,
  ...scheduleCommands,
  ...backupCommands,
]

const EXIT_FAILURE = 1
/** for mistakes in the command line or in the settings */
const EXIT_USAGE = 2

/** @param words the command line after the program's name. @returns the exit status */
export async function runCli(words: readonly string[]): Promise<number> {
  const command = COMMANDS.find((candidate) => isPrefix(candidate.words.split(' '), words))
  if (!command) return noCommand(words)
  const args = words.slice(command.words.split(' ').length)
  try {
    return await runCommand(command, args)
  } catch (error) {
    return explain(error, command)
  }
}

function isPrefix(start: readonly string[], words: readonly string[]): boolean {
  return start.every((word, index) => words[index] === word)
}

async function runCommand(command: Command, args: readonly string[]): Promise<number> {
  const options = { ...command.options, json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
  if (values.help) return say(help(command))
  const [least, most] =
    typeof command.positionals === 'number' ? [command.positionals, command.positionals] : command.positionals
  if (positionals.length < least || positionals.length > most) {
    throw new UsageError(`not understood: ${usageLine(command)}`)
  }
  let deps: Deps | null = null
  const config = readConfig()
  const isWatched = process.stderr.isTTY === true && values.json !== true
  const showProgress: Context['showProgress'] = (work) => withProgress(isWatched, work)
  const context: Context = {
    config,
    positionals,
    now: systemClock,
    values: values as Context['values'],
    async openDeps() {
      const create = command.makesDatabase ?? false
      const log = await createLog(config.logLevel)
      deps ??= await showProgress((onWork) => createDeps(config, log, { create, onWork }))
      return deps
    },
    showProgress,
    // JSON stays exact, words must not command the terminal.
    print: (result, text) => void say(values.json ? JSON.stringify(result) : printable(text)),
  }
  try {
    return (await command.run(context)) ?? 0
  } finally {
    const opened = deps as Deps | null
    await opened?.hangUp()
    await opened?.store.close()
  }
}

class UsageError extends Error {}

function explain(error: unknown, command: Command): number {
  if (error instanceof ConfigError)
    return complain(['The settings are not right:', ...error.problems.map((p) => `  ${p}`)], EXIT_USAGE)
  if (error instanceof UserError)
    return complain([oneLine(error.message), ...(error.hint ? [`→ ${oneLine(error.hint)}`] : [])], EXIT_FAILURE)
  if (error instanceof Refusal) {
    const cause = error.cause instanceof Error ? [`→ ${oneLine(error.cause.message)}`] : []
    return complain([oneLine(error.message), ...cause], EXIT_FAILURE)
  }
  const isUsage =
    error instanceof UsageError ||
    (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))
  if (isUsage) return complain([error.message, `→ overdue ${command.words} --help`], EXIT_USAGE)
  throw error
}

function noCommand(words: readonly string[]): number {
  if (words.includes('--version')) return say(version)
  if (words.length === 0 || words.includes('--help') || words.includes('-h')) return say(overview(words))
  const isGroup = COMMANDS.some((command) => command.words.startsWith(`${words[0]} `))
  const help = isGroup ? `overdue ${words[0]} --help` : 'overdue --help'
  return complain([`there is no command "${words.join(' ')}"`, `→ ${help}`], EXIT_USAGE)
}

/** All commands, or those that begin with the words before `--help`. */
function overview(words: readonly string[]): string {
  const [group] = words.filter((word) => !word.startsWith('-'))
  const shown = COMMANDS.filter((command) => group === undefined || command.words.startsWith(`${group} `))
  const rows = (shown.length > 0 ? shown : COMMANDS).map(({ words, summary }) => [words, summary])
  return `overdue COMMAND [--json] [--help]\n\n${table(rows).replace(/^/gm, '  ')}\n\nSettings come from the environment, see docs/settings.md.`
}

function help(command: Command): string {
  const details = command.details ? ['', command.details] : []
  return [usageLine(command), '', command.summary, ...details].join('\n')
}

function usageLine({ words, usage }: Command): string {
  return ['overdue', words, usage, '[--json]'].filter((part) => part !== '').join(' ')
}

function say(text: string): number {
  process.stdout.write(`${text}\n`)
  return 0
}

function complain(lines: readonly string[], status: number): number {
  process.stderr.write(`${lines.map(printable).join('\n')}\n`)
  return status
}
