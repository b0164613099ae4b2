/**
 * Determines whether a line exits with the status of one of its commands. If it does not, finds the part of the line that hides the status.
 */
import type { ListCover } from './hidden-status.ts'
import { withoutOpeners } from './job-name.ts'
import { blocksIn, CLOSERS } from './shell-branches.ts'
import type { ShellCommand } from './shell-commands.ts'
import {
  fails,
  isCondition,
  isFeeder,
  isFilter,
  isQuestion,
  isSecondTry,
  isVerdict,
  programOf,
  stopsReading,
} from './shell-jobs.ts'

export interface ShellOptions {
  readonly endsAtError: boolean
  /** commands of a pipe whose exit status counts; `all` and `first` require bash features, and `last` is the default */
  readonly pipes: 'all' | 'first' | 'last'
}

interface CoveredInList {
  readonly cover: ListCover
  /** program at the end of a pipe; omitted if the message does not mention it */
  readonly what?: string
}

/** Exit status of the first command of a pipe, in bash. */
export const FIRST_OF_PIPE = `\${PIPESTATUS[0]}`
/** Keywords that begin another branch. The shell skips that branch. */
const BRANCHES = new Set(['else', 'elif'])

/** @param index index of the job among the line's commands */
export function* coversOf(
  commands: readonly ShellCommand[],
  index: number,
  options: ShellOptions,
): Generator<CoveredInList> {
  const command = commands[index] as ShellCommand
  const [opener = ''] = command.words
  const members = membersOf(commands, index)
  const end = members.at(-1) ?? index
  if (isPipe(command.after) && !isFeeder(command)) yield* pipeCovers(commands, members, options)
  const alternative = members.slice(0, -1).find((at) => commands[at]?.after === '||')
  if (alternative !== undefined) {
    if (!isQuestion(command) && hides(commands.slice(alternative + 1), command)) yield { cover: 'alternative' }
  } else if (/^(?:if|elif)$/.test(opener)) {
    if (!isQuestion(command) && !branchesTell(commands.slice(end + 1), command)) yield { cover: 'sequence' }
  } else if (!/^(?:while|until)$/.test(opener)) yield* coversBehind(commands, index, end, options)
}

/** @param members members of the list that begins with the pipe */
function* pipeCovers(
  commands: readonly ShellCommand[],
  members: readonly number[],
  { pipes }: ShellOptions,
): Generator<CoveredInList> {
  const end = members.findIndex((member) => !isPipe(commands[member]?.after ?? ''))
  const pipe = members.slice(0, end < 0 ? members.length : end + 1)
  // Blocks are examined by other code.
  const behind = pipe.flatMap((member, at) =>
    at > 0 && member === (pipe[at - 1] ?? 0) + 1 ? (commands[member] ?? []) : [],
  )
  const last = commands[pipe.at(-1) ?? -1]
  if (last !== undefined && isVerdict(last)) return
  const stopping = behind.find(stopsReading)
  const filter = behind.find((command) => isFilter(command) && command.after !== '&&')
  if (stopping !== undefined) yield { cover: pipes === 'last' ? 'cut' : 'stopped', what: programOf(stopping) }
  else if (filter !== undefined && pipes === 'last') yield { cover: 'filter', what: programOf(filter) }
  else if (filter !== undefined && pipes === 'all' && filter.after !== '||')
    yield { cover: 'empty', what: programOf(filter) }
  else if (pipes === 'last') yield { cover: 'pipe' }
}

/** Finds what hides the status of a list without an alternative: the commands after the list, and the block around it. */
function* coversBehind(
  commands: readonly ShellCommand[],
  index: number,
  end: number,
  { endsAtError, pipes }: ShellOptions,
): Generator<CoveredInList> {
  const command = commands[index] as ShellCommand
  const isBackground = commands[end]?.after === '&'
  if (isBackground && !isAwaited(commands.slice(end + 1)))
    yield { cover: end + 1 < commands.length ? 'unawaited' : 'background' }
  const at = behindBlocks(commands, end)
  const rest = commands.slice(at)
  const block = at > end + 1 ? commands[at - 1]?.after : undefined
  const pipeline = commands[beginningOfPipeline(commands, index)]
  if (pipeline?.words[0] === '!' && command.after !== '&&' && rest.length === 0 && !isVerdict(command))
    yield { cover: 'negation' }
  if (block === '&') yield { cover: 'background' }
  if (isPipe(block ?? '') && pipes === 'last') yield { cover: 'pipe' }
  if (block === '||' && hides(rest, null)) yield { cover: 'alternative' }
  if (isBackground || endsAtError) return
  const leaves = index < end && /^(?:exit|break)$/.test(programOf(commands[end] as ShellCommand))
  if (leaves && isRetried(rest, command)) return
  if (commands[end + 1]?.words[0] === 'done') yield { cover: 'loop' }
  if (rest.length > 0 && !isJoined(block ?? '') && !tellsStatus(rest)) yield { cover: 'sequence' }
}

const isPipe = (after: string) => after === '|' || after === '|&'
/** Returns true for operators that connect a list. A list's status is the status of the last command that ran. */
const isJoined = (after: string) => isPipe(after) || after === '&&' || after === '||' || after === ')'

/** Returns the end of each member of the list that begins with a command. A block counts as one member. */
export function membersOf(commands: readonly ShellCommand[], index: number): readonly number[] {
  const ends = [index]
  for (let end = index; end < commands.length - 1 && isJoined(commands[end]?.after ?? ''); ends.push(end))
    end = endOfMember(commands, end + 1, commands[index]?.depth ?? 0)
  return ends
}

/** @param depth nesting depth of the list */
export function endOfMember(commands: readonly ShellCommand[], at: number, depth: number): number {
  const first = commands[at]
  if (first === undefined) return at
  if (first.depth > depth) {
    let end = at
    while ((commands[end + 1]?.depth ?? depth) > depth) end++
    return end
  }
  let open = 0
  for (let end = at; end < commands.length; end++) {
    open += blocksIn(commands[end] as ShellCommand)
    if (open <= 0) return end
  }
  return commands.length - 1
}

export function endOfPipeline(commands: readonly ShellCommand[], index: number): number {
  let end = index
  while (isPipe(commands[end]?.after ?? '')) end++
  return end
}

function beginningOfPipeline(commands: readonly ShellCommand[], index: number): number {
  let beginning = index
  while (beginning > 0 && isPipe(commands[beginning - 1]?.after ?? '')) beginning--
  return beginning
}

/**
 * Returns true if the alternative hides a failure. An alternative does not hide it if it fails itself, tolerates only one status, or
 * repeats the work. @param job null for a block
 */
function hides(alternative: readonly ShellCommand[], job: ShellCommand | null): boolean {
  const block = blockAt(alternative)
  const last = block.at(-1)
  if (last === undefined) return true
  if (block.some(fails) || (isCondition(last) && asksFor(last, ['$?', ...statusNames(block)]))) return false
  return !isSecondTry(last, job === null ? '' : programOf(job))
}

/** Returns the first command, or all commands in the same parentheses or braces. */
function blockAt(commands: readonly ShellCommand[]): readonly ShellCommand[] {
  const [first] = commands
  if (first === undefined) return []
  if (first.words[0] === '{') {
    const end = commands.findIndex(({ words }) => words[0] === '}')
    return commands.slice(0, end < 0 ? commands.length : end)
  }
  if (first.depth === 0) return [first]
  const end = commands.findIndex(({ depth }) => depth < first.depth)
  return commands.slice(0, end < 0 ? commands.length : end)
}

/** Returns true if a line fails when the condition of its `if` fails. @param rest commands after the condition */
function branchesTell(rest: readonly ShellCommand[], condition: ShellCommand): boolean {
  if (rest.some(fails)) return true
  const other = rest.findIndex(({ words }) => words[0] === 'else')
  const end = rest.findIndex(({ words }) => words[0] === 'fi')
  const isNegated = condition.words.includes('!')
  const branch = isNegated ? rest.slice(0, other < 0 ? end : other) : rest.slice(other < 0 ? rest.length : other, end)
  const last = branch.at(-1)
  return last !== undefined && end === rest.length - 1 && isSecondTry(last, programOf(condition))
}

/** Returns true if the commands that run after a failed job also fail, or repeat the job's work. */
function isRetried(rest: readonly ShellCommand[], job: ShellCommand): boolean {
  const last = rest.at(-1)
  return last !== undefined && (fails(last) || (isSecondTry(last, '') && !/^(?:exit|break)$/.test(programOf(job))))
}

/** Returns the index of the next command after a list and the ends of the blocks around it. */
function behindBlocks(commands: readonly ShellCommand[], end: number): number {
  let at = end + 1
  if (commands[end]?.after === ';;') while (at < commands.length && commands[at]?.words[0] !== 'esac') at++
  for (let command = commands[at]; command !== undefined; command = commands[at]) {
    const [word = ''] = command.words
    if (BRANCHES.has(word)) {
      while (at < commands.length && !CLOSERS.has(commands[at]?.words[0] ?? '')) at++
    } else if (!CLOSERS.has(word)) break
    at++
  }
  return at
}

/** Returns true if the status is stored in a variable, or if the last command exits with the job's status. */
function tellsStatus(rest: readonly ShellCommand[]): boolean {
  const kept = statusNames(rest)
  const asking = rest.filter((command, index) => asksFor(command, index === 0 ? ['$?', FIRST_OF_PIPE, ...kept] : kept))
  if (asking.some(({ words }) => words[0] !== 'exit' && !words[0]?.includes('=')) && rest.some(fails)) return true
  const last = rest.at(-1)
  if (last !== undefined && asking.includes(last) && isCondition(last) && isSuccessTest(last)) return true
  return rest.some(({ words }, index) => {
    const [program = '', status = ''] = withoutOpeners(words)
    if (program !== 'exit') return false
    return status === '' || status === '$?' ? index === 0 : status.startsWith('$')
  })
}

/** Returns the variables that contain an exit status: `$s` and `${s}` for each `s=$?`. */
function statusNames(commands: readonly ShellCommand[]): readonly string[] {
  const names = commands.flatMap(({ words }) =>
    words.flatMap((word) => /^(\w+)=\$(?:\?|\{PIPESTATUS\[0\]\})$/.exec(word)?.[1] ?? []),
  )
  return names.flatMap((name) => [`$${name}`, `\${${name}}`])
}

const asksFor = ({ words }: ShellCommand, names: readonly string[]) => words.some((word) => names.includes(word))

const isSuccessTest = ({ words }: ShellCommand) => words.some((word) => /^(?:-eq|-l[et]|==?)$/.test(word))

/** Returns true if a command waits for a process. `wait` without a process id always succeeds. */
function isAwaited(rest: readonly ShellCommand[]): boolean {
  return rest.some(({ words: [program, process] }) => program === 'wait' && process !== undefined)
}
