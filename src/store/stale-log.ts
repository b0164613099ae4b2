/**
 * A log beside a database that it was not written for: what is left when the file of a server was replaced. The engine
 * cannot tell, and would mix both into one that is neither.
 */
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { UserError } from '../domain/errors.ts'

/** https://www.sqlite.org/fileformat2.html#file_format_version_numbers */
const READ_VERSION_AT = 19
const WITHOUT_LOG = 1

export function hasLog(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0
}

/**
 * Costs a look at one byte, and finds whatever was not in WAL mode when it was put there, as every backup.
 * @throws UserError that names both files and what to do with them
 */
export function refuseStaleLog(path: string): void {
  if (!hasLog(path) || byteAt(path, READ_VERSION_AT) !== WITHOUT_LOG) return
  throw staleLog(path, `the log ${path}-wal is not of the database ${path} beside it, but of another file`)
}

/** @param words what was found */
export function staleLog(path: string, words: string): UserError {
  const hint = [
    `to use ${path} as it is, move the log away: mv ${path}-wal ${path}-wal.kept;`,
    'where the file was replaced by mistake, put the former one back beside the log, which holds its newest pings;',
    'or move both away and restore a backup',
  ]
  return new UserError(words, hint.join(' '))
}

function byteAt(path: string, position: number): number | undefined {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return undefined
  const file = openSync(path, 'r')
  try {
    const byte = new Uint8Array(1)
    return readSync(file, byte, 0, 1, position) === 1 ? byte[0] : undefined
  } finally {
    closeSync(file)
  }
}
