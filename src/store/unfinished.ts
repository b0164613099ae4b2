/**
 * A copy that is not whole yet bears the name that it is to get, and the number of the process that makes it. So what is left
 * of attempts that were killed can be told from what others are about, and from files of the operator.
 */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Instant } from '../domain/time.ts'

const UNFINISHED = 'unfinished'

/** The name that is to be, and the number of the process; beside the copy there may be a journal of the engine. */
const LEFT = new RegExp(`^(.*)\\.${UNFINISHED}-(\\d+)(?:-journal)?$`)

/** @param file the name that the copy is to get @param pid of the process that makes it */
export function unfinishedName(file: string, pid: number = process.pid): string {
  return `${file}.${UNFINISHED}-${pid}`
}

/** @param file a path that copies were to get */
export function removeAbandoned(file: string): void {
  removeAbandonedIn(dirname(file), (name) => name === basename(file))
}

/** Nobody leaves a copy alone for as long: its process is gone, and another one has got the number. */
const STALE_MS = 3_600_000

/**
 * An attempt that was killed leaves its part, which may be large; that of a process that lives is left to it.
 * @param isWanted whether copies were to get such a name
 * @param now what nobody has written to for an hour goes too; left out, nothing goes for its age
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

/** Removes a copy that did not get its name, with the journal that the engine may have left of it. */
export function removeCopy(unfinished: string): void {
  for (const path of [unfinished, `${unfinished}-journal`]) {
    // Where the folder is none, removing would fail and hide the reason.
    if (existsSync(path)) rmSync(path, { force: true })
  }
}

/** Whether that is another process, and lives. Our own number may have been that of a killed one, as in a container. */
function isOther(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
