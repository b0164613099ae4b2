/** Where a database is for the engine: it follows links, and keeps the log beside the file that they lead to. */
import { lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { UserError } from '../domain/errors.ts'

/** After as many the system gives up, too. */
const MOST_LINKS = 40

/** @returns the path, or where it leads to when it is a link; the file itself need not be there */
export function realPathOf(path: string, linksLeft = MOST_LINKS): string {
  if (linksLeft === 0 || !isLink(path)) return path
  return realPathOf(resolve(realpathSync(dirname(path)), readlinkSync(path)), linksLeft - 1)
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink()
  } catch {
    // Whoever opens it tells why that cannot be done.
    return false
  }
}

/** @throws UserError when the path of the database is a folder, which the engine calls unable to open */
export function refuseFolder(path: string): void {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return
  throw new UserError(
    `cannot use the database ${path}: DATABASE_URL names a folder`,
    `give a file: sqlite:${join(path, 'overdue.db')}`,
  )
}
