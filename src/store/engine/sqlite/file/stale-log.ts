/**
 * Detects a log that was written for another database, for example after a server's file was replaced. SQLite does not detect this, and
 * would mix the two.
 */
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { Refusal } from '../../../../domain/errors.ts'

/** Position of the version in the file header: https://www.sqlite.org/fileformat2.html#file_format_version_numbers */
const READ_VERSION_AT = 19
const WITHOUT_LOG = 1

export function hasLog(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0
}

/**
 * Rejects a log that belongs to another file. Reads only one byte, because a database that is not in WAL mode, such as every backup, cannot
 * have a log.
 * @throws Refusal `log-foreign`
 */
export function refuseStaleLog(path: string): void {
  if (!hasLog(path) || byteAt(path, READ_VERSION_AT) !== WITHOUT_LOG) return
  throw staleLog(path, `the log ${path}-wal belongs to another file, not to the database ${path} beside it`)
}

/** @param words description of the problem, for the message */
export function staleLog(path: string, words: string): Refusal {
  return new Refusal('log-foreign', words, { path, log: `${path}-wal` })
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
