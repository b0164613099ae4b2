/** What can't be taken back asks for the name of the check, if it has pings. */
import type { Check } from '../../../../domain/check/check.ts'
import type { CheckWithChannels } from '../../../../domain/check/representation.ts'
import type { Form } from '../../form.ts'
import type { HtmlValue } from '../../html.ts'
import { isNameTyped, nameToType } from '../../parts/forms/confirm-name.ts'
import { counted } from '../../parts/words/text.ts'
import type { FrameContent, ProjectVisit } from '../../route.ts'
import { again } from '../forms.ts'
import type { CheckForm } from './check-form.ts'

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
  return check.nPings === 0 || isNameTyped({ name: check.name, id: check.publicId }, form)
}

/** @param typed what was typed and is wrong; null before */
export function confirmField({ name, publicId: id, nPings }: Check, typed: Form | null): HtmlValue {
  return nPings > 0 && nameToType({ name, id }, typed)
}

/** `2,118 pings received so far.` */
export function pingsSoFar({ nPings }: Check): string {
  if (nPings === 0) return 'No ping received so far.'
  return `${counted(nPings, 'ping', 'pings')} received so far.`
}
