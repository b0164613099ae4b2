/** Finds conditions before a job that may prevent it from running. */
import { begunBy } from './begun-command.ts'
import type { Cover } from './hidden-status.ts'
import { withoutOpeners } from './job-name.ts'
import { endOfMember, endOfPipeline, membersOf } from './list-status.ts'
import { lockOf } from './locks.ts'
import { branchesAt, type ShellBranches } from './shell-branches.ts'
import type { ShellCommand } from './shell-commands.ts'
import { fails, isCondition, isJob, isQuestion, isWorthTelling, programOf } from './shell-jobs.ts'

interface Gate {
  /** how the line misleads the scheduler if the condition prevents the job from running; null if the scheduler is not misled */
  readonly cover: Extract<Cover, 'condition' | 'skipped' | 'missing' | 'anacron' | 'overlap' | 'busy'> | null
  /** program that takes a lock; '' if there is none */
  readonly what: string
  /** commands of the condition */
  readonly commands: ReadonlySet<ShellCommand>
}

/**
 * The question that a condition asks: whether a program exists, whether anacron exists, whether another run has the lock, or something
 * else.
 */
type Question = 'program' | 'anacron' | 'lock' | 'other'

/** How a line misleads the scheduler if it succeeds without running the job, by the question that its condition asks. */
const BY_SUCCESS = { program: 'missing', anacron: 'anacron', lock: 'overlap', other: 'skipped' } as const

/** Maximum number of conditions in a line, because the commands after each condition are examined. No real crontab has longer lines. */
const GATES_LIMIT = 20

/** Returns the conditions that precede all jobs of a line. */
export function gatesOf(commands: readonly ShellCommand[]): readonly Gate[] {
  const gates: Gate[] = []
  let begin = 0
  while (begin < commands.length && gates.length < GATES_LIMIT) {
    const at = Math.min(endOfPipeline(commands, begin), commands.length - 1)
    const isOpen = isGate(commands, begin, at) && !commands.slice(begin, at).some(isWorthTelling)
    if (!isOpen && commands.slice(begin, at + 1).some(isJob)) break
    const end = isOpen ? endOfGate(commands, begin, at) : at + 1
    const gate = isOpen ? readGate(commands, begin, end) : null
    if (gate !== null) gates.push(gate)
    begin = end
  }
  return gates
}

function readGate(commands: readonly ShellCommand[], begin: number, end: number): Gate | null {
  const conditions = commands.slice(begin, end)
  // `pgrep x || x` starts a program unless it is running, and succeeds if it is running.
  if (conditions.some(isForRun) && !commands.slice(end).some(leaves)) return null
  const branching = conditions.findLastIndex(({ words }) => BRANCHING.test(words[0] ?? ''))
  const branches = branching < 0 ? null : branchesAt(commands, begin + branching)
  const skips = branches === null ? skippedInList(commands, end) : skippedInBranches(branches)
  if (skips === null) return null
  const question = questionOf(conditions)
  const what = conditions.reduce((program, command) => program || lockProgram(command), '')
  const byFailure = question === 'lock' ? 'busy' : isRoutine(conditions) && skips !== 'exit' ? 'condition' : null
  return { cover: skips === 'success' ? BY_SUCCESS[question] : byFailure, what, commands: new Set(conditions) }
}

const joins = (command: ShellCommand | undefined) => /^(?:&&|\|\|)$/.test(command?.after ?? '')
const BRANCHING = /^(?:if|elif|case)$/

/** How a line ends if the job does not run. `exit` means that the line fails explicitly, and null means that the line runs a job anyway. */
type Skips = 'success' | 'failure' | 'exit' | null

function skippedInBranches({ branches, behind }: ShellBranches): Skips {
  if (!branches.some((branch) => branch.some(isJob)) && !behind.some(isJob)) return null
  const isQuiet = branches.some((branch) => {
    if (branch.some(isJob) || branch.some(fails)) return false
    return branch.some(leaves) || !behind.some(isJob)
  })
  return isQuiet ? 'success' : null
}

/** @param end index after the conditions */
function skippedInList(commands: readonly ShellCommand[], end: number): Skips {
  const last = commands[end - 1]
  const behind = commands.slice(end)
  const [next] = behind
  if (last === undefined || next === undefined || !behind.some(isJob)) return null
  const block = blockAt(commands, end, last.depth)
  const exit = block.findIndex(leaves)
  if (exit >= 0 && !block.some(isJob))
    return succeeds(behind[exit] as ShellCommand, exit === 0 ? last : null) ? 'success' : 'exit'
  // `[ -d x ] || mkdir x; job` only prepares the job, so the job runs anyway.
  if (last.after === '||') return block.some(isJob) && !behind.slice(block.length).some(isJob) ? 'success' : null
  const members = membersOf(commands, end - 1)
  const hasOther = members.slice(1, -1).some((member) => commands[member]?.after === '||')
  return members.at(-1) === commands.length - 1 && !hasOther ? 'failure' : null
}

const answers = (command: ShellCommand) =>
  isCondition(command) ||
  isQuestion(command) ||
  isForProgram(command) ||
  ANSWERS.has(programOf(command)) ||
  isForLock(command)

/** Returns one command, or all commands in the same braces or parentheses. @param depth nesting depth of the list that contains them */
const blockAt = (commands: readonly ShellCommand[], at: number, depth: number) =>
  commands.slice(at, endOfMember(commands, at, depth) + 1)

/** Programs whose exit status answers a question. */
const ANSWERS = new Set(['expr', 'mountpoint', 'findmnt', 'nc', 'host', 'on_ac_power'])
/** Programs that use a file as a lock. */
const LOCKERS = new Set(['lockfile', 'lockfile-create', 'dotlockfile', 'shlock'])
/** Programs that check a requirement of the job. The line fails if the requirement is not met. */
const REQUIREMENTS = new Set(['mountpoint', 'findmnt', 'ping', 'nc', 'host', 'id', 'systemctl'])

/** @param begin index of the first command in the pipe that ends at `at` */
function isGate(commands: readonly ShellCommand[], begin: number, at: number): boolean {
  const command = commands[at]
  const [first = ''] = commands[begin]?.words ?? []
  if (command === undefined || first === 'case') return command !== undefined
  if (!BRANCHING.test(first) && !joins(command)) return false
  return answers(command) || (!isJob(command) && blockAt(commands, at + 1, command.depth).some(leaves))
}

/** Returns the index after a condition. `[ … ] && [ … ]` is one condition. */
function endOfGate(commands: readonly ShellCommand[], begin: number, at: number): number {
  let end = at + 1
  while (joins(commands[end - 1])) {
    const last = endOfPipeline(commands, end)
    const next = commands[last]
    if (next === undefined || !answers(next)) break
    if (![commands[begin], next].some((command) => BRANCHING.test(command?.words[0] ?? '')) && !joins(next)) break
    end = last + 1
  }
  return end
}

/** Matches programs that look for another run, as in `ps ax | grep -q x`. */
const RUNS = /^(?:pgrep|pidof|ps|[ef]?grep)$/

function questionOf(conditions: readonly ShellCommand[]): Question {
  if (conditions.some(isForRun) && conditions.every((command) => RUNS.test(programOf(command)))) return 'lock'
  const asked = conditions.map((command): Question => {
    if (isForLock(command)) return 'lock'
    if (!isForProgram(command)) return 'other'
    return command.words.some((word) => word.endsWith('anacron')) ? 'anacron' : 'program'
  })
  return (['other', 'lock', 'anacron'] as const).find((question) => asked.includes(question)) ?? 'program'
}

/** Returns true if a condition is expected to be false from time to time. */
function isRoutine(conditions: readonly ShellCommand[]): boolean {
  return conditions.some(
    (command) => (!isForProgram(command) || command.words.includes('!')) && !REQUIREMENTS.has(programOf(command)),
  )
}

/** Returns true if a condition tests whether a program exists. */
function isForProgram({ words }: ShellCommand): boolean {
  const [program = '', option = ''] = withoutOpeners(words)
  if (/^(?:which|type|hash)$/.test(program)) return true
  if (program === 'command') return /^-[vV]$/.test(option)
  const asked = words.filter((word) => /^-[a-z]$/.test(word))
  return /^(?:test|\[\[?)$/.test(program) && asked.length > 0 && asked.every((word) => word === '-x')
}

/** Returns true if a condition tests whether a program is running. */
const isForRun = (command: ShellCommand) => /^(?:pgrep|pidof|ps|systemctl|docker)$/.test(programOf(command))

function isForLock(command: ShellCommand): boolean {
  const program = programOf(command)
  if (lockProgram(command) !== '' || LOCKERS.has(program)) return true
  if (program === 'kill') return command.words.includes('-0')
  const isAsked = isCondition(command) || program === 'mkdir'
  return isAsked && command.words.some((word) => /lock|\.pid|running/i.test(word))
}

/** Returns the program of a command such as `flock FD`. Returns '' if the command takes no lock, or waits for the lock. */
function lockProgram({ words }: ShellCommand): string {
  const begun = begunBy(withoutOpeners(words))
  const lock = begun?.kind === 'program' && begun.chain.length === 0 ? lockOf(begun) : null
  return lock === null || lock.ends === null ? '' : lock.program
}

const leaves = (command: ShellCommand) => /^(?:exit|return)$/.test(programOf(command))

/**
 * Returns true if a command succeeds. `exit` without a number keeps the status of the preceding command. @param condition the preceding
 * condition; null if another command is in between
 */
function succeeds({ words }: ShellCommand, condition: ShellCommand | null): boolean {
  const [, status = condition?.after === '||' ? '1' : '0'] = withoutOpeners(words)
  return status === '0'
}
