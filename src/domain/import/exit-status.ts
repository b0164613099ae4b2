/** What hides from cron, and so from a check, how a job has ended. */
import { begunBy } from './begun-command.ts'
import { isPreparation, withoutOpeners } from './job-name.ts'
import { lastComponent } from './plain-path.ts'
import { type ShellCommand, shellCommands } from './shell-commands.ts'

export interface HiddenStatus {
  /** a sentence */
  readonly reason: string
  /** a sentence */
  readonly advice: string
}

type Cover = 'pipe' | 'alternative' | 'sequence' | 'background' | 'negation' | 'loop' | 'detached' | 'condition'

const WORDS: Readonly<Record<Cover, HiddenStatus>> = {
  pipe: {
    reason: 'Of commands that are joined by "|", only the last one tells its exit status.',
    advice: 'Let bash run it, in a crontab by `SHELL=/bin/bash` above the line, and begin it with `set -o pipefail;`.',
  },
  alternative: {
    reason: 'What follows "||" takes the place of the exit status of a job that fails.',
    advice: 'Remove it, or let it end with `exit 1`.',
  },
  sequence: {
    reason: 'The job is followed by another command, and only the last one tells its exit status.',
    advice: 'Join them by `&&`, begin the command with `set -e;`, or keep the status: `job; s=$?; other; exit $s`.',
  },
  background: {
    reason: 'The job goes on behind "&", so its end is told at once, and always as a success.',
    advice: 'Remove the "&".',
  },
  negation: {
    reason: 'A "!" turns the exit status around: a job that fails tells a success.',
    advice: 'Remove it.',
  },
  loop: {
    reason: 'Of a loop, only the last round tells its exit status.',
    advice: 'End the command in the loop with `|| exit 1`.',
  },
  detached: {
    reason: 'What the line begins goes on by itself, so its end is told at once, and always as a success.',
    advice: 'Let the line wait for it, as by `systemd-run --wait`, or by `docker run` without `-d`.',
  },
  condition: {
    reason: 'A condition that is false ends the line with a failure, which the check would show.',
    advice:
      'Write `if CONDITION; then JOB; fi` if that is no failure. Where the condition is seldom true, ping from the job itself.',
  },
}

/** In the order in which they are found, each once. */
export function hiddenStatuses(command: string): readonly HiddenStatus[] {
  return [...coversIn(command, DEPTH_LIMIT)].map((cover) => WORDS[cover])
}

/** As {@link hiddenStatuses}, of a program that no shell begins: only in what it gives to one do `|` and the like mean anything. */
export function statusesHiddenBy(words: readonly string[]): readonly HiddenStatus[] {
  const begun = begunBy(words)
  if (begun?.kind === 'line') return hiddenStatuses(begun.line)
  return begun?.isDetached ? [WORDS.detached] : []
}

const DEPTH_LIMIT = 5
const CLOSERS = new Set(['fi', 'done', 'esac', '}'])
/** Another branch begins, which the shell passes over. */
const BRANCHES = new Set(['else', 'elif', ';;'])
/** They bring text to what is behind the `|`, and are no job themselves. */
const FEEDERS = new Set('cat date df du echo find free grep head ls printf ps seq tail uptime who yes zcat'.split(' '))
/** Their failure is an answer. */
const QUESTIONS = new Set('grep egrep ping id diff cmp ls ps'.split(' '))

function isQuestion([program = '', verb = '']: readonly string[]): boolean {
  const name = lastComponent(program) ?? ''
  return QUESTIONS.has(name) || (name === 'systemctl' && /^(?:is-|status$)/.test(verb))
}

/** A line of more commands is no crontab's, and each is compared with those behind it. */
const COMMANDS_READ = 1_000

function coversIn(line: string, depth: number): ReadonlySet<Cover> {
  const commands = shellCommands(line).slice(0, COMMANDS_READ)
  const settings = commands.filter(({ words }) => words[0] === 'set').flatMap(({ words }) => words)
  const endsAtError = settings.some((word) => /^-\w*e/.test(word) || word === 'errexit')
  const tellsPipes = settings.includes('pipefail')
  const covers = new Set<Cover>(dependsOnCondition(commands) ? ['condition'] : [])
  for (const [index, command] of commands.entries()) {
    if (!isJob(command)) continue
    for (const cover of coversOf(commands, index, { endsAtError, tellsPipes })) covers.add(cover)
    const begun = begunBy(withoutOpeners(command.words))
    if (begun?.isDetached || isTerminal(command)) covers.add('detached')
    if (begun?.kind === 'line' && depth > 0) for (const cover of coversIn(begun.line, depth - 1)) covers.add(cover)
  }
  return covers
}

/** `[ -x /opt/a ] && /opt/a`, with nothing behind it that would tell another status. */
function dependsOnCondition(commands: readonly ShellCommand[]): boolean {
  const [first] = commands
  const isCondition = /^(?:test|\[\[?)$/.test(first?.words[0] ?? '') && first?.after === '&&'
  return isCondition && commands.every(({ after }) => after === '&&' || after === '' || isPipe(after))
}

function isJob({ words }: ShellCommand): boolean {
  const command = withoutOpeners(words)
  return command.length > 0 && !isPreparation(command) && !BEFORE_OR_AFTER.has(lastComponent(command[0] ?? '') ?? '')
}

const BEFORE_OR_AFTER = new Set('echo printf mkdir touch date rm logger mail mailx sendmail'.split(' '))

/** Terminals, queues and managers keep the job. */
function isTerminal({ words: [program = '', ...others] }: ShellCommand): boolean {
  if (program === 'at' || program === 'batch' || program === 'coproc') return true
  if (program === 'systemctl') return others.some((word) => word.endsWith('no-block'))
  return (program === 'screen' || program === 'tmux') && others.some((word) => /^-\w*d/.test(word))
}

interface ShellOptions {
  readonly endsAtError: boolean
  readonly tellsPipes: boolean
}

function* coversOf(commands: readonly ShellCommand[], index: number, options: ShellOptions): Generator<Cover> {
  const { words, after } = commands[index] as ShellCommand
  const program = lastComponent(withoutOpeners(words)[0] ?? '') ?? ''
  if (isPipe(after) && !options.tellsPipes && !FEEDERS.has(program)) yield 'pipe'
  const end = endOfList(commands, index)
  const alternative = commands.slice(index, end).findIndex((one) => one.after === '||')
  const asks = isQuestion(withoutOpeners(words))
  if (alternative >= 0) {
    if (!asks && hides(commands.slice(index + alternative + 1), program)) yield 'alternative'
  } else if (/^(?:if|elif)$/.test(words[0] ?? '')) {
    if (!asks && !commands.slice(end + 1).some((one) => fails(withoutOpeners(one.words)))) yield 'sequence'
  } else if (!/^(?:while|until)$/.test(words[0] ?? '')) yield* coversBehind(commands, index, end, options)
}

/** What a list without an alternative is followed by, and the block that it is in. */
function* coversBehind(
  commands: readonly ShellCommand[],
  index: number,
  end: number,
  { endsAtError, tellsPipes }: ShellOptions,
): Generator<Cover> {
  const isBackground = commands[end]?.after === '&'
  if (isBackground && !isAwaited(commands.slice(end + 1))) yield 'background'
  const at = behindBlocks(commands, end)
  const rest = commands.slice(at)
  const block = at > end + 1 ? commands[at - 1]?.after : undefined
  const pipeline = commands[beginningOfPipeline(commands, index)]
  if (pipeline?.words[0] === '!' && commands[index]?.after !== '&&' && rest.length === 0) yield 'negation'
  if (block === '&') yield 'background'
  if (isPipe(block ?? '') && !tellsPipes) yield 'pipe'
  if (block === '||' && hides(rest, '')) yield 'alternative'
  if (isBackground || endsAtError) return
  if (commands[end + 1]?.words[0] === 'done') yield 'loop'
  if (rest.length > 0 && !isJoined(block ?? '') && !tellsStatus(rest)) yield 'sequence'
}

const isPipe = (after: string) => after === '|' || after === '|&'
/** What joins commands to one list, of which the last one that runs tells the status. */
const isJoined = (after: string) => isPipe(after) || after === '&&' || after === '||' || after === ')'

function endOfList(commands: readonly ShellCommand[], index: number): number {
  let end = index
  while (end < commands.length - 1 && isJoined(commands[end]?.after ?? '')) end++
  return end
}

function beginningOfPipeline(commands: readonly ShellCommand[], index: number): number {
  let beginning = index
  while (beginning > 0 && isPipe(commands[beginning - 1]?.after ?? '')) beginning--
  return beginning
}

/** True unless the alternative fails itself, or is the same program once more. */
function hides(alternative: readonly ShellCommand[], program: string): boolean {
  const [first, ...others] = alternative
  if (first === undefined) return true
  const begins = withoutOpeners(first.words)
  const block = first.words[0] === '{' || first.after === ';' ? [first, ...others] : [first]
  if (block.some(({ words }) => fails(withoutOpeners(words)))) return false
  return lastComponent(begins[0] ?? '') !== program
}

/** `exit` alone keeps the status of the command before it. */
function fails([program = '', status = '']: readonly string[]): boolean {
  return program === 'false' || (/^(?:exit|return)$/.test(program) && status !== '0')
}

/** Where the next command after a list stands, behind the ends of the blocks that the list is in. */
function behindBlocks(commands: readonly ShellCommand[], end: number): number {
  let at = end + 1
  for (let command = commands[at]; command !== undefined; command = commands[at]) {
    const [word = ''] = command.words
    if (BRANCHES.has(word)) {
      while (at < commands.length && !CLOSERS.has(commands[at]?.words[0] ?? '')) at++
    } else if (!CLOSERS.has(word)) break
    at++
  }
  return at
}

/** The status is kept, or the last command ends with that of the job. */
function tellsStatus(rest: readonly ShellCommand[]): boolean {
  return rest.some(({ words }, index) => {
    const [program = '', status = ''] = withoutOpeners(words)
    if (program !== 'exit') return false
    return status === '' || status === '$?' ? index === 0 : status.startsWith('$')
  })
}

/** `wait` without a process always succeeds. */
function isAwaited(rest: readonly ShellCommand[]): boolean {
  return rest.some(({ words: [program, process] }) => program === 'wait' && process !== undefined)
}
