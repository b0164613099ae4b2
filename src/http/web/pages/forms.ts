/** Answers forms: what a service refuses is shown in the form, with what was typed. */
import { Refusal, type RefusalCode } from '../../../domain/errors.ts'
import { explainRetry } from '../../errors.ts'
import type { FieldErrors } from '../parts/forms/fields.ts'
import { sentence } from '../parts/words/text.ts'
import type { PageAnswer, PageContent } from '../route.ts'

/** What is wrong with a form. */
export interface FormProblems {
  /** by name of the field */
  readonly fields: FieldErrors
  /** about the form as a whole; null when fields say everything */
  readonly whole: string | null
}

export const NO_PROBLEMS: FormProblems = { fields: {}, whole: null }

/** The field that a refusal is about; `whole` for none. */
type RefusedFields = Readonly<Partial<Record<RefusalCode, string>>>

export const WHOLE = 'whole'

interface RefusableForm {
  /** for each code of refusal that the form can show */
  readonly refused: RefusedFields
  /** the form again */
  readonly page: (problems: FormProblems) => PageContent | Promise<PageContent>
  /** other words than the refusal's, which are made for programs */
  readonly words?: (refusal: Refusal) => string | null
}

/** The form again, with what was typed. */
export function again(page: PageContent): PageAnswer {
  return { kind: 'page', status: 422, page }
}

/** @throws what `work` throws, unless the form can show it */
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
