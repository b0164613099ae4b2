/** The response to a form that changes an incident. It redirects to the incident's page, which shows the result. */
import { Refusal } from '../../../domain/errors.ts'
import type { ToastCode } from '../parts/toast.ts'
import type { PageAnswer } from '../route.ts'

/**
 * Redirects to the incident's page. If another user acted first, or if the check has recovered, the page explains that.
 * @param pathOf returns the path of a page below the incident; '' is the incident's own page
 */
export async function incidentAnswer(
  pathOf: (page: string) => string,
  done: ToastCode,
  work: () => Promise<unknown>,
): Promise<PageAnswer> {
  try {
    await work()
    return { kind: 'redirect', to: pathOf(''), done }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    // The `take` page shows who has taken the incident, and asks for confirmation.
    if (error.code === 'incident-taken') return { kind: 'redirect', to: pathOf('take') }
    if (error.code === 'incident-resolved') return { kind: 'redirect', to: pathOf(''), done: 'incident-over' }
    if (error.code === 'incident-free') return { kind: 'redirect', to: pathOf(''), done: 'incident-free' }
    throw error
  }
}
