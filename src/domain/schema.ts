/**
 * The only import of TypeBox. A schema is the validation, the static type and the API description at once. JSON Schema
 * counts the characters of a string in code points, TypeBox in UTF-16 units; `Text` follows JSON Schema.
 */
import { Kind, type Static, type TObject, type TSchema, Type, TypeRegistry } from '@sinclair/typebox'
import { Value, type ValueError, ValueErrorType } from '@sinclair/typebox/value'
import { isStorable } from '../lib/text/text.ts'

export { type Static, type TObject, type TSchema, Type }

export interface TextOptions {
  /** in code points */
  readonly maxLength?: number
  /** a regular expression; anchor it to match the whole string */
  readonly pattern?: string
  /** a name registered with {@link defineFormat} */
  readonly format?: string
  /** values that the pattern or the format accepts, in words: `an email address` */
  readonly means?: string
  readonly title?: string
  readonly description?: string
  readonly default?: string
  readonly examples?: readonly string[]
  /** true: no page shows it, even to the person who stored it */
  readonly isSecret?: true
  /** true: the URL of a server to which this one connects */
  readonly isAddress?: true
  /** name of the field whose value is the default of an empty one */
  readonly defaultsTo?: string
  /** number of lines of its field in a form; 1 by default */
  readonly lines?: number
  /** heading in a form above this field and its neighbours with the same one */
  readonly section?: string
  /** true: few people need it, so a form folds it together with neighbours like it */
  readonly isAdvanced?: true
  /** URL of a page that explains its format */
  readonly docs?: string
  /** true: no form contains it, and a form leaves it unchanged */
  readonly isUnasked?: true
}

const formats = new Map<string, (text: string) => boolean>()

/** Registers a `format` and the texts that it accepts. The API description shows the name. */
export function defineFormat(name: string, accepts: (text: string) => boolean): void {
  formats.set(name, accepts)
}

const patterns = new Map<string, RegExp>()

function matches(pattern: string, text: string): boolean {
  const compiled = patterns.get(pattern) ?? new RegExp(pattern, 'u')
  patterns.set(pattern, compiled)
  return compiled.test(text)
}

/** Returns the length in Unicode code points. */
export function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

function isTooLong(text: string, maxLength: number): boolean {
  // A string never has more code points than UTF-16 units, so most need no counting.
  return text.length > maxLength && codePoints(text) > maxLength
}

function textViolation(schema: TextOptions, value: unknown): Violation | null {
  if (typeof value !== 'string') return 'not a string'
  if (schema.maxLength !== undefined && isTooLong(value, schema.maxLength)) return 'too long'
  if (schema.pattern !== undefined && !matches(schema.pattern, value)) return 'mismatch'
  if (schema.format !== undefined && !formats.get(schema.format)?.(value)) return 'bad format'
  return isStorable(value) ? null : 'bad character'
}

TypeRegistry.Set<TextOptions>('Text', (schema, value) => textViolation(schema, value) === null)

/** Returns the schema of a string that can be stored (see {@link isStorable}). Counts code points, as JSON Schema requires. */
export function Text(options: TextOptions = {}) {
  return Type.Unsafe<string>({ ...options, [Kind]: 'Text', type: 'string' })
}

/** A problem of one value, independent of any wire format. */
export type Violation =
  | 'not a string'
  | 'not a number'
  | 'not a boolean'
  | 'not an array'
  | 'not an object'
  | 'too long'
  | 'empty'
  | 'too small'
  | 'too large'
  | 'mismatch'
  | 'bad format'
  | 'bad character'
  | 'unexpected'
  | 'unknown'
  | 'missing'

export interface Problem {
  /** JSON pointer to the value: `/timeout` or `/unique/0` */
  readonly path: string
  readonly violation: Violation
  /** the expected `format`, with `bad format` */
  readonly format?: string
  /** the expected value in words, for `mismatch` and `bad format`: `an email address`; set only by {@link listProblems} */
  readonly means?: string
  /** the accepted values, if they are few words: `60 to 31536000`, `GET, POST or PUT`; set only by {@link listProblems} */
  readonly accepted?: string
}

export function fits(schema: TSchema, value: unknown): boolean {
  return Value.Check(schema, value)
}

/**
 * Returns the first problem of `value`, in the order in which the schema declares its properties; null if the value fits. Properties that
 * the schema does not name are `unknown` if it forbids additional ones, and ignored otherwise.
 */
export function firstProblem(schema: TSchema, value: unknown): Problem | null {
  // Most values fit, and testing that is faster than finding the problem.
  if (fits(schema, value)) return null
  for (const error of innermost(Value.Errors(schema, value))) return problemOf(error)
  return null
}

/**
 * Returns all problems of `value`, at most one for each place and `limit` in total, with the accepted values. The order is that of
 * {@link firstProblem}.
 */
export function listProblems(schema: TSchema, value: unknown, limit: number): Problem[] {
  const problems = new Map<string, Problem>()
  for (const error of innermost(Value.Errors(schema, value))) {
    if (problems.size >= limit) break
    const problem = problemOf(error)
    const accepted = acceptedWords(problem.violation, error.schema)
    const { means } = error.schema
    if (problems.has(error.path)) continue
    problems.set(error.path, {
      ...problem,
      ...(accepted === null ? {} : { accepted }),
      ...(isOfForm(problem) && means !== undefined ? { means } : {}),
    })
  }
  return [...problems.values()]
}

function isOfForm({ violation }: Problem): boolean {
  return violation === 'mismatch' || violation === 'bad format'
}

function problemOf({ type, schema, path, value }: ValueError): Problem {
  const violation = type === ValueErrorType.ObjectAdditionalProperties ? 'unknown' : violationOf(schema, value)
  const format = violation === 'bad format' ? { format: String(schema.format) } : {}
  return { path, violation, ...format }
}

const alternatives = new Intl.ListFormat('en', { type: 'disjunction' })

function acceptedWords(
  violation: Violation,
  { type, anyOf = [], minimum, maximum, maxLength, maxProperties }: TSchema,
): string | null {
  if (violation === 'too small' || violation === 'too large') return `${minimum} to ${maximum}`
  if (violation === 'too long' && type === 'string') return `at most ${maxLength} characters`
  if (violation === 'too long' && type === 'object') return `at most ${maxProperties} fields`
  const literals: unknown[] = anyOf.map((variant: TSchema) => variant.const)
  if (violation !== 'unexpected' || literals.length === 0 || literals.includes(undefined)) return null
  return alternatives.format(literals.map((literal) => (literal === '' ? '""' : String(literal))))
}

/** Reports the problem of the variant whose type was given if a value may be a string or an object. */
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
    case 'number':
      return numberViolation(schema, value)
    case 'boolean':
      return 'not a boolean'
    case 'array':
      if (!Array.isArray(value)) return 'not an array'
      return value.length === 0 && schema.minItems !== undefined ? 'empty' : 'too long'
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value) ? 'too long' : 'not an object'
    default:
      return 'unexpected'
  }
}

function numberViolation(schema: TSchema, value: unknown): Violation {
  if (typeof value !== 'number') return 'not a number'
  return schema.minimum !== undefined && value < schema.minimum ? 'too small' : 'too large'
}

function integerViolation(schema: TSchema, value: unknown): Violation {
  // Healthchecks reads true as 1 and false as 0; its clients know the answer "too small".
  const number = typeof value === 'boolean' ? Number(value) : value
  // JSON.parse reads 1e999 as Infinity: a number, but too large.
  if (typeof number !== 'number' || !(Number.isInteger(number) || Math.abs(number) === Number.POSITIVE_INFINITY)) {
    return 'not a number'
  }
  return numberViolation(schema, number)
}
