/** Bodies of forms: `application/x-www-form-urlencoded` (WHATWG URL, 5.1), read strictly. */
import { Refusal } from '../../domain/errors.ts'
import { isStorable } from '../../lib/text/text.ts'
import { readBytes, requireFewFields, STRANGERS_BODY_LIMIT, STRANGERS_FIELDS_LIMIT } from '../body.ts'

/** The fields that a browser sent. */
export interface Form {
  /** Returns the first value of a field; '' without one. */
  text(name: string): string
  /** Returns all values of a field. */
  list(name: string): readonly string[]
  /** Whether the field was sent, such as a ticked box. */
  has(name: string): boolean
}

/** Limits of a form's body. */
export interface FormLimit {
  readonly bytes: number
  /** pairs of a name and a value: each takes more work than its bytes */
  readonly fields: number
}

export const FORM_LIMIT: FormLimit = { bytes: STRANGERS_BODY_LIMIT, fields: STRANGERS_FIELDS_LIMIT }
const FORM_TYPE = 'application/x-www-form-urlencoded'

export const NO_FORM: Form = formOf([])

/**
 * Reads a form.
 * @throws Refusal `invalid` for a type other than a form's, or text that can't be stored; `too-large` over `limit`: too many fields are
 * refused before any of them is read
 */
export async function readForm(request: Request, limit = FORM_LIMIT): Promise<Form> {
  const bytes = await readBytes(request, limit.bytes)
  // A button alone sends no fields, and some programs then send no type.
  if (bytes.length === 0) return NO_FORM
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== FORM_TYPE) throw new Refusal('invalid', `the form must be sent as ${FORM_TYPE}`)
  requireFewFields(bytes, limit.fields)
  return parseForm(bytes)
}

/** Parses a form. @throws Refusal `invalid` for a broken escape, for bytes that are not UTF-8, and for U+0000 */
export function parseForm(bytes: Uint8Array): Form {
  try {
    return formOf(storable(new TextDecoder('utf-8', { fatal: true }).decode(bytes)).split('&'))
  } catch {
    throw new Refusal('invalid', 'the form has text that is not valid: send it as UTF-8, without U+0000')
  }
}

/**
 * Builds a form. Pages look up as many names as their project has integrations, so a look-up must not read all fields.
 * @param pairs the pairs as they were sent
 * @throws Error for a broken escape, or an escaped text that can't be stored
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

/** Decodes an escaped text. `decodeURIComponent` refuses bytes that are not UTF-8; `URLSearchParams` would replace them silently. */
function decode(text: string): string {
  // Most fields of the longest forms are ids, and testing is faster than decoding.
  if (!ESCAPED.test(text)) return text
  return storable(decodeURIComponent(text.replaceAll('+', ' ')))
}

/** @throws Error if the text can't be stored */
function storable(text: string): string {
  if (!isStorable(text)) throw new Error('not storable')
  return text
}
