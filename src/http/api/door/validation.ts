/** Validates bodies and queries against their schemas. Error messages are worded as in Healthchecks. */
import { Refusal } from '../../../domain/errors.ts'
import { ForeignScheduleError } from '../../../domain/schedule/schedule-text.ts'
import { scheduleError } from '../../../domain/schedule/typed/typed-schedule.ts'
import {
  firstProblem,
  type Problem,
  type Static,
  type TObject,
  type TSchema,
  type Violation,
} from '../../../domain/schema.ts'
import { targetOf } from '../../target.ts'

/** The Standard Schema interface (https://standardschema.dev), which the framework accepts in place of a TypeBox schema. */
interface BodySchema<Value> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: 'typebox'
    readonly validate: (body: unknown) => { readonly value: Value }
    readonly types?: { readonly input: Value; readonly output: Value } | undefined
  }
}

/**
 * Returns the body schema of a route. Validation throws a Refusal, because the framework's own error contains the entire value, indented:
 * 40 kB of nested brackets take 13 seconds and 1.6 GB.
 */
export function jsonBody<Schema extends TSchema>(schema: Schema): BodySchema<Static<Schema>> {
  const validate = (body: unknown) => ({ value: requireFit('json', schema, body) })
  return { '~standard': { version: 1, vendor: 'typebox', validate } }
}

/** Matches the integers that Healthchecks accepts: with surrounding blanks, a sign, `_` between digits, or `.0` at the end. */
const WHOLE_NUMBER = /^\s*[+-]?\d+(?:_\d+)*(?:\.0+)?\s*$/

/**
 * Reads the query of a request. If a name is repeated, a list gets all values, and any other type gets the last one. The framework's own
 * parser isn't used, because it splits lists at commas, which tags may contain, and parses numbers differently.
 * @param schema a schema whose members are strings, integers or lists of strings
 * @param mayBeEmpty names whose empty value is ignored
 * @throws Refusal `invalid`
 */
export function readQuery<Schema extends TObject>(
  request: Request,
  schema: Schema,
  mayBeEmpty: readonly (keyof Schema['properties'])[] = [],
): Static<Schema> {
  const given = targetOf(request).searchParams
  const query: Record<string, unknown> = {}
  for (const [name, { type }] of Object.entries(schema.properties)) {
    const texts = given.getAll(name)
    const last = texts.at(-1)
    if (type === 'array') query[name] = texts
    else if (last !== undefined && !(last === '' && mayBeEmpty.includes(name))) {
      query[name] = type === 'integer' ? wholeNumber(last) : last
    }
  }
  return requireFit('query', schema, query)
}

function wholeNumber(text: string): number {
  return WHOLE_NUMBER.test(text) ? Number(text.replaceAll('_', '')) : Number.NaN
}

/** @throws Refusal `invalid` for the first problem, in the order of the schema */
function requireFit<Schema extends TSchema>(part: 'json' | 'query', schema: Schema, value: unknown): Static<Schema> {
  const problem = firstProblem(schema, value)
  if (problem !== null) {
    throw new Refusal('invalid', `${part} validation error: ${problemWords(problem)}${adviceFor(problem, value)}`)
  }
  return value as Static<Schema>
}

const WORDS: Readonly<Record<Violation, string>> = {
  'not a string': 'is not a string',
  'not a number': 'is not a number',
  'not a boolean': 'is not a boolean',
  'not an array': 'is not an array',
  'not an object': 'is not an object',
  'too long': 'is too long',
  empty: 'is empty',
  'too small': 'is too small',
  'too large': 'is too large',
  mismatch: 'does not match pattern',
  'bad format': 'is not valid',
  // Lone surrogates have been refused already, together with invalid JSON.
  'bad character': 'contains a NUL character',
  unexpected: 'has unexpected value',
  unknown: 'is not known',
  missing: 'is missing',
}

const FORMAT_WORDS: Readonly<Record<string, string>> = {
  schedule: 'is not a valid cron or OnCalendar expression',
  timezone: 'is not a valid timezone',
}

/** Returns a message such as `name is too long`, which names the field and the problem. */
function problemWords(problem: Problem): string {
  const [field = 'value', item] = problem.path.split('/').slice(1)
  const words =
    problem.format === undefined ? WORDS[problem.violation] : (FORMAT_WORDS[problem.format] ?? WORDS['bad format'])
  return item === undefined
    ? `${field === '' ? 'value' : field} ${words}`
    : `an item in '${field}' has unexpected value`
}

/**
 * Returns advice for a schedule in another program's syntax: the equivalent expression. Other mistakes in a schedule get only Healthchecks'
 * message; `checks/preview` reports them in detail, with their position.
 */
function adviceFor({ format, path }: Problem, value: unknown): string {
  if (format !== 'schedule') return ''
  const error = scheduleError(String((value as Readonly<Record<string, unknown>>)[path.slice(1)]))
  return error instanceof ForeignScheduleError ? `: ${error.message}` : ''
}
