/**
 * A copy that is not whole yet bears the name that it is to get, and the number of the process that makes it. So what is left
 * of attempts that were killed can be told from what others are about, and from files of the operator.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const UNFINISHED = 'unfinished'

/** The name that is to be, and the number of the process; beside the copy there may be a journal of the engine. */
const LEFT = new RegExp(`^(.*)\\.${UNFINISHED}-(\\d+)(?:-journal)?$`)

/** @param file the name that the copy is to get */
export function unfinishedName(file: string): string {
  return `${file}.${UNFINISHED}-${process.pid}`
}

/** Whether this is what there is of a copy, under way or left, that was to get such a name. */
export function isUnfinished(name: string, isWanted: (name: string) => boolean): boolean {
  const wanted = LEFT.exec(name)?.[1]
  return wanted !== undefined && isWanted(wanted)
}

/**
 * An attempt that was killed leaves its part, which may be large; that of a process that lives is left to it.
 * @param file a name that copies were to get
 */
export function removeAbandoned(file: string): void {
  for (const name of readdirSync(dirname(file))) {
    const [, wanted, pid] = LEFT.exec(name) ?? []
    if (wanted === basename(file) && !isOther(Number(pid))) rmSync(join(dirname(file), name), { force: true })
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
