/** A field in which people type the name of the thing to delete. */
import type { Form } from '../../form.ts'
import type { Html } from '../../html.ts'
import { textField } from './fields.ts'

interface Named {
  readonly name: string
  /** name in the page's address, which replaces an empty name, or one that no keyboard can write */
  readonly id: string
  /** description of the name; `its name` by default */
  readonly called?: string
}

const FIELD = 'confirm'

export function isNameTyped(named: Named, form: Form): boolean {
  return simple(form.text(FIELD)) === simple(wordOf(named))
}

/** @param typed the form with a wrong name; null before */
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

/** Simplifies a name, because nobody sees double spaces, or how a letter with an accent is stored. */
function simple(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').trim()
}
