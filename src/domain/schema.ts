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
  /** the values that are possible, with `unexpected` where there is a list of them */
  readonly allowed?: readonly string[]
}

/**
 * The first thing wrong with `value`, in the order in which the schema declares its properties; null when it fits.
 * Properties of `value` that the schema does not name are `unknown` where it allows no additional ones, and not looked at
 * elsewhere.
 */
export function firstProblem(schema: TSchema, value: unknown): Problem | null {
  const error = innermost(Value.Errors(schema, value).First())
  if (!error) return null
  const isUnknown = error.type === ValueErrorType.ObjectAdditionalProperties
  const violation = isUnknown ? 'unknown' : violationOf(error.schema, error.value)
  const format = violation === 'bad format' ? { format: String(error.schema.format) } : {}
  const allowed = violation === 'unexpected' ? literalsOf(error.schema) : []
  return { path: error.path, violation, ...format, ...(allowed.length > 0 ? { allowed } : {}) }
}

/** Nothing where other values are possible too. */
function literalsOf({ const: only, anyOf = [] }: TSchema): string[] {
  if (only !== undefined) return [String(only)]
  const each = anyOf.map((variant: TSchema) => literalsOf(variant))
  return each.every(({ length }: string[]) => length > 0) ? each.flat() : []
}

/**
 * Where a value may be a text or an object, it is one of them that was meant: what is wrong with that one says more than
 * that it is neither.
 */
function innermost(error: ValueError | undefined): ValueError | undefined {
  const variants: readonly TSchema[] = error?.schema.anyOf ?? []
  const given = error?.value === null ? 'null' : typeof error?.value
  const meant = variants.flatMap(({ type }, index) => (type === given ? [index] : []))
  const [index, ...others] = meant
  return index === undefined || others.length > 0 ? error : innermost(error?.errors[index]?.First())
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
