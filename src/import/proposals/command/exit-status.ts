/** What hides from cron, and so from a check, how a job has ended. */
import { type Begun, begunBy } from './begun-command.ts'
import { type Cover, HIDDEN_STATUSES, type HiddenStatus } from './hidden-status.ts'
import { withoutOpeners } from './job-name.ts'
import { coversOf, FIRST_OF_PIPE } from './list-status.ts'
import { lastComponent } from './plain-path.ts'
import { type ShellCommand, shellCommands } from './shell-commands.ts'
import { gateCover } from './shell-gates.ts'
import { isFeeder, isJob, isWorthTelling } from './shell-jobs.ts'

/** In the order in which they are found, each once. */
export function hiddenStatuses(command: string): readonly HiddenStatus[] {
  return [...coversIn(command, DEPTH_LIMIT)].map((cover) => HIDDEN_STATUSES[cover])
}

/** As {@link hiddenStatuses}, of a program that no shell begins: only in what it gives to one do `|` and the like mean anything. */
export function statusesHiddenBy(words: readonly string[]): readonly HiddenStatus[] {
  const begun = begunBy(words)
  if (begun?.kind === 'line') return hiddenStatuses(begun.line)
  return [...coversByProgram(begun)].map((cover) => HIDDEN_STATUSES[cover])
}

/** Shells within shells. */
const DEPTH_LIMIT = 5
/** A line of more commands is no crontab's, and each is compared with those behind it. */
const COMMANDS_READ = 1_000

function coversIn(line: string, depth: number): ReadonlySet<Cover> {
  const commands = shellCommands(line).slice(0, COMMANDS_READ)
  const settings = commands.filter(({ words }) => words[0] === 'set').flatMap(({ words }) => words)
  const options = {
    endsAtError: settings.some((word) => /^-\w*e/.test(word) || word === 'errexit'),
    tellsPipes: settings.includes('pipefail') || commands.some(({ words }) => words.includes(FIRST_OF_PIPE)),
  }
  const gate = gateCover(commands)
  const covers = new Set<Cover>(gate === null ? [] : [gate])
  const jobs = commands.filter(isJob)
  for (const [index, command] of commands.entries()) {
    if ((isJob(command) && !feeds(command)) || (jobs.length === 0 && keepsOutput(command))) {
      for (const cover of coversOf(commands, index, options)) covers.add(cover)
    }
    if (isJob(command)) for (const cover of coversByCommand(command, jobs[0] === command, depth)) covers.add(cover)
    else if (jobs.length === 0 && !keepsOutput(command) && runsJobIn(command, true)) covers.add('substitution')
    if (runsJobIn(command, false)) covers.add('substitution')
  }
  return covers
}

const feeds = (command: ShellCommand) => isFeeder(command) && command.after.startsWith('|') && command.after !== '||'

/** `x=$(job)`, which ends with the status of the job. */
function keepsOutput(command: ShellCommand): boolean {
  return begunBy(withoutOpeners(command.words)) === null && runsJobIn(command, true)
}

/** @param asValue true: in `$(…)`; false: in `<(…)` or `>(…)` */
function runsJobIn({ substitutions }: ShellCommand, asValue: boolean): boolean {
  return substitutions.some(({ line, isValue }) => isValue === asValue && shellCommands(line).some(isWorthTelling))
}

function* coversByCommand(command: ShellCommand, isFirst: boolean, depth: number): Generator<Cover> {
  const begun = begunBy(withoutOpeners(command.words))
  for (const cover of coversByProgram(begun)) {
    // Another job before it may well tell somebody by curl.
    if (cover !== 'http' || (isFirst && !/^\|/.test(command.after))) yield cover
  }
  if (begun?.kind === 'line' && depth > 0) yield* coversIn(begun.line, depth - 1)
}

/** Programs that tell a success although what they are for has failed, or has not ended. */
function* coversByProgram(begun: Begun | null): Generator<Cover> {
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

/** Options of curl; a file of options may have `fail`. */
const FAILS_ON_ERRORS = /^-[aBgGiIjJkLnNOpRsSvVZ0-46#]*[fK]|^--(?:fail|fail-with-body|config)(?:=|$)/
/** They have no answers with a status of their own. */
const OTHER_PROTOCOLS = /^(?:ftps?|sftp|scp|file|smtps?|imaps?|pop3s?|mqtts?|ldaps?|telnet|dict|tftp|smbs?):/i
