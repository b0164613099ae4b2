/** The rights for which a page was built. The address of its stream contains them, to compare them with the reader's current rights. */
import type { Right } from '../../../domain/account/role.ts'

const NAME = 'for'

/**
 * @param right the right in the project of the page; null on a page outside projects
 * @returns such as `own`, `write administrator` or ''
 */
function wordsOf(right: Right | null, isAdministrator: boolean): string {
  return [...(right === null ? [] : [right]), ...(isAdministrator ? ['administrator'] : [])].join(' ')
}

/** @param path local path of a stream, with a query @param right the right in the project of the page; null on a page outside projects */
export function withRights(path: string, right: Right | null, isAdministrator: boolean): string {
  return `${path}&${new URLSearchParams({ [NAME]: wordsOf(right, isAdministrator) })}`
}

/** Whether the page of a stream was built for other rights than these. An address without rights fits all rights. */
export function isForOthers(parameters: URLSearchParams, right: Right | null, isAdministrator: boolean): boolean {
  const made = parameters.get(NAME)
  return made !== null && made !== wordsOf(right, isAdministrator)
}
