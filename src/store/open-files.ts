/** Which processes have a file open, where the system tells it (Linux); those of other users it tells to root only. */
import { readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { identityOf, isSameIdentity } from './file-identity.ts'

/**
 * @param paths of files; one that was deleted while it was open counts by the name that it had
 * @returns the processes that have one of them open, in order; none also where nobody tells
 */
export function processesThatOpen(paths: readonly string[]): number[] {
  const names = new Set(paths.flatMap((path) => deletedName(path)))
  const identities = paths.map(identityOf).filter((identity) => identity !== null)
  const isOne = (link: string) => {
    const identity = identityOf(link)
    if (identity === null) return false
    return identities.some((one) => isSameIdentity(one, identity)) || names.has(leadsTo(link))
  }
  const pids = list('/proc').filter((name) => /^\d+$/.test(name))
  const found = pids.filter((pid) => list(`/proc/${pid}/fd`).some((number) => isOne(`/proc/${pid}/fd/${number}`)))
  return found.map(Number).sort((a, b) => a - b)
}

/** As the system writes it; none where there is no such folder. */
function deletedName(path: string): string[] {
  const isFolder = statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory()
  return isFolder ? [`${join(realpathSync(dirname(path)), basename(path))} (deleted)`] : []
}

/** @returns nothing where there is none, or nobody lets us look, or the process has ended meanwhile */
function list(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function leadsTo(link: string): string {
  try {
    return readlinkSync(link)
  } catch {
    return ''
  }
}
