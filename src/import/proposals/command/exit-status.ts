/** Finds reasons why cron, and therefore a check, does not learn whether a job succeeded. */
import { type Begun, begunBy } from './begun-command.ts'
import {
  type CommandPlace,
  type Cover,
  type Covered,
  type HiddenStatus,
  hiddenStatusOf,
  type LineShell,
} from './hidden-status.ts'
import { SHELLS } from './interpreters.ts'
import { withoutOpeners } from './job-name.ts'
import { coversOf, FIRST_OF_PIPE, type ShellOptions } from './list-status.ts'
import { lockOf } from './locks.ts'
import { lastComponent } from './plain-path.ts'
import { limitOfRun, runLimit } from './run-limit.ts'
import { type ShellCommand, shellCommands } from './shell-commands.ts'
import { foreignForms } from './shell-dialects.ts'
import { gatesOf } from './shell-gates.ts'
import { isFeeder, isJob, isWorthTelling } from './shell-jobs.ts'

/** Finds reasons why the exit status of a crontab line is hidden. @param shell path of the shell that cron runs */
export function hiddenStatuses(command: string, shell: string): readonly HiddenStatus[] {
  return coversOfLine(command, shell).map((covered) => hiddenStatusOf(covered, 'crontab'))
}

/**
 * Does the same as {@link hiddenStatuses} for a program that is started without a shell. Operators such as `|` have a meaning only if the
 * program passes them to a shell.
 */
export function statusesHiddenBy(
  words: readonly string[],
  place: Exclude<CommandPlace, 'crontab'>,
): readonly HiddenStatus[] {
  const begun = begunBy(words)
  const outer = { name: null, by: null }
  const hasLimit = limitOfRun(begun) > 0
  const covers = [
    ...lockCovers(begun, outer, hasLimit),
    ...coversByProgram(begun, outer),
    ...(begun?.kind === 'line' ? coversIn(begun.line, shellIn(begun.by, outer), hasLimit, DEPTH_LIMIT) : []),
  ]
  return distinct(covers).map((covered) => hiddenStatusOf(covered, place))
}

/** Returns the ways in which a line hides exit statuses, without duplicates. @param shell path of the shell */
export function coversOfLine(command: string, shell: string): readonly Covered[] {
  const name = lastComponent(shell)
  return distinct(coversIn(command, { name, by: null }, runLimit(command) > 0, DEPTH_LIMIT))
}

function distinct(covers: Iterable<Covered>): readonly Covered[] {
  const found = new Map<Cover, Covered>()
  for (const covered of covers) if (!found.has(covered.cover)) found.set(covered.cover, covered)
  return [...found.values()]
}

/** Maximum number of nested shells. */
const DEPTH_LIMIT = 5
/** Maximum number of commands in a line, because each command is compared with all later commands. No real crontab has longer lines. */
const COMMANDS_READ = 1_000

/** @param hasLimit true if a time limit stops a run that hangs */
function* coversIn(line: string, shell: LineShell, hasLimit: boolean, depth: number): Generator<Covered> {
  const commands = shellCommands(line).slice(0, COMMANDS_READ)
  const options = optionsOf(commands)
  const found = (cover: Cover, what = ''): Covered => ({ cover, what, shell })
  for (const { cover, what } of foreignForms(commands, shell.name ?? '')) yield found(cover, what)
  const gates = gatesOf(commands)
  for (const { cover, what } of gates)
    if (cover !== null && !(cover === 'overlap' && hasLimit)) yield found(cover, what)
  const jobs = new Set(
    commands.filter((command) => isJob(command) && !gates.some((gate) => gate.commands.has(command))),
  )
  const [first] = jobs
  const lastWait = commands.findLastIndex(awaits)
  for (const [index, command] of commands.entries()) {
    const isOwn = jobs.has(command)
    if (
      (isOwn && !feeds(command) && !reads(command, commands[index - 1])) ||
      (jobs.size === 0 && keepsOutput(command))
    ) {
      for (const { cover, what } of coversOf(commands, index, options)) yield found(cover, what)
    }
    if (isOwn) {
      const begun = begunBy(withoutOpeners(command.words))
      if (command.after !== '||') yield* lockCovers(begun, shell, hasLimit)
      for (const covered of coversByCommand(command, first === command, shell)) {
        if (covered.cover !== 'detached' || index > lastWait) yield covered
      }
      if (begun?.kind === 'line' && depth > 0)
        yield* coversIn(begun.line, shellIn(begun.by, shell), hasLimit, depth - 1)
    } else if (jobs.size === 0 && !keepsOutput(command) && runsJobIn(command, true)) yield found('substitution')
    if (runsJobIn(command, false)) yield found('substitution')
  }
}

function optionsOf(commands: readonly ShellCommand[]): ShellOptions {
  const settings = commands.filter(({ words }) => words[0] === 'set').flatMap(({ words }) => words)
  const tellsFirst = commands.some(({ words }) => words.includes(FIRST_OF_PIPE))
  return {
    endsAtError: settings.some((word) => /^-\w*e/.test(word) || word === 'errexit'),
    pipes: settings.includes('pipefail') ? 'all' : tellsFirst ? 'first' : 'last',
  }
}

/** Matches programs that start a user's login shell. */
const LOGINS = /^(?:ssh|su|runuser|sg|machinectl|sops)$/

/** Returns the shell that executes the line passed to a program. @param outer the shell that starts the program */
function shellIn(by: string, outer: LineShell): LineShell {
  if (by === 'eval') return outer
  if (SHELLS.test(by)) return { name: by, by }
  return { name: LOGINS.test(by) ? null : outer.name, by }
}

/**
 * Returns true if a command returns the status of work that an earlier command started, such as `kubectl wait job/x` or `exit $(docker wait
 * x)`.
 */
function awaits({ words, substitutions }: ShellCommand): boolean {
  return (
    /^(?:kubectl|oc) .*?(?:\bwait|\brollout status) /.test(words.join(' ')) ||
    (words[0] === 'exit' &&
      substitutions.some(({ line }) => /^(?:docker|podman|nerdctl) (?:container )?wait /.test(line)))
  )
}

const feeds = (command: ShellCommand) => isFeeder(command) && command.after.startsWith('|') && command.after !== '||'

/** Returns true if a command only processes a job's output. It may also be the first command of a block. */
const reads = (command: ShellCommand, before: ShellCommand | undefined) =>
  before !== undefined && /^\|&?$/.test(before.after) && !isWorthTelling(command)

/** Recognizes `x=$(job)`, whose exit status is the status of the job. */
function keepsOutput(command: ShellCommand): boolean {
  return begunBy(withoutOpeners(command.words)) === null && runsJobIn(command, true)
}

/** @param asValue true to look in `$(…)`; false to look in `<(…)` and `>(…)` */
function runsJobIn({ substitutions }: ShellCommand, asValue: boolean): boolean {
  return substitutions.some(({ line, isValue }) => isValue === asValue && shellCommands(line).some(isWorthTelling))
}

function* lockCovers(begun: Begun | null, shell: LineShell, hasLimit: boolean): Generator<Covered> {
  const lock = lockOf(begun)
  if (lock?.ends === 'failure') yield { cover: 'busy', what: lock.program, shell }
  if (lock?.ends === 'success' && !hasLimit) yield { cover: 'overlap', what: lock.program, shell }
}

function* coversByCommand(command: ShellCommand, isFirst: boolean, shell: LineShell): Generator<Covered> {
  for (const covered of coversByProgram(begunBy(withoutOpeners(command.words)), shell)) {
    // If another job precedes curl, curl is probably used to report something.
    if (covered.cover !== 'http' || (isFirst && !/^\|/.test(command.after))) yield covered
  }
}

function* coversByProgram(begun: Begun | null, shell: LineShell): Generator<Covered> {
  for (const cover of programCovers(begun)) yield { cover, what: '', shell }
}

/** Recognizes programs that report success although their work has failed or is not finished. */
function* programCovers(begun: Begun | null): Generator<Cover> {
  if (begun?.isDetached) yield 'detached'
  if (begun?.kind !== 'program') return
  const [program = '', ...args] = begun.words
  const has = (option: RegExp) => args.some((word) => option.test(word))
  switch (lastComponent(program)) {
    case 'systemctl':
      if (has(/^--no-block$/)) yield 'detached'
      else if (args.includes('start') && !has(/^--wait$/)) yield 'service'
      break
    case 'service':
    case 'rc-service':
      if (args[1] === 'start') yield 'detached'
      break
    case 'find':
      if (has(/^-(?:exec|ok)(?:dir)?$/) && args.includes(';')) yield 'find'
      break
    case 'curl':
      if (!has(FAILS_ON_ERRORS) && !has(OTHER_PROTOCOLS)) yield 'http'
      break
    case 'http':
    case 'https':
      if (!has(/^--check-status$/)) yield 'http'
      break
    case 'lynx':
      if (has(/^-(?:dump|source)$/)) yield 'http'
      break
    case 'psql':
      if (!has(/^-\w*[cl]|^--(?:command|list)|ON_ERROR_STOP/)) yield 'sql'
      break
  }
}

/** Matches options that make curl fail on HTTP errors. A configuration file may also contain `fail`. */
const FAILS_ON_ERRORS = /^-[aBgGiIjJkLnNOpRsSvVZ0-46#]*[fK]|^--(?:fail|fail-with-body|config)(?:=|$)/
/** Matches protocols whose responses have no status code. */
const OTHER_PROTOCOLS = /^(?:ftps?|sftp|scp|file|smtps?|imaps?|pop3s?|mqtts?|ldaps?|telnet|dict|tftp|smbs?):/i
