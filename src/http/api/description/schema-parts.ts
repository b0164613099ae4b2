/** What the schemas of answers are made of. */
import { Text, type TSchema, Type } from '../../../domain/schema.ts'

/** One of a list of texts. */
export function oneOf(values: readonly string[], description: string): TSchema {
  return Type.Unsafe<string>({ type: 'string', enum: [...values], description })
}

export const orNull = (schema: TSchema, description: string) => Type.Union([schema, Type.Null()], { description })
export const count = (description: string) => Type.Integer({ minimum: 0, description })
export const text = (description: string) => Text({ description })

/** Allows no other members, so that tests notice what is not documented. */
export const closed = (properties: Record<string, TSchema>, options = {}) =>
  Type.Object(properties, { ...options, additionalProperties: false })
