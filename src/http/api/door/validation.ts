/** Validates bodies and queries against their schemas. Error messages are the same as in Healthchecks. */
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
 * Returns a route's body schema. Validation throws a Refusal, because the framework's own error contains the entire value, indented: for 40
 * kB of nested brackets, building it takes 13 seconds and 1.6 GB.
 */
export function jsonBody<Schema extends TSchema>(schema: Schema): BodySchema<Static<Schema>> {
  const validate = (body: unknown) => ({ value: requireFit('json', schema, body) })
  return { '~standard': { version: 1, vendor: 'typebox', validate } }
}

/** Matches the integers that Healthchecks accepts: with surrounding whitespace, a sign, `_` between digits, or `.0` at the end. */
const WHOLE_NUMBER = /^\s*[+-]?\d+(?:_\d+)*(?:\.0+)?\s*$/

/**
 * Reads a request's query. If a parameter is repeated, a list member gets all of its values, and any other member gets only the last
 * one. The framework's own parser is not used, because it parses numbers differently and splits lists at commas, which tags may contain.
 * @param schema a schema whose members are strings, integers or lists of strings
 * @param mayBeEmpty names whose empty values are ignored
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

/** @throws Refusal `invalid` for the first problem, checking members in schema order */
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
  // The JSON parser has already rejected lone surrogates.
  'bad character': 'contains a NUL character',
  unexpected: 'has unexpected value',
  unknown: 'is not known',
  missing: 'is missing',
}

const FORMAT_WORDS: Readonly<Record<string, string>> = {
  schedule: 'is not a valid cron or OnCalendar expression',
  timezone: 'is not a valid timezone',
}

/** Returns a message that names the field and the problem, such as `name is too long`. */
function problemWords(problem: Problem): string {
  const [field = 'value', item] = problem.path.split('/').slice(1)
  const words =
    problem.format === undefined ? WORDS[problem.violation] : (FORMAT_WORDS[problem.format] ?? WORDS['bad format'])
  return item === undefined
    ? `${field === '' ? 'value' : field} ${words}`
    : `an item in '${field}' has unexpected value`
}

/**
 * Returns a hint with the equivalent expression if a schedule uses another program's syntax. For any other mistake in a schedule,
 * the client only gets Healthchecks' message; `checks/preview` reports the details and the position.
 */
function adviceFor({ format, path }: Problem, value: unknown): string {
  if (format !== 'schedule') return ''
  const error = scheduleError(String((value as Readonly<Record<string, unknown>>)[path.slice(1)]))
  return error instanceof ForeignScheduleError ? `: ${error.message}` : ''
}
