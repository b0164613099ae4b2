/** For which rights a page was made. It says so in the address of its stream, which is compared with what its reader may do now. */
import type { Right } from '../../../domain/account/role.ts'

const NAME = 'for'

/** @param right in the project of the page; null on a page of no project @returns such as `own`, `write administrator` or '' */
function wordsOf(right: Right | null, isAdministrator: boolean): string {
  return [...(right === null ? [] : [right]), ...(isAdministrator ? ['administrator'] : [])].join(' ')
}

/** @param path local, of a stream, with a query @param right in the project of the page; null on a page of no project */
export function withRights(path: string, right: Right | null, isAdministrator: boolean): string {
  return `${path}&${new URLSearchParams({ [NAME]: wordsOf(right, isAdministrator) })}`
}

/** Whether the page of a stream was made for other rights than these. An address that names none was made for any. */
export function isForOthers(parameters: URLSearchParams, right: Right | null, isAdministrator: boolean): boolean {
  const made = parameters.get(NAME)
  return made !== null && made !== wordsOf(right, isAdministrator)
}
