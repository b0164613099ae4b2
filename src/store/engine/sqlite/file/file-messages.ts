/**
 * Messages about a database file that was moved, replaced, deleted or damaged while in use. They say what happened and what to do. All
 * paths are absolute.
 */
import { statSync } from 'node:fs'

/** A file that the server has open, and its name. */
interface OpenFile {
  readonly path: string
  /** this process's descriptor of the file */
  readonly descriptor: number
  /** true if the file no longer has a name, so that it is lost when the server stops */
  readonly isDeleted: boolean
}

export interface Files {
  /** the file at the path that the operator configured, which may be a link */
  readonly database: OpenFile
  readonly log: OpenFile
  /** true if the log, or a copy of it, is where the server will look for it at the next start */
  readonly hasLog: boolean
}

const MANUAL = 'docs/operate.md, "When the database file is taken away"'

/** Returns the message for a path without a file. */
export function goneWords({ database, log, hasLog }: Files, inode: bigint): string {
  const begin = (what: string) =>
    `the database file ${database.path} was ${what} while the server was running (inode ${inode})`
  const restoring = 'stop the server and restore a backup'
  if (!database.isDeleted) {
    const files = hasLog ? 'file' : `file and its log ${log.path}`
    return `${begin('moved away')}: move the same ${files} back, or ${restoring}`
  }
  const missing = hasLog ? [database] : [database, log]
  const commands = copyCommands(missing.filter(({ isDeleted }) => isDeleted))
  if (commands === null) return `${begin('deleted')}: ${restoring}`
  const moved = !hasLog && !log.isDeleted ? `, move its log back to ${log.path}` : ''
  const save = `do not stop the server (process ${process.pid}), which still has the file open: save its contents with ${commands}${moved}`
  return `${begin('deleted')}: ${save}, then restart the server; see ${MANUAL}; only if that fails, ${restoring}`
}

/** Returns the message about a file that was replaced by an exact copy. */
export function copiedWords({ database, log, hasLog }: Files): string {
  const begin = `the database file ${database.path} was replaced by a copy of the one that the server has open`
  if (hasLog) return `${begin}: restart the server and leave ${log.path} where it is`
  const commands = log.isDeleted ? copyCommands([log]) : null
  const next = commands === null ? `move its log back to ${log.path}` : `save its log with ${commands}`
  return `${begin}, but its log, which contains the newest pings, is not next to it: ${next}, then restart the server`
}

/** @param mayBeCopy true if the part of the new file compared so far is identical */
export function replacedWords(
  { database, log }: Files,
  { was, is, mayBeCopy }: { readonly was: bigint; readonly is: bigint; readonly mayBeCopy: boolean },
): string {
  const begin = `the database file ${database.path} was replaced while the server was running (it was inode ${was}, now it is inode ${is})`
  const copy = `if the new file is a copy of the original, saved from /proc, just restart the server and leave ${log.path} where it is; otherwise `
  const commands = database.isDeleted ? copyCommands([database]) : null
  const former = database.isDeleted
    ? commands &&
      `do not stop the server (process ${process.pid}), move the new file away and save the original with ${commands}`
    : 'move the original file back'
  const use = `stop the server, move ${log.path} to another folder, and start it on the new file`
  return `${begin}: ${mayBeCopy ? copy : ''}${former === null ? use : `${former}; or ${use}`}`
}

/** @param path path of the file itself if `database` is a link @param what what is wrong with the database, worded like `is damaged` */
export function damagedWords(database: string, path: string, log: string, what: string): string {
  const next = `stop the server, move ${path} and ${log} to another folder, then restore a backup; see ${MANUAL}`
  return `the database file ${database} ${what}: ${next}`
}

/** @returns null if the system does not list a process's open files */
function copyCommands(files: readonly OpenFile[]): string | null {
  const from = ({ descriptor }: OpenFile) => `/proc/${process.pid}/fd/${descriptor}`
  if (!files.every((file) => statSync(from(file), { throwIfNoEntry: false })?.isFile())) return null
  return `(umask 077; ${files.map((file) => `cp ${from(file)} ${file.path}`).join('; ')})`
}
