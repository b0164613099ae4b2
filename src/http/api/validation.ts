/** The peer's exact sentences for what does not fit a schema: one table, from violations to words. */
import { Refusal } from '../../domain/errors.ts'
import { firstProblem, type Problem, type TSchema, type Violation } from '../../domain/schema.ts'

const WORDS: Readonly<Record<Violation, string>> = {
  'not a string': 'is not a string',
  'not a number': 'is not a number',
  'not a boolean': 'is not a boolean',
  'not an array': 'is not an array',
  'not an object': 'is not an object',
  'too long': 'is too long',
  'too small': 'is too small',
  'too large': 'is too large',
  mismatch: 'does not match pattern',
  'bad format': 'is not valid',
  unexpected: 'has unexpected value',
  unknown: 'is not known',
  missing: 'is missing',
}

const FORMAT_WORDS: Readonly<Record<string, string>> = {
  schedule: 'is not a valid cron or OnCalendar expression',
  timezone: 'is not a valid timezone',
}

/** `<field> <what is wrong>` */
export function problemWords(problem: Problem): string {
  const [field = 'value', item] = problem.path.split('/').slice(1)
  const words =
    problem.format === undefined ? WORDS[problem.violation] : (FORMAT_WORDS[problem.format] ?? WORDS['bad format'])
  return item === undefined
    ? `${field === '' ? 'value' : field} ${words}`
    : `an item in '${field}' has unexpected value`
}

/**
 * Comes before the framework's own check, which would write all of a wrong value into its error: for one that is nested
 * deeply that takes seconds.
 * @throws Refusal `invalid` for the first thing wrong, in the order of the schema
 */
export function requireFit(schema: TSchema | undefined, body: unknown): void {
  const problem = schema ? firstProblem(schema, body) : null
  if (problem) throw new Refusal('invalid', `json validation error: ${problemWords(problem)}`)
}
