/** Adds pings to the commands of a crontab, and explains why some commands cannot ping. */

import { hiddenStatuses } from '../command/exit-status.ts'
import { runLimit } from '../command/run-limit.ts'
import { startDelay } from '../command/start-delay.ts'
import { isWrappedBare, type Pinging, pingingCommand, understandsPings } from '../ping-lines.ts'
import { MAILS_ALREADY, PINGS_ALREADY, seemsToPingHere } from '../pinging-already.ts'
import { type Problem, problemOf } from '../proposal.ts'
import { commandCharacter } from './characters.ts'
import { type CronJobLine, QUOTED } from './lines.ts'
import type { CrontabSettings } from './settings.ts'

/** Maximum length, in characters, of a command that every cron daemon accepts. */
const COMMAND_LIMIT = 998
const MINUTE = 60

/** Options for writing pings into a crontab. */
export interface PingWriting {
  readonly pinging: Pinging
  /** beginning of the ping URLs on this server, with a trailing slash */
  readonly pingEndpoint: string
  /** maximum length, in characters, of the part of a ping URL that names the check */
  readonly targetLength: number
}

/** @param shell shell that runs the command @param url ping URL */
export function lineWith(
  { head, command, tail, id }: CronJobLine,
  shell: string,
  url: string,
  pinging: Pinging,
): string {
  return head + pingingCommand(id === null ? url.replaceAll('%', '\\%') : url, command, shell, pinging) + tail
}

/** Returns why the command cannot ping, or null if it can. */
export function commandProblem(job: CronJobLine, settings: CrontabSettings, writing: PingWriting): Problem | null {
  const { pingEndpoint, targetLength, pinging } = writing
  const { shell } = settings
  if (job.command.length <= COMMAND_LIMIT && seemsToPingHere(settings.expanded(job.command), pingEndpoint))
    return problemOf(PINGS_ALREADY)
  if (settings.mailsToCheck)
    return problemOf(MAILS_ALREADY, 'To give the job its own check, set another MAILTO above the line.')
  if (/\r\n?$/.test(job.command + job.tail)) return problemOf(CARRIAGE_RETURN, 'Save the file with Unix line ends.')
  if (job.id !== null && job.command.endsWith('\\'))
    return problemOf(
      'The line continues in the next one, which was not read with it.',
      'Join the lines, and import again.',
    )
  if (!understandsPings(shell)) {
    return problemOf(
      'Pings can be written for sh, bash, dash, ksh and zsh, but its SHELL is another one.',
      'Create a check, and ping it from the job.',
    )
  }
  const longest = lineWith({ ...job, head: '', tail: '' }, shell, pingEndpoint + '0'.repeat(targetLength), pinging)
  if (longest.length <= COMMAND_LIMIT) return null
  return problemOf(
    `With pings, the command is longer than the ${COMMAND_LIMIT} characters that cron accepts.`,
    'Put the command into a script.',
  )
}

const CARRIAGE_RETURN = 'The line ends with a carriage return, which cron passes to the command.'

/** Returns notes on what the user should do about a job that gets a check. */
export function remarksOn(job: CronJobLine, settings: CrontabSettings, { by }: Pinging): readonly Problem[] {
  const character = commandCharacter(job)
  return [
    ...(character === null ? [] : [character]),
    ...(isCutWithin(job) ? [CUT_WITHIN] : []),
    ...hiddenStatuses(job.command, settings.shell),
    ...(waitOf(job, settings) === Infinity ? [UNKNOWN_WAIT] : []),
    ...(by !== 'curl' && hidesOutput(job.command) ? [HIDDEN_OUTPUT] : []),
  ]
}

const REDIRECTED = /(?:^|[^\d&>])(?:1?>{1,2}|&>{1,2}) ?[^\s&>|;]+(?:\s+2>(?:&1|>? ?[^\s&>|;]+))?\s*$/

/** Returns true if the output of the last command is redirected by a shell that the wrapper starts. */
function hidesOutput(command: string): boolean {
  return !isWrappedBare(command) && REDIRECTED.test(command.replace(QUOTED, '_'))
}

const HIDDEN_OUTPUT = {
  reason: 'The line redirects its output, such as by `>> log`, so the pings have no output.',
  advice: 'To see the output in the log of the check, replace that by `| tee -a log` with `pipefail`, or remove it.',
}

const SUBSTITUTED = /`[^`]*`|\$\([^()]*\)/g

/**
 * Returns true if a `%` accidentally ends the command. In a crontab, a `%` without a backslash ends the command even in quotes and in
 * `$(…)`. In other places the `%` is probably intended, and the text after it is standard input.
 */
function isCutWithin({ command, tail }: CronJobLine): boolean {
  return tail.startsWith('%') && /['"`]|\$\(/.test(command.replace(QUOTED, '').replace(SUBSTITUTED, ''))
}

const CUT_WITHIN = {
  reason: 'cron ends the command at the first "%", which is within quotes, `$(…)` or backticks.',
  advice: 'Write \\% for each % of the command.',
}

/**
 * Returns how long the command waits before it runs its job, in seconds. Waits of less than a minute are ignored, because every grace time
 * is longer.
 */
export function waitOf({ command }: CronJobLine, settings: CrontabSettings): number {
  const wait = Math.ceil(startDelay(settings.expanded(command)))
  return wait < MINUTE ? 0 : wait
}

/**
 * Returns the time limit that the command sets for its run, in seconds. Limits of less than a minute are ignored, because every grace time
 * is longer.
 */
export function limitOf({ command }: CronJobLine, settings: CrontabSettings): number {
  const limit = runLimit(settings.expanded(command))
  return limit < MINUTE ? 0 : limit
}

const UNKNOWN_WAIT = {
  reason: 'The command sleeps before it runs its job, for a time that cannot be determined.',
  advice: 'Give the check a grace time that includes it.',
}
