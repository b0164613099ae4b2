/** Determines which commands of a line are the job, and the purpose of the other commands. */
import { begunBy } from './begun-command.ts'
import { isPreparation, withoutOpeners } from './job-name.ts'
import { lastComponent } from './plain-path.ts'
import type { ShellCommand } from './shell-commands.ts'

const set = (words: string) => new Set(words.split(' '))

const BEFORE_OR_AFTER = set('echo printf mkdir touch date rm env sync logger mail mailx sendmail')
/** Programs that supply text to a pipe and are not jobs themselves. */
const FEEDERS = set('cat date df du echo find free grep head ls printf ps seq tail uptime who yes zcat')
/** Programs that look something up for a job, or pass on a job's output. */
const LOOKUPS = set(
  'awk basename bc cut dirname expr hostname id ifconfig ip jot jq logger mktemp nproc od readlink realpath sed shuf sort stat tee tr uname uniq wc whoami',
)
/** Programs that report an answer, not an error, with a non-zero exit status. */
const QUESTIONS = set('grep egrep ping id diff cmp ls ps')
const FETCHERS = set('curl wget http https lynx fetch')
/** Matches names of programs that report a failure or clean up after it. */
const AFTERMATH =
  /mail|notif|alert|alarm|slack|telegram|discord|teams|ntfy|gotify|pushover|report|warn|message|sms|fail|error|clean|rollback|unlock/i

/** Returns the program name of the command. */
export function programOf({ words }: Pick<ShellCommand, 'words'>): string {
  return lastComponent(withoutOpeners(words)[0] ?? '') ?? ''
}

export function isJob({ words }: Pick<ShellCommand, 'words'>): boolean {
  const command = withoutOpeners(words)
  return command.length > 0 && !isPreparation(command) && !BEFORE_OR_AFTER.has(lastComponent(command[0] ?? '') ?? '')
}

export const isFeeder = (command: ShellCommand) => FEEDERS.has(programOf(command))

/** Returns true if the command in `$(…)` is a job, because it does more than look something up. */
export function isWorthTelling(command: ShellCommand): boolean {
  const begun = begunBy(withoutOpeners(command.words))
  const program = begun?.kind === 'program' ? (lastComponent(begun.words[0] ?? '') ?? '') : ''
  return isJob(command) && !FEEDERS.has(program) && !LOOKUPS.has(program) && !QUESTIONS.has(program)
}

export function isQuestion(command: ShellCommand): boolean {
  const [, verb = ''] = withoutOpeners(command.words)
  const name = programOf(command)
  return QUESTIONS.has(name) || (name === 'systemctl' && /^(?:is-|status$)/.test(verb))
}

/** Returns true for commands such as `grep -q`, whose result is meant to be the line's result. */
export function isVerdict(command: ShellCommand): boolean {
  return (
    /^[ef]?grep$|^rg$/.test(programOf(command)) &&
    command.words.some((word) => /^-\w*q|^--(?:quiet|silent)$/.test(word))
  )
}

/** Returns true for filters such as `grep`, which fail if they output no line. */
export const isFilter = (command: ShellCommand) => /^[ef]?grep$|^rg$/.test(programOf(command)) && !stopsReading(command)

/** Returns true for a command that may exit before it has read all its input. */
export function stopsReading(command: ShellCommand): boolean {
  const args = withoutOpeners(command.words).slice(1)
  switch (programOf(command)) {
    case 'head':
      // `head -n -5` reads all its input to omit the last five lines.
      return !/(?:^| )(?:-[nc] ?|--(?:lines|bytes)=)-\d/.test(args.join(' '))
    case 'grep':
      return args.some((word) => /^-\w*m|^--max-count/.test(word))
    case 'sed':
      return args.some((word) => /^(?:-\w+)?\d+[qQ]$|;\s*[qQ]\b/.test(word))
    default:
      return false
  }
}

/** Returns true for a command that repeats the work of a failed job instead of only reporting the failure. */
export function isSecondTry(command: ShellCommand, first: string): boolean {
  const program = programOf(command)
  if (program === first || (FETCHERS.has(program) && FETCHERS.has(first))) return true
  const [name = '', script = ''] = withoutOpeners(command.words)
  return isWorthTelling(command) && !FETCHERS.has(program) && !AFTERMATH.test(name) && !AFTERMATH.test(script)
}

/** Returns true if a command fails. `exit` without a number keeps the status of the preceding command. */
export function fails({ words }: ShellCommand): boolean {
  const [program = '', status = ''] = withoutOpeners(words)
  return program === 'false' || (/^(?:exit|return)$/.test(program) && status !== '0')
}

export function isCondition({ words }: ShellCommand): boolean {
  return /^(?:test|\[\[?|\(\()$/.test(withoutOpeners(words)[0] ?? '')
}
