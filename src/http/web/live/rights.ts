/**
 * The rights that a page was built for. The address of its stream contains them, so that the server can compare them with the reader's
 * current rights.
 */
import type { Right } from '../../../domain/account/role.ts'

const NAME = 'for'

/**
 * @param right the right in the project of the page; null on a page outside projects
 * @returns words such as `own` or `write administrator`; '' without rights
 */
function wordsOf(right: Right | null, isAdministrator: boolean): string {
  return [...(right === null ? [] : [right]), ...(isAdministrator ? ['administrator'] : [])].join(' ')
}

/**
 * @param path local path of a stream, with a query
 * @param right the right in the project of the page; null on a page outside projects
 */
export function withRights(path: string, right: Right | null, isAdministrator: boolean): string {
  return `${path}&${new URLSearchParams({ [NAME]: wordsOf(right, isAdministrator) })}`
}

/** Whether the page of a stream was built for different rights. An address without rights matches any rights. */
export function isForOthers(parameters: URLSearchParams, right: Right | null, isAdministrator: boolean): boolean {
  const made = parameters.get(NAME)
  return made !== null && made !== wordsOf(right, isAdministrator)
}
