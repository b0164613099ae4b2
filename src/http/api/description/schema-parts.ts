/** Building blocks for the schemas of responses. */
import { Text, type TSchema, Type } from '../../../domain/schema.ts'

/** Returns the schema of a string that must be one of the values. */
export function oneOf(values: readonly string[], description: string): TSchema {
  return Type.Unsafe<string>({ type: 'string', enum: [...values], description })
}

export const orNull = (schema: TSchema, description: string) => Type.Union([schema, Type.Null()], { description })
export const count = (description: string) => Type.Integer({ minimum: 0, description })
export const text = (description: string) => Text({ description })

/** Pattern of a string without U+0000. It avoids `\u`, which Go does not support; ECMAScript, Java and Python read it the same way. */
export const WITHOUT_NUL = '^[^\\x00]*$'

/**
 * Returns the published schema for values in requests. `Text` always refuses U+0000, so the schema of a string without a pattern gets one.
 * A string with a format gets none: the format excludes U+0000 already, and tools that generate strings from a pattern would ignore the
 * format.
 */
export function written(schema: TSchema): TSchema {
  const { type, pattern, format, items, properties } = schema
  if (type === 'string' && pattern === undefined && format === undefined) return { ...schema, pattern: WITHOUT_NUL }
  if (items !== undefined) return { ...schema, items: written(items) }
  if (properties === undefined) return schema
  const members = Object.entries<TSchema>(properties).map(([name, member]) => [name, written(member)])
  return { ...schema, properties: Object.fromEntries(members) }
}

/** Returns the schema of an object that allows no other members. That way, tests notice undocumented members. */
export const closed = (properties: Record<string, TSchema>, options = {}) =>
  Type.Object(properties, { ...options, additionalProperties: false })
