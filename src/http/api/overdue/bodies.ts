/** Bodies that the rules of the domain read, which say what to change in their own words. */
import { Refusal } from '../../../domain/errors.ts'

/**
 * @param read gives what is asked for, or what to change in words without a full stop
 * @throws Refusal `invalid` with those words
 */
export function readBody<Asked extends object>(body: unknown, read: (body: unknown) => Asked | string): Asked {
  const asked = read(withoutKey(body))
  if (typeof asked === 'string') throw new Refusal('invalid', `json validation error: ${asked}`)
  return asked
}

/** The door has read the key; the rules refuse members that they do not know. */
function withoutKey(body: unknown): unknown {
  const { api_key: _, ...asked } = body as Readonly<Record<string, unknown>>
  return asked
}
