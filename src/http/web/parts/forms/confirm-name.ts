/** A field that confirms a deletion. The user has to type the name of the object to be deleted. */
import type { Form } from '../../form.ts'
import type { Html } from '../../html.ts'
import { textField } from './fields.ts'

interface Named {
  readonly name: string
  /** id in the page's URL, which the user types instead of a name that is empty or cannot be typed */
  readonly id: string
  /** how messages refer to the name; `its name` by default */
  readonly called?: string
}

const FIELD = 'confirm'

export function isNameTyped(named: Named, form: Form): boolean {
  return simple(form.text(FIELD)) === simple(wordOf(named))
}

/** Renders the field. @param typed the form that was submitted with a wrong name; null if there is none */
export function nameToType(named: Named, typed: Form | null): Html {
  const { name, called = 'its name' } = named
  const word = wordOf(named)
  const meant = word === name ? called : word
  const label = `Type ${meant} to confirm`
  const error = typed === null ? undefined : `That is not ${meant}.`
  return textField({ name: FIELD, label, isCode: true, value: typed?.text(FIELD) ?? '', error, hasFocus: true })
}

function wordOf({ name, id }: Named): string {
  return simple(name) === '' || /\p{C}/u.test(name) ? id : name
}

/** Normalizes a name for comparison. Users cannot see double spaces, or tell how accented letters are encoded. */
function simple(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').trim()
}
