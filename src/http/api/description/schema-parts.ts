/** The building blocks of the schemas of answers. */
import { Text, type TSchema, Type } from '../../../domain/schema.ts'

/** Returns the schema of a text from a list. */
export function oneOf(values: readonly string[], description: string): TSchema {
  return Type.Unsafe<string>({ type: 'string', enum: [...values], description })
}

export const orNull = (schema: TSchema, description: string) => Type.Union([schema, Type.Null()], { description })
export const count = (description: string) => Type.Integer({ minimum: 0, description })
export const text = (description: string) => Text({ description })

/** Pattern of a text without U+0000. Java and Python read it as ECMA 262 does, and so does Go, which has no `\u`. */
export const WITHOUT_NUL = '^[^\\x00]*$'

/**
 * Returns the schema of values that clients write. `Text` refuses U+0000 in addition to its options, so a text without a pattern gets one.
 * A text with a format gets none: no such text holds U+0000, and tools that generate texts from patterns would ignore the format.
 */
export function written(schema: TSchema): TSchema {
  const { type, pattern, format, items, properties } = schema
  if (type === 'string' && pattern === undefined && format === undefined) return { ...schema, pattern: WITHOUT_NUL }
  if (items !== undefined) return { ...schema, items: written(items) }
  if (properties === undefined) return schema
  const members = Object.entries<TSchema>(properties).map(([name, member]) => [name, written(member)])
  return { ...schema, properties: Object.fromEntries(members) }
}

/** Returns a schema that allows no other members, so that tests notice undocumented ones. */
export const closed = (properties: Record<string, TSchema>, options = {}) =>
  Type.Object(properties, { ...options, additionalProperties: false })
