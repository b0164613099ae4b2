/**
 * The rights that a page was built for. The URL of the page's stream contains them, so that the server can compare them with the reader's
 * current rights.
 */
import type { Right } from '../../../domain/account/role.ts'

const NAME = 'for'

/**
 * @param right the right in the page's project; null on a page outside projects
 * @returns words such as `own` or `write administrator`; '' if the reader has no rights
 */
function wordsOf(right: Right | null, isAdministrator: boolean): string {
  return [...(right === null ? [] : [right]), ...(isAdministrator ? ['administrator'] : [])].join(' ')
}

/**
 * @param path a stream's local path, with a query
 * @param right the right in the page's project; null on a page outside projects
 */
export function withRights(path: string, right: Right | null, isAdministrator: boolean): string {
  return `${path}&${new URLSearchParams({ [NAME]: wordsOf(right, isAdministrator) })}`
}

/** Returns whether a stream's page was built for different rights. A URL without rights matches any rights. */
export function isForOthers(parameters: URLSearchParams, right: Right | null, isAdministrator: boolean): boolean {
  const made = parameters.get(NAME)
  return made !== null && made !== wordsOf(right, isAdministrator)
}
