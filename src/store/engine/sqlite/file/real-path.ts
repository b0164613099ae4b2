/** Follows links as SQLite does, because SQLite keeps the log next to a link's target. */
import { lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Refusal } from '../../../../domain/errors.ts'

/** Maximum number of links to follow, as in Linux. */
const LINKS_MAX = 40

/** @returns the path itself, or its target if it is a link; the file need not exist */
export function realPathOf(path: string, linksLeft = LINKS_MAX): string {
  if (linksLeft === 0 || !isLink(path)) return path
  return realPathOf(resolve(realpathSync(dirname(path)), readlinkSync(path)), linksLeft - 1)
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink()
  } catch {
    // The error is ignored here, because opening the file will report it.
    return false
  }
}

/**
 * Rejects a directory or a pipe. SQLite would only report that it is unable to open it, or would wait forever.
 * @throws Refusal `path-is-folder` or `not-regular-file` if the path is not a regular file
 */
export function refuseNonFile(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found || found.isFile()) return
  const setting = 'DATABASE_URL'
  const begin = `cannot use the database ${path}: ${setting} points to`
  if (found.isDirectory()) throw new Refusal('path-is-folder', `${begin} a folder`, { path, setting })
  throw new Refusal('not-regular-file', `${begin} something that is not a regular file`, { path, setting })
}
