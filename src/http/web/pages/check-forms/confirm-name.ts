/** What can't be taken back asks for the name of the check, if it has pings. */
import type { Check } from '../../../../domain/check/check.ts'
import type { CheckWithChannels } from '../../../../domain/check/representation.ts'
import type { Form } from '../../form.ts'
import type { HtmlValue } from '../../html.ts'
import { textField } from '../../parts/fields.ts'
import { counted } from '../../parts/text.ts'
import type { FrameContent, ProjectVisit } from '../../route.ts'
import { again, type CheckForm } from './check-form.ts'

const FIELD = 'confirm'

/**
 * A form that acts once the name was typed.
 * @param page `refused`: what was sent without the name
 */
export function confirmedForm(
  word: string,
  page: (visit: ProjectVisit, found: CheckWithChannels, refused: Form | null) => FrameContent,
  act: CheckForm['act'],
): CheckForm {
  return {
    word,
    show: (found, visit) => page(visit, found, null),
    act: async (found, visit) =>
      isConfirmed(found.check, visit.form) ? act(found, visit) : again(page(visit, found, visit.form)),
  }
}

/** Whether the name was typed, or need not be. */
function isConfirmed(check: Check, form: Form): boolean {
  return check.nPings === 0 || simple(form.text(FIELD)) === simple(wordOf(check))
}

/** What to type. A name that no keyboard can write, or none, is replaced by the id in the page's address. */
function wordOf({ name, publicId }: Check): string {
  return simple(name) === '' || /\p{C}/u.test(name) ? publicId : name
}

/** Nobody sees double spaces, or how a letter with an accent is stored. */
function simple(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').trim()
}

/** @param typed what was typed and is wrong; null before */
export function confirmField(check: Check, typed: Form | null): HtmlValue {
  if (check.nPings === 0) return null
  const word = wordOf(check)
  const label = word === check.name ? 'Type its name to confirm' : `Type ${word} to confirm`
  const error = typed === null ? undefined : `That is not ${word === check.name ? 'its name' : word}.`
  return textField({ name: FIELD, label, isCode: true, value: typed?.text(FIELD) ?? '', error, hasFocus: true })
}

/** `2,118 pings have come so far.` */
export function pingsSoFar({ nPings }: Check): string {
  if (nPings === 0) return 'No ping has come so far.'
  return `${counted(nPings, 'ping has', 'pings have')} come so far.`
}
