/** The peer's exact sentences for what does not fit a schema: one table, from violations to words. */
import type { ValidationError } from 'elysia'
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

/** One error only, the first in the order of the schema. */
export function validationSentence(error: ValidationError): string {
  const validator = error.validator as { readonly schema?: TSchema }
  const problem = validator.schema ? firstProblem(validator.schema, error.value) : null
  const subject = error.type === 'query' ? 'query' : 'json'
  return `${subject} validation error: ${problem ? problemWords(problem) : 'value is not valid'}`
}
