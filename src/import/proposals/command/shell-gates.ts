/** Conditions that stand before a job, and may keep it from running. */
import type { Cover } from './hidden-status.ts'
import { withoutOpeners } from './job-name.ts'
import type { ShellCommand } from './shell-commands.ts'
import { isCondition, isJob, programOf } from './shell-jobs.ts'

/** Programs that answer a question by their status. */
const ANSWERS = new Set(['grep', 'egrep', 'mountpoint', 'findmnt', 'ping', 'nc', 'host'])

/** What the line tells when its condition keeps the job from running, as far as that misleads; null: nothing of the kind. */
export function gateCover(commands: readonly ShellCommand[]): Extract<Cover, 'condition' | 'skipped'> | null {
  const at = commands.findIndex((command) => isGate(command))
  const gate = commands[at]
  if (gate === undefined || commands.slice(0, at).some(isJob)) return null
  const conditions = gateAt(commands, at)
  if (conditions.every(isHarmless)) return null
  const last = conditions.at(-1) as ShellCommand
  const behind = commands.slice(at + conditions.length)
  if (!behind.some(isJob)) return null
  if (conditions.some(isIf)) return guardsAll(behind) ? 'skipped' : null
  const [next, ...others] = behind
  if (next !== undefined && leaves(next)) return succeeds(next, last) ? 'skipped' : null
  // `[ -d x ] || mkdir x; job` only prepares.
  if (last.after === '||') return next !== undefined && isJob(next) && !others.some(isJob) ? 'skipped' : null
  return isCondition(gate) && at === 0 && behind.every(({ after }) => IN_LIST.has(after)) ? 'condition' : null
}

/** True if all jobs are in the branch for which the condition holds. */
function guardsAll(behind: readonly ShellCommand[]): boolean {
  const end = behind.findIndex(({ words }) => words[0] === 'fi')
  return !behind.some(({ words }) => words[0] === 'else') && !behind.slice(end < 0 ? behind.length : end).some(isJob)
}

const IN_LIST = new Set(['', '&&', '|', '|&'])

const isIf = ({ words }: ShellCommand) => /^(?:if|elif)$/.test(words[0] ?? '')
const answers = (command: ShellCommand) => isCondition(command) || ANSWERS.has(programOf(command))

function isGate(command: ShellCommand): boolean {
  return answers(command) && (isIf(command) || /^(?:&&|\|\|)$/.test(command.after))
}

/** `[ … ] && [ … ]` is one gate. */
function gateAt(commands: readonly ShellCommand[], at: number): readonly ShellCommand[] {
  const end = commands.findIndex(
    (command, index) => index > at && !(commands[index - 1]?.after === '&&' && answers(command)),
  )
  return commands.slice(at, end < 0 ? commands.length : end)
}

/** It only asks whether a program is installed, or whether the job already runs. */
function isHarmless({ words }: ShellCommand): boolean {
  const asked = words.filter((word) => /^-[a-z]$/.test(word))
  return (
    (asked.length > 0 && asked.every((word) => word === '-x')) || words.some((word) => /lock|\.pid|running/i.test(word))
  )
}

const leaves = (command: ShellCommand) => /^(?:exit|return)$/.test(programOf(command))

/** `exit` alone keeps the status of the condition before it. */
function succeeds({ words }: ShellCommand, before: ShellCommand): boolean {
  const [, status = before.after === '&&' ? '0' : '1'] = withoutOpeners(words)
  return status === '0'
}
