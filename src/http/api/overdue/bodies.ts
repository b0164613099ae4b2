/** Reads request bodies that the domain validates with its own error messages. */
import { Refusal } from '../../../domain/errors.ts'

/**
 * Validates a body.
 * @param read returns the parsed request, or an error message without a trailing period
 * @throws Refusal `invalid` with that message
 */
export function readBody<Asked extends object>(body: unknown, read: (body: unknown) => Asked | string): Asked {
  const asked = read(withoutKey(body))
  if (typeof asked === 'string') throw new Refusal('invalid', `json validation error: ${asked}`)
  return asked
}

/** Removes the API key, which the door has already read. Otherwise the domain would reject it as an unknown member. */
function withoutKey(body: unknown): unknown {
  const { api_key: _, ...asked } = body as Readonly<Record<string, unknown>>
  return asked
}
