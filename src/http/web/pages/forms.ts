/** Answers forms: a refusal by a service is shown in the form, with the typed values. */
import { Refusal, type RefusalCode } from '../../../domain/errors.ts'
import { explainRetry } from '../../errors.ts'
import type { FieldErrors } from '../parts/forms/fields.ts'
import { sentence } from '../parts/words/text.ts'
import type { PageAnswer, PageContent } from '../route.ts'

/** The errors of a form. */
export interface FormProblems {
  /** errors by name of the field */
  readonly fields: FieldErrors
  /** about the form as a whole; null if the fields' errors are complete */
  readonly whole: string | null
}

export const NO_PROBLEMS: FormProblems = { fields: {}, whole: null }

/** The field that a refusal is about, by code; `whole` for none. */
type RefusedFields = Readonly<Partial<Record<RefusalCode, string>>>

export const WHOLE = 'whole'

interface RefusableForm {
  /** fields by code of the refusals that the form can show */
  readonly refused: RefusedFields
  /** renders the form with its errors */
  readonly page: (problems: FormProblems) => PageContent | Promise<PageContent>
  /** replaces the refusal's message, which is made for programs */
  readonly words?: (refusal: Refusal) => string | null
}

/** Returns the form again, with the typed values. */
export function again(page: PageContent): PageAnswer {
  return { kind: 'page', status: 422, page }
}

/** @throws errors of `work`, unless the form can show them */
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
