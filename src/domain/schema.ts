/**
 * Schemas for values. This is the only module that imports TypeBox. A schema serves as a validator, as a static type, and as part of the
 * API description. JSON Schema counts a string's code points, but TypeBox counts its UTF-16 units; `Text` follows JSON Schema.
 */
import { Kind, type Static, type TObject, type TSchema, Type, TypeRegistry } from '@sinclair/typebox'
import { Value, type ValueError, ValueErrorType } from '@sinclair/typebox/value'
import { isStorable } from '../lib/text/text.ts'

export { type Static, type TObject, type TSchema, Type }

export interface TextOptions {
  /** maximum length in code points */
  readonly maxLength?: number
  /** a regular expression; must be anchored at both ends */
  readonly pattern?: string
  /** the name of a format registered with {@link defineFormat} */
  readonly format?: string
  /** phrase that describes the values accepted by the pattern or format, such as `an email address` */
  readonly means?: string
  readonly title?: string
  readonly description?: string
  readonly default?: string
  readonly examples?: readonly string[]
  /** true if no page shows the value, not even to the user who entered it */
  readonly isSecret?: true
  /** true if the value is the URL of a server that Overdue connects to */
  readonly isAddress?: true
  /** name of the field whose value is used if this one is empty */
  readonly defaultsTo?: string
  /** height of the form field, in lines; 1 by default */
  readonly lines?: number
  /** heading in forms for this field and any adjacent fields with the same heading */
  readonly section?: string
  /** true if most users don't need the field, so that forms hide it in a collapsed section */
  readonly isAdvanced?: true
  /** URL of a page that explains the format */
  readonly docs?: string
  /** true if forms don't show the field but preserve its value */
  readonly isUnasked?: true
}

const formats = new Map<string, (text: string) => boolean>()

/** Registers a `format` with a function that decides which strings it accepts. The API description includes the format's name. */
export function defineFormat(name: string, accepts: (text: string) => boolean): void {
  formats.set(name, accepts)
}

const patterns = new Map<string, RegExp>()

function matches(pattern: string, text: string): boolean {
  const compiled = patterns.get(pattern) ?? new RegExp(pattern, 'u')
  patterns.set(pattern, compiled)
  return compiled.test(text)
}

/** Returns the length of a string in Unicode code points. */
export function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

function isTooLong(text: string, maxLength: number): boolean {
  // A string never has more code points than UTF-16 units, so most strings don't have to be counted.
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

/** Returns the schema for a string that can be stored (see {@link isStorable}). Lengths are in code points, as JSON Schema requires. */
export function Text(options: TextOptions = {}) {
  return Type.Unsafe<string>({ ...options, [Kind]: 'Text', type: 'string' })
}

/** The ways in which a value can be invalid, independent of how they are reported. */
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
  /** JSON pointer to the value, such as `/timeout` or `/unique/0` */
  readonly path: string
  readonly violation: Violation
  /** the expected `format`, for `bad format` */
  readonly format?: string
  /** description of the expected value, such as `an email address`, for `mismatch` and `bad format`; set only by {@link listProblems} */
  readonly means?: string
  /** short description of the accepted values, such as `60 to 31536000` or `GET, POST or PUT`; set only by {@link listProblems} */
  readonly accepted?: string
}

export function fits(schema: TSchema, value: unknown): boolean {
  return Value.Check(schema, value)
}

/**
 * Returns the first problem with `value`, in the order in which the schema declares its properties; null if the value is valid. Properties
 * that the schema does not declare are ignored unless it forbids additional properties, in which case they are reported as `unknown`.
 */
export function firstProblem(schema: TSchema, value: unknown): Problem | null {
  // Most values are valid, and validating a value is faster than searching for problems.
  if (fits(schema, value)) return null
  for (const error of innermost(Value.Errors(schema, value))) return problemOf(error)
  return null
}

/**
 * Returns the problems with `value` and the accepted values. Returns at most one problem per path and `limit` problems in total. They are
 * in the same order as in {@link firstProblem}.
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

/**
 * Picks the most specific error. If a value may have several types, such as a string or an object, this is the error from the variant that
 * matches the value's type.
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
  // Healthchecks treats true as 1 and false as 0, and its clients expect the answer "too small".
  const number = typeof value === 'boolean' ? Number(value) : value
  // JSON.parse turns 1e999 into Infinity, which is a number but too large.
  if (typeof number !== 'number' || !(Number.isInteger(number) || Math.abs(number) === Number.POSITIVE_INFINITY)) {
    return 'not a number'
  }
  return numberViolation(schema, number)
}
