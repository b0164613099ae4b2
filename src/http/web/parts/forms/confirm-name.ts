/** A field for the name of what is deleted, which has to be typed. */
import type { Form } from '../../form.ts'
import type { Html } from '../../html.ts'
import { textField } from './fields.ts'

interface Named {
  readonly name: string
  /** what it is called in the page's address, for a name that no keyboard can write, or none */
  readonly id: string
  /** what the name is; `its name` by default */
  readonly called?: string
}

const FIELD = 'confirm'

export function isNameTyped(named: Named, form: Form): boolean {
  return simple(form.text(FIELD)) === simple(wordOf(named))
}

/** @param typed what was typed and is wrong; null before */
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

/** Nobody sees double spaces, or how a letter with an accent is stored. */
function simple(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').trim()
}
