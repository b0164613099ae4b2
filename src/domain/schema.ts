/**
 * The one import of TypeBox: schemas that are the validation, the static type and the described API at once.
 * JSON Schema counts characters of a string in code points; TypeBox counts UTF-16 units. `Text` counts as the standard does.
 */
import { Kind, type Static, type TObject, type TSchema, Type, TypeRegistry } from '@sinclair/typebox'
import { Value, type ValueError, ValueErrorType } from '@sinclair/typebox/value'

export { type Static, type TObject, type TSchema, Type }

export interface TextOptions {
  /** in code points */
  readonly maxLength?: number
  /** a regular expression for the whole string */
  readonly pattern?: string
  /** a name given to {@link defineFormat} */
  readonly format?: string
  readonly title?: string
  readonly description?: string
  readonly default?: string
  readonly examples?: readonly string[]
}

const formats = new Map<string, (text: string) => boolean>()

/** Says which texts a `format` accepts; the name is what the described API shows. */
export function defineFormat(name: string, accepts: (text: string) => boolean): void {
  formats.set(name, accepts)
}

const patterns = new Map<string, RegExp>()

function matches(pattern: string, text: string): boolean {
  const compiled = patterns.get(pattern) ?? new RegExp(pattern, 'u')
  patterns.set(pattern, compiled)
  return compiled.test(text)
}

/** Length in Unicode code points. */
export function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

function isTooLong(text: string, maxLength: number): boolean {
  // Code points never outnumber UTF-16 units, so most texts need no counting.
  return text.length > maxLength && codePoints(text) > maxLength
}

function textViolation(schema: TextOptions, value: unknown): Violation | null {
  if (typeof value !== 'string') return 'not a string'
  if (schema.maxLength !== undefined && isTooLong(value, schema.maxLength)) return 'too long'
  if (schema.pattern !== undefined && !matches(schema.pattern, value)) return 'mismatch'
  if (schema.format !== undefined && !formats.get(schema.format)?.(value)) return 'bad format'
  return null
}

TypeRegistry.Set<TextOptions>('Text', (schema, value) => textViolation(schema, value) === null)

/** A string whose length is counted in code points, as JSON Schema says. */
export function Text(options: TextOptions = {}) {
  return Type.Unsafe<string>({ ...options, [Kind]: 'Text', type: 'string' })
}

/** What is wrong with one value, in words that belong to no wire. */
export type Violation =
  | 'not a string'
  | 'not a number'
  | 'not a boolean'
  | 'not an array'
  | 'not an object'
  | 'too long'
  | 'too small'
  | 'too large'
  | 'mismatch'
  | 'bad format'
  | 'unexpected'
  | 'unknown'
  | 'missing'

export interface Problem {
  /** JSON pointer of the offending value, `/timeout` or `/unique/0` */
  readonly path: string
  readonly violation: Violation
  /** the `format` that the value does not have, with `bad format` */
  readonly format?: string
  /** what would be accepted, where the schema says so in a few words; told by {@link listProblems} alone: `60 to 31536000`, `GET, POST or PUT` */
  readonly accepted?: string
}

/**
 * The first thing wrong with `value`, in the order in which the schema declares its properties; null when it fits.
 * Properties of `value` that the schema does not name are `unknown` where it allows no additional ones, and not looked at
 * elsewhere.
 */
export function firstProblem(schema: TSchema, value: unknown): Problem | null {
  for (const error of innermost(Value.Errors(schema, value))) return problemOf(error)
  return null
}

/**
 * Everything that is wrong with `value`, one problem for each place with what would be accepted there, `limit` at most; the
 * order is that of {@link firstProblem}.
 */
export function listProblems(schema: TSchema, value: unknown, limit: number): Problem[] {
  const problems = new Map<string, Problem>()
  for (const error of innermost(Value.Errors(schema, value))) {
    if (problems.size >= limit) break
    const problem = problemOf(error)
    const accepted = acceptedWords(problem.violation, error.schema)
    if (!problems.has(error.path)) problems.set(error.path, accepted === null ? problem : { ...problem, accepted })
  }
  return [...problems.values()]
}

function problemOf({ type, schema, path, value }: ValueError): Problem {
  const violation = type === ValueErrorType.ObjectAdditionalProperties ? 'unknown' : violationOf(schema, value)
  const format = violation === 'bad format' ? { format: String(schema.format) } : {}
  return { path, violation, ...format }
}

const alternatives = new Intl.ListFormat('en', { type: 'disjunction' })

function acceptedWords(
  violation: Violation,
  { type, anyOf = [], minimum, maximum, maxLength }: TSchema,
): string | null {
  if (violation === 'too small' || violation === 'too large') return `${minimum} to ${maximum}`
  if (violation === 'too long' && type === 'string') return `at most ${maxLength} characters`
  const literals: unknown[] = anyOf.map((variant: TSchema) => variant.const)
  if (violation !== 'unexpected' || literals.length === 0 || literals.includes(undefined)) return null
  return alternatives.format(literals.map((literal) => (literal === '' ? '""' : String(literal))))
}

/**
 * Where a value may be a text or an object, it is one of them that was meant: what is wrong with that one says more than
 * that it is neither.
 */
function* innermost(errors: Iterable<ValueError>): Generator<ValueError> {
  for (const error of errors) {
    const variants: readonly TSchema[] = error.schema.anyOf ?? []
    const given = error.value === null ? 'null' : typeof error.value
    const [meant, ...others] = variants.flatMap(({ type }, index) => (type === given ? [index] : []))
    const within = meant === undefined || others.length > 0 ? undefined : error.errors[meant]
    if (within === undefined) yield error
    else yield* innermost(within)
  }
}

function violationOf(schema: TSchema, value: unknown): Violation {
  if (value === undefined) return 'missing'
  if (schema.anyOf !== undefined || schema.const !== undefined) return 'unexpected'
  switch (schema.type) {
    case 'string':
      return textViolation(schema as TextOptions, value) ?? 'unexpected'
    case 'integer':
      return integerViolation(schema, value)
    case 'boolean':
      return 'not a boolean'
    case 'array':
      return Array.isArray(value) ? 'too long' : 'not an array'
    case 'object':
      return 'not an object'
    default:
      return 'unexpected'
  }
}

function integerViolation(schema: TSchema, value: unknown): Violation {
  // The peer's language takes true for 1 and false for 0; its clients know the answer "too small".
  const number = typeof value === 'boolean' ? Number(value) : value
  // Infinity is what JSON.parse makes of 1e999: a number, only too large.
  if (typeof number !== 'number' || !(Number.isInteger(number) || Math.abs(number) === Number.POSITIVE_INFINITY)) {
    return 'not a number'
  }
  return schema.minimum !== undefined && number < schema.minimum ? 'too small' : 'too large'
}
