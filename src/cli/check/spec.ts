/** Converts the options of `overdue check create` to an API request body, and validates it against the API schema. */
import { CheckSpec } from '../../domain/check/check.ts'
import { Refusal } from '../../domain/errors.ts'
import { problemInWords } from '../../domain/problem-words.ts'
import { readSpan } from '../../domain/schedule/typed/period-text.ts'
import { scheduleError } from '../../domain/schedule/typed/typed-schedule.ts'
import { listProblems, type Problem } from '../../domain/schema.ts'
import type { Values } from '../command.ts'
import { SPEC_OPTIONS } from './options.ts'

const MAX_PROBLEMS = 20

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  timeout: spanSeconds,
  grace: spanSeconds,
  channels: readChannels,
}

/** @throws Refusal `option-invalid`, which lists all problems */
export function readSpec(values: Values): CheckSpec {
  const { spec, problems } = specOf(values)
  const more = values.tz !== undefined && values.schedule === undefined ? ['--tz needs --schedule'] : []
  refuseProblems('the check is not valid', 'check create', [...problems, ...more])
  return spec
}

/** @throws Refusal `option-invalid` if `problems` is not empty */
export function refuseProblems(message: string, command: string, problems: readonly string[]): void {
  if (problems.length === 0) return
  throw new Refusal('option-invalid', message, { hint: `see \`overdue ${command} --help\``, problems })
}

/** Converts the options to API fields, and lists mistakes in the options. */
export function specOf(values: Values): { readonly spec: CheckSpec; readonly problems: readonly string[] } {
  const spec: Record<string, unknown> = {}
  for (const name of Object.keys(SPEC_OPTIONS)) {
    const value = values[name]
    if (value !== undefined) spec[name.replaceAll('-', '_')] = READERS[name]?.(String(value)) ?? value
  }
  const problems = listProblems(CheckSpec, spec, MAX_PROBLEMS).map((problem) => inWords(problem, values))
  if (values.timeout !== undefined && values.schedule !== undefined)
    problems.push('--timeout and --schedule: use only one')
  return { spec: spec as CheckSpec, problems }
}

/** Removes the spaces around commas, which the API does not accept. */
export function readChannels(text: string): string {
  return text
    .split(',')
    .map((item) => item.trim())
    .join(',')
}

/**
 * Converts `90`, `90s`, `5m`, `1h`, `1d`, `2w`, `1d 3h 31m` to seconds. Returns any other text unchanged, so that the schema rejects it.
 */
export function spanSeconds(text: string): number | string {
  return /^\d+$/.test(text) ? Number(text) : (readSpan(text) ?? text)
}

function inWords({ path, ...rest }: Problem, values: Values): string {
  const problem = { ...rest, path: path.replaceAll('_', '-') }
  const name = problem.path.slice(1)
  const given = `--${name} "${values[name]}"`
  if (problem.format === 'schedule')
    return `${given}: ${scheduleError(String(values[name]))?.message} See \`overdue schedule --help\`.`
  if (problem.format === 'timezone') return `${given}: unknown time zone; use an IANA name such as Europe/Riga`
  if (problem.violation === 'not a number') return `${given} is not a duration; use seconds, or 5m, 1h, 1d`
  if (name === 'slug' && problem.violation === 'mismatch') return `${given}: use a-z, 0-9, _ and - only`
  if (READERS[name] === spanSeconds) return `${given}: use ${problem.accepted} seconds, such as 5m`
  return `--${problemInWords(problem)}`
}
