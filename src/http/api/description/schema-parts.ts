/** Building blocks for response schemas. */
import { Text, type TSchema, Type } from '../../../domain/schema.ts'

/** Returns the schema for a string that must be one of the given values. */
export function oneOf(values: readonly string[], description: string): TSchema {
  return Type.Unsafe<string>({ type: 'string', enum: [...values], description })
}

export const orNull = (schema: TSchema, description: string) => Type.Union([schema, Type.Null()], { description })
export const count = (description: string) => Type.Integer({ minimum: 0, description })
export const text = (description: string) => Text({ description })

/**
 * Pattern that matches a string without U+0000. The pattern avoids `\u`, which Go does not support. ECMAScript, Java and Python interpret
 * the pattern the same way.
 */
export const WITHOUT_NUL = '^[^\\x00]*$'

/**
 * Returns the published schema for values in requests. `Text` always rejects U+0000, so a string schema without a pattern gets a pattern
 * that excludes it. A string with a format gets no pattern: the format already excludes U+0000, and tools that generate strings from a
 * pattern would ignore the format.
 */
export function written(schema: TSchema): TSchema {
  const { type, pattern, format, items, properties } = schema
  if (type === 'string' && pattern === undefined && format === undefined) return { ...schema, pattern: WITHOUT_NUL }
  if (items !== undefined) return { ...schema, items: written(items) }
  if (properties === undefined) return schema
  const members = Object.entries<TSchema>(properties).map(([name, member]) => [name, written(member)])
  return { ...schema, properties: Object.fromEntries(members) }
}

/** Returns an object schema that allows no other members, so that tests catch undocumented members. */
export const closed = (properties: Record<string, TSchema>, options = {}) =>
  Type.Object(properties, { ...options, additionalProperties: false })
