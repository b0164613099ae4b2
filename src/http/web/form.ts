/** Strict parser for form bodies: `application/x-www-form-urlencoded` (WHATWG URL, 5.1). */
import { Refusal } from '../../domain/errors.ts'
import { isStorable } from '../../lib/text/text.ts'
import { readBytes, requireFewFields, STRANGERS_BODY_LIMIT, STRANGERS_FIELDS_LIMIT } from '../body.ts'

/** The fields that a browser sent. */
export interface Form {
  /** Returns the first value of a field; '' if the field is missing. */
  text(name: string): string
  /** Returns all values of a field. */
  list(name: string): readonly string[]
  /** Whether the browser sent the field, as for a ticked checkbox. */
  has(name: string): boolean
}

/** Limits for the body of a form. */
export interface FormLimit {
  readonly bytes: number
  /** maximum number of fields. Parsing a field takes longer than its bytes suggest */
  readonly fields: number
}

export const FORM_LIMIT: FormLimit = { bytes: STRANGERS_BODY_LIMIT, fields: STRANGERS_FIELDS_LIMIT }
const FORM_TYPE = 'application/x-www-form-urlencoded'

export const NO_FORM: Form = formOf([])

/**
 * Reads a form.
 * @throws Refusal `invalid` for another media type, or for text that can't be stored; `too-large` if the form exceeds `limit`, before any
 * field is parsed
 */
export async function readForm(request: Request, limit = FORM_LIMIT): Promise<Form> {
  const bytes = await readBytes(request, limit.bytes)
  // A form with nothing but a button has no fields, and some programs then send no Content-Type.
  if (bytes.length === 0) return NO_FORM
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== FORM_TYPE) throw new Refusal('invalid', `the form must be sent as ${FORM_TYPE}`)
  requireFewFields(bytes, limit.fields)
  return parseForm(bytes)
}

/**
 * Parses a form.
 * @throws Refusal `invalid` for an invalid escape, for bytes that are not UTF-8, and for U+0000
 */
export function parseForm(bytes: Uint8Array): Form {
  try {
    return formOf(storable(new TextDecoder('utf-8', { fatal: true }).decode(bytes)).split('&'))
  } catch {
    throw new Refusal('invalid', 'the form contains invalid text: send it as UTF-8, without U+0000')
  }
}

/**
 * Builds a form. Some pages look up a name for every integration of the project, so a lookup must not scan all fields.
 * @param pairs the encoded pairs, as they were sent
 * @throws Error for an invalid escape, or an escaped text that can't be stored
 */
function formOf(pairs: readonly string[]): Form {
  const values = new Map<string, string[]>()
  for (const pair of pairs) {
    if (pair === '') continue
    const at = pair.indexOf('=')
    const name = decode(at < 0 ? pair : pair.slice(0, at))
    const value = decode(at < 0 ? '' : pair.slice(at + 1))
    const ofName = values.get(name)
    if (ofName) ofName.push(value)
    else values.set(name, [value])
  }
  return {
    text: (name) => values.get(name)?.[0] ?? '',
    list: (name) => values.get(name) ?? [],
    has: (name) => values.has(name),
  }
}

const ESCAPED = /[%+]/

/**
 * Decodes an escaped text. Uses `decodeURIComponent`, because it refuses bytes that are not UTF-8. `URLSearchParams` would replace them
 * silently.
 */
function decode(text: string): string {
  // Most fields of the longest forms are ids, which need no decoding, and this test is faster.
  if (!ESCAPED.test(text)) return text
  return storable(decodeURIComponent(text.replaceAll('+', ' ')))
}

/** @throws Error if the text can't be stored */
function storable(text: string): string {
  if (!isStorable(text)) throw new Error('not storable')
  return text
}
