/** Bodies that the domain validates, with error messages of its own. */
import { Refusal } from '../../../domain/errors.ts'

/**
 * Reads a body.
 * @param read returns the request, or a message without a full stop that says what to change
 * @throws Refusal `invalid` with that message
 */
export function readBody<Asked extends object>(body: unknown, read: (body: unknown) => Asked | string): Asked {
  const asked = read(withoutKey(body))
  if (typeof asked === 'string') throw new Refusal('invalid', `json validation error: ${asked}`)
  return asked
}

/** Removes the key, which has been read already, because the domain refuses unknown members. */
function withoutKey(body: unknown): unknown {
  const { api_key: _, ...asked } = body as Readonly<Record<string, unknown>>
  return asked
}
