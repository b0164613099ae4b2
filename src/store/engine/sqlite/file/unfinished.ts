/**
 * Names of unfinished copies. Such a name contains the copy's final name and the id of the process that is writing it. The id shows whether
 * that process is still running, and the format of the name keeps the operator's files from being mistaken for copies.
 */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { codeOf } from '../../../../lib/errors.ts'
import type { Instant } from '../../../../lib/time.ts'

const UNFINISHED = 'unfinished'

/** Matches the final name and the process id. SQLite may have left a journal next to the copy. */
const UNFINISHED_NAME = new RegExp(`^(.*)\\.${UNFINISHED}-(\\d+)(?:-journal)?$`)

/** @param file the copy's final path @param pid id of the process that is writing the copy */
export function unfinishedName(file: string, pid: number = process.pid): string {
  return `${file}.${UNFINISHED}-${pid}`
}

/** Removes the copies that killed processes have left behind. @param file the final path of the copies */
export function removeAbandoned(file: string): void {
  removeAbandonedIn(dirname(file), (name) => name === basename(file))
}

/**
 * Number of milliseconds without a write after which a copy is considered abandoned. This applies even if there is a running process with
 * the id in its name, because process ids are reused.
 */
const STALE_MS = 3_600_000

/**
 * Removes the copies that killed processes have left behind, but not those of running processes.
 * @param isWanted returns whether to remove copies with this final name
 * @param now if given, copies without a write for an hour are removed too
 */
export function removeAbandonedIn(folder: string, isWanted: (name: string) => boolean, now?: Instant): void {
  for (const name of readdirSync(folder)) {
    const [, wanted, pid] = UNFINISHED_NAME.exec(name) ?? []
    if (wanted === undefined || !isWanted(wanted)) continue
    const path = join(folder, name)
    const writtenAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
    const isStale = now !== undefined && now.epochMilliseconds - writtenAt > STALE_MS
    if (isStale || !isOther(Number(pid))) rmSync(path, { force: true })
  }
}

/** Lists the copies that running processes are writing. @param isWanted returns whether to list copies with this final name */
export function unfinishedIn(folder: string, isWanted: (name: string) => boolean): { readonly bytes: number }[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder).flatMap((name) => {
    const [, wanted, pid] = UNFINISHED_NAME.exec(name) ?? []
    if (wanted === undefined || !isWanted(wanted) || name.endsWith('-journal') || !isOther(Number(pid))) return []
    const found = statSync(join(folder, name), { throwIfNoEntry: false })
    return found === undefined ? [] : [{ bytes: found.size }]
  })
}

/** Removes a copy that was never given its final name, and its journal if there is one. */
export function removeCopy(unfinished: string): void {
  for (const path of [unfinished, `${unfinished}-journal`]) {
    // Without this check, a path outside of any directory would throw an error that hides the real one.
    if (existsSync(path)) rmSync(path, { force: true })
  }
}

/** Returns whether another process with this id is running. In a container, a killed process may have had the same id as this process. */
function isOther(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}
