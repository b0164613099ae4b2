/** The answer to a form that changes an incident: it leads to its page, which says what became of that. */
import { Refusal } from '../../../domain/errors.ts'
import type { ToastCode } from '../parts/toast.ts'
import type { PageAnswer } from '../route.ts'

/**
 * Somebody else may have been faster, or the check may have recovered: the page says so.
 * @param pathOf a page below that of the incident; '' for its own
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
    // Its own page says who is on it, and asks.
    if (error.code === 'incident-taken') return { kind: 'redirect', to: pathOf('take') }
    if (error.code === 'incident-resolved') return { kind: 'redirect', to: pathOf(''), done: 'incident-over' }
    if (error.code === 'incident-free') return { kind: 'redirect', to: pathOf(''), done: 'incident-free' }
    throw error
  }
}
