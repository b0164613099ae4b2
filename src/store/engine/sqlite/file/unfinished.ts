/**
 * Names of unfinished copies: the final name and the id of the process that writes it. So the remains of a killed process are distinct from
 * the copies of running ones, and from files of the operator.
 */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { codeOf } from '../../../../lib/errors.ts'
import type { Instant } from '../../../../lib/time.ts'

const UNFINISHED = 'unfinished'

/** The final name and the process id; SQLite may have left a journal next to the copy. */
const LEFT = new RegExp(`^(.*)\\.${UNFINISHED}-(\\d+)(?:-journal)?$`)

/** @param file the final path of the copy @param pid id of the process that writes it */
export function unfinishedName(file: string, pid: number = process.pid): string {
  return `${file}.${UNFINISHED}-${pid}`
}

/** Removes the copies of killed processes. @param file the final path of the copies */
export function removeAbandoned(file: string): void {
  removeAbandonedIn(dirname(file), (name) => name === basename(file))
}

/** Milliseconds without a write after which a copy is abandoned, even if a process has that id: ids are reused. */
const STALE_MS = 3_600_000

/**
 * Removes the copies of killed processes, but not those of running ones.
 * @param isWanted whether to remove copies with this final name
 * @param now if given, also removes copies that nobody has written to for an hour
 */
export function removeAbandonedIn(folder: string, isWanted: (name: string) => boolean, now?: Instant): void {
  for (const name of readdirSync(folder)) {
    const [, wanted, pid] = LEFT.exec(name) ?? []
    if (wanted === undefined || !isWanted(wanted)) continue
    const path = join(folder, name)
    const writtenAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
    const isStale = now !== undefined && now.epochMilliseconds - writtenAt > STALE_MS
    if (isStale || !isOther(Number(pid))) rmSync(path, { force: true })
  }
}

/** Lists the copies that running processes write. @param isWanted whether to list copies with this final name */
export function unfinishedIn(folder: string, isWanted: (name: string) => boolean): { readonly bytes: number }[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder).flatMap((name) => {
    const [, wanted, pid] = LEFT.exec(name) ?? []
    if (wanted === undefined || !isWanted(wanted) || name.endsWith('-journal') || !isOther(Number(pid))) return []
    const found = statSync(join(folder, name), { throwIfNoEntry: false })
    return found === undefined ? [] : [{ bytes: found.size }]
  })
}

/** Removes a copy that did not get its name, and its journal, if any. */
export function removeCopy(unfinished: string): void {
  for (const path of [unfinished, `${unfinished}-journal`]) {
    // Without this check, a path that is not in a folder would throw and hide the real error.
    if (existsSync(path)) rmSync(path, { force: true })
  }
}

/** Whether another process with this id runs. A killed one may have had our own id, as in a container. */
function isOther(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}
