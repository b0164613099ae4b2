/**
 * Handles submitted forms. If a service rejects the request, the page shows the form again with an error message and the values that the
 * user typed.
 */
import { Refusal, type RefusalCode } from '../../../domain/errors.ts'
import { explainRetry } from '../../errors.ts'
import type { FieldErrors } from '../parts/forms/fields.ts'
import { sentence } from '../parts/words/text.ts'
import type { PageAnswer, PageContent } from '../route.ts'

/** A form's errors. */
export interface FormProblems {
  /** error messages by field name */
  readonly fields: FieldErrors
  /** error message about the form in general; null if the field errors are sufficient */
  readonly whole: string | null
}

export const NO_PROBLEMS: FormProblems = { fields: {}, whole: null }

/** Maps a refusal's code to the field that it is about, or to `whole` if it is not about a field. */
type RefusedFields = Readonly<Partial<Record<RefusalCode, string>>>

export const WHOLE = 'whole'

interface RefusableForm {
  /** refusals that the form can show, and the field that each one is about */
  readonly refused: RefusedFields
  /** renders the form with error messages */
  readonly page: (problems: FormProblems) => PageContent | Promise<PageContent>
  /** returns a message for users; null to show the refusal's own message, which is worded for API clients */
  readonly words?: (refusal: Refusal) => string | null
}

/** Renders the form again with the typed values, as the response to a rejected request. */
export function again(page: PageContent): PageAnswer {
  return { kind: 'page', status: 422, page }
}

/** Runs `work`. If it throws a refusal, shows the form again. @throws any error thrown by `work` that the form cannot show */
export async function orFormAgain(form: RefusableForm, work: () => Promise<PageAnswer>): Promise<PageAnswer> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const field = form.refused[error.code]
    if (field === undefined) throw error
    return formAgain(form, error, field)
  }
}

async function formAgain(form: RefusableForm, refusal: Refusal, field: string): Promise<PageAnswer> {
  const words = form.words?.(refusal) ?? sentence(refusal.message)
  const problems = field === WHOLE ? { fields: {}, whole: words } : { fields: { [field]: words }, whole: null }
  const { status, headers } = explainRetry(refusal)
  return { kind: 'page', status, headers, page: await form.page(problems) }
}
