/** Bodies of forms: `application/x-www-form-urlencoded` (WHATWG URL, 5.1), read strictly. */
import { Refusal } from '../../domain/errors.ts'
import { isStorable } from '../../lib/text.ts'
import { readBytes } from '../body.ts'

/** The fields that a browser sent. */
export interface Form {
  /** The first value of a field; '' when there is none. */
  text(name: string): string
  /** All values of a field. */
  list(name: string): readonly string[]
  /** Whether the field was sent, such as a box that is ticked. */
  has(name: string): boolean
}

export const FORM_LIMIT = 65_536
const FORM_TYPE = 'application/x-www-form-urlencoded'

export const NO_FORM: Form = formOf([])

/**
 * @throws Refusal `invalid` for another type than a form's, or text that can't be stored; `too-large` over `limit` bytes
 */
export async function readForm(request: Request, limit = FORM_LIMIT): Promise<Form> {
  const bytes = await readBytes(request, limit)
  // A button alone sends no fields, and some programs then send no type.
  if (bytes.length === 0) return NO_FORM
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== FORM_TYPE) throw new Refusal('invalid', `the form must be sent as ${FORM_TYPE}`)
  return parseForm(bytes)
}

/** @throws Refusal `invalid` for a broken escape, for bytes that are not UTF-8, and for U+0000 */
export function parseForm(bytes: Uint8Array): Form {
  try {
    const pairs = new TextDecoder('utf-8', { fatal: true }).decode(bytes).split('&')
    return formOf(pairs.filter((pair) => pair !== '').map(decodePair))
  } catch {
    throw new Refusal('invalid', 'the form has text that is not valid: send it as UTF-8, without U+0000')
  }
}

/** @throws Error */
function decodePair(pair: string): readonly [name: string, value: string] {
  const at = pair.indexOf('=')
  const name = decode(at < 0 ? pair : pair.slice(0, at))
  const value = decode(at < 0 ? '' : pair.slice(at + 1))
  if (!isStorable(name) || !isStorable(value)) throw new Error('not storable')
  return [name, value]
}

/** `decodeURIComponent` refuses what is not UTF-8; `URLSearchParams` would replace it silently. */
function decode(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '))
}

function formOf(fields: readonly (readonly [name: string, value: string])[]): Form {
  return {
    text: (name) => fields.find(([field]) => field === name)?.[1] ?? '',
    list: (name) => fields.flatMap(([field, value]) => (field === name ? [value] : [])),
    has: (name) => fields.some(([field]) => field === name),
  }
}
