/** Strict parser for form bodies: `application/x-www-form-urlencoded` (WHATWG URL, 5.1). */
import { Refusal } from '../../domain/errors.ts'
import { isStorable } from '../../lib/text/text.ts'
import { readBytes, requireFewFields, STRANGERS_BODY_LIMIT, STRANGERS_FIELDS_LIMIT } from '../body.ts'

/** The fields that a browser submitted. */
export interface Form {
  /** Returns a field's first value; '' if the field is missing. */
  text(name: string): string
  /** Returns all of a field's values. */
  list(name: string): readonly string[]
  /** Returns whether the browser submitted the field, as it does for a selected checkbox. */
  has(name: string): boolean
}

/** Size limits for a form body. */
export interface FormLimit {
  readonly bytes: number
  /** maximum number of fields, which is limited because parsing a field takes longer than its size suggests */
  readonly fields: number
}

export const FORM_LIMIT: FormLimit = { bytes: STRANGERS_BODY_LIMIT, fields: STRANGERS_FIELDS_LIMIT }
const FORM_TYPE = 'application/x-www-form-urlencoded'

export const NO_FORM: Form = formOf([])

/**
 * Reads a form.
 * @throws Refusal `invalid` for any other media type, or for text that cannot be stored; `too-large` if the form exceeds `limit`, before
 * any field is parsed
 */
export async function readForm(request: Request, limit = FORM_LIMIT): Promise<Form> {
  const bytes = await readBytes(request, limit.bytes)
  // A form with only a button has no fields, and some programs then send no Content-Type.
  if (bytes.length === 0) return NO_FORM
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== FORM_TYPE) throw new Refusal('invalid', `the form must be sent as ${FORM_TYPE}`)
  requireFewFields(bytes, limit.fields)
  return parseForm(bytes)
}

/**
 * Parses a form.
 * @throws Refusal `invalid` for invalid percent-encoding, bytes that are not UTF-8, and U+0000
 */
export function parseForm(bytes: Uint8Array): Form {
  try {
    return formOf(storable(new TextDecoder('utf-8', { fatal: true }).decode(bytes)).split('&'))
  } catch {
    throw new Refusal('invalid', 'the form contains invalid text: send it as UTF-8, without U+0000')
  }
}

/**
 * Builds a form. Some pages look up a name for every integration in the project, so a lookup must not scan all fields.
 * @param pairs the encoded pairs, as the browser sent them
 * @throws Error for invalid percent-encoding, or for text that cannot be stored
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
 * Decodes percent-encoded text. Uses `decodeURIComponent`, because it rejects bytes that are not UTF-8. `URLSearchParams` would silently
 * replace them.
 */
function decode(text: string): string {
  // Most fields in the longest forms are ids, which don't need decoding. This test is faster than decoding them.
  if (!ESCAPED.test(text)) return text
  return storable(decodeURIComponent(text.replaceAll('+', ' ')))
}

/** @throws Error if the text cannot be stored */
function storable(text: string): string {
  if (!isStorable(text)) throw new Error('not storable')
  return text
}
