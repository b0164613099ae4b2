/** Confirmation for actions that can't be undone. If the check has received pings, the user has to type its name. */
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
 * Wraps a form so that it only acts if the user typed the check's name.
 * @param page renders the form; `refused` is the submitted form if the name was missing or wrong
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

/** Returns whether the user typed the name, or does not have to type it. */
function isConfirmed(check: Check, form: Form): boolean {
  return check.nPings === 0 || isNameTyped({ name: check.name, id: check.publicId }, form)
}

/** @param typed the submitted form if the name was wrong; otherwise null */
export function confirmField({ name, publicId: id, nPings }: Check, typed: Form | null): HtmlValue {
  return nPings > 0 && nameToType({ name, id }, typed)
}

/** Returns a string such as `2,118 pings received so far.` */
export function pingsSoFar({ nPings }: Check): string {
  if (nPings === 0) return 'No pings received so far.'
  return `${counted(nPings, 'ping', 'pings')} received so far.`
}
