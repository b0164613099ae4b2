/** The answer to a form that changes an incident: a redirect to the page of the incident, which shows the result. */
import { Refusal } from '../../../domain/errors.ts'
import type { ToastCode } from '../parts/toast.ts'
import type { PageAnswer } from '../route.ts'

/**
 * Redirects to the page of the incident, with a message if somebody else was faster or the check has recovered.
 * @param pathOf returns the path of a page below that of the incident; '' for its own
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
    // The page `take` names the person who is on the incident, and asks.
    if (error.code === 'incident-taken') return { kind: 'redirect', to: pathOf('take') }
    if (error.code === 'incident-resolved') return { kind: 'redirect', to: pathOf(''), done: 'incident-over' }
    if (error.code === 'incident-free') return { kind: 'redirect', to: pathOf(''), done: 'incident-free' }
    throw error
  }
}
