/** What the schemas of answers are made of. */
import { Text, type TSchema, Type } from '../../../domain/schema.ts'

/** One of a list of texts. */
export function oneOf(values: readonly string[], description: string): TSchema {
  return Type.Unsafe<string>({ type: 'string', enum: [...values], description })
}

export const orNull = (schema: TSchema, description: string) => Type.Union([schema, Type.Null()], { description })
export const count = (description: string) => Type.Integer({ minimum: 0, description })
export const text = (description: string) => Text({ description })

/** Matches a text without U+0000. Java and Python read it as ECMA 262 does, and so does Go, which has no `\u`. */
export const WITHOUT_NUL = '^[^\\x00]*$'

/**
 * What clients write. `Text` refuses U+0000 besides what its options say, so a text without a pattern gets one. A text of a format gets
 * none: no such text holds U+0000, and what generates texts by their patterns would ignore the format.
 */
export function written(schema: TSchema): TSchema {
  const { type, pattern, format, items, properties } = schema
  if (type === 'string' && pattern === undefined && format === undefined) return { ...schema, pattern: WITHOUT_NUL }
  if (items !== undefined) return { ...schema, items: written(items) }
  if (properties === undefined) return schema
  const members = Object.entries<TSchema>(properties).map(([name, member]) => [name, written(member)])
  return { ...schema, properties: Object.fromEntries(members) }
}

/** Allows no other members, so that tests notice what is not documented. */
export const closed = (properties: Record<string, TSchema>, options = {}) =>
  Type.Object(properties, { ...options, additionalProperties: false })
