/** Bodies that the domain validates, with error messages of its own. */
import { Refusal } from '../../../domain/errors.ts'

/**
 * Reads a body.
 * @param read returns the request, or what to change in words without a full stop
 * @throws Refusal `invalid` with those words
 */
export function readBody<Asked extends object>(body: unknown, read: (body: unknown) => Asked | string): Asked {
  const asked = read(withoutKey(body))
  if (typeof asked === 'string') throw new Refusal('invalid', `json validation error: ${asked}`)
  return asked
}

/** Removes the key, which was read already: the domain refuses unknown members. */
function withoutKey(body: unknown): unknown {
  const { api_key: _, ...asked } = body as Readonly<Record<string, unknown>>
  return asked
}
