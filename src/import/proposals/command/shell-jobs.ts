/** Recognizes which commands of a line are its job, and the purpose of the others. */
import { begunBy } from './begun-command.ts'
import { isPreparation, withoutOpeners } from './job-name.ts'
import { lastComponent } from './plain-path.ts'
import type { ShellCommand } from './shell-commands.ts'

const set = (words: string) => new Set(words.split(' '))

const BEFORE_OR_AFTER = set('echo printf mkdir touch date rm env sync logger mail mailx sendmail')
/** Programs that supply text to a pipe, and are not a job themselves. */
const FEEDERS = set('cat date df du echo find free grep head ls printf ps seq tail uptime who yes zcat')
/** Programs that look up something for the job, or pass on its output. */
const LOOKUPS = set(
  'awk basename bc cut dirname expr hostname id ifconfig ip jot jq logger mktemp nproc od readlink realpath sed shuf sort stat tee tr uname uniq wc whoami',
)
/** Programs whose failure is an answer. */
const QUESTIONS = set('grep egrep ping id diff cmp ls ps')
const FETCHERS = set('curl wget http https lynx fetch')
/** Names of programs that report a failure, or tidy up after it. */
const AFTERMATH =
  /mail|notif|alert|alarm|slack|telegram|discord|teams|ntfy|gotify|pushover|report|warn|message|sms|fail|error|clean|rollback|unlock/i

/** Returns the name of the command's program. */
export function programOf({ words }: Pick<ShellCommand, 'words'>): string {
  return lastComponent(withoutOpeners(words)[0] ?? '') ?? ''
}

export function isJob({ words }: Pick<ShellCommand, 'words'>): boolean {
  const command = withoutOpeners(words)
  return command.length > 0 && !isPreparation(command) && !BEFORE_OR_AFTER.has(lastComponent(command[0] ?? '') ?? '')
}

export const isFeeder = (command: ShellCommand) => FEEDERS.has(programOf(command))

/** Returns true for a job that may be in `$(…)`: any program that does more than look something up. */
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

/** Returns true for `grep -q` and the like, whose result is that of the line. */
export function isVerdict(command: ShellCommand): boolean {
  return (
    /^[ef]?grep$|^rg$/.test(programOf(command)) &&
    command.words.some((word) => /^-\w*q|^--(?:quiet|silent)$/.test(word))
  )
}

/** Returns true for `grep` and the like that pass on lines. They fail if they pass on none. */
export const isFilter = (command: ShellCommand) => /^[ef]?grep$|^rg$/.test(programOf(command)) && !stopsReading(command)

/** Returns true for a command that ends before its input does. */
export function stopsReading(command: ShellCommand): boolean {
  const args = withoutOpeners(command.words).slice(1)
  switch (programOf(command)) {
    case 'head':
      // `head -n -5` passes on all but the last five lines.
      return !/(?:^| )(?:-[nc] ?|--(?:lines|bytes)=)-\d/.test(args.join(' '))
    case 'grep':
      return args.some((word) => /^-\w*m|^--max-count/.test(word))
    case 'sed':
      return args.some((word) => /^(?:-\w+)?\d+[qQ]$|;\s*[qQ]\b/.test(word))
    default:
      return false
  }
}

/** Returns true for a command that does the work of a failed job, and does not only report it. */
export function isSecondTry(command: ShellCommand, first: string): boolean {
  const program = programOf(command)
  if (program === first || (FETCHERS.has(program) && FETCHERS.has(first))) return true
  const [name = '', script = ''] = withoutOpeners(command.words)
  return isWorthTelling(command) && !FETCHERS.has(program) && !AFTERMATH.test(name) && !AFTERMATH.test(script)
}

/** Returns true for a failure. `exit` alone keeps the status of the command before it. */
export function fails({ words }: ShellCommand): boolean {
  const [program = '', status = ''] = withoutOpeners(words)
  return program === 'false' || (/^(?:exit|return)$/.test(program) && status !== '0')
}

export function isCondition({ words }: ShellCommand): boolean {
  return /^(?:test|\[\[?|\(\()$/.test(withoutOpeners(words)[0] ?? '')
}
