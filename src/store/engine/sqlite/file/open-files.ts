/** Finds the processes that have a file open (Linux only). Unless this process runs as root, it sees only its own user's processes. */
import { readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { identityOf, isSameIdentity } from './file-identity.ts'

/**
 * @param paths paths of files; a file that was deleted while open is found by its old path
 * @returns ids of the processes that have any of the files open, in order; empty also if the system does not report them
 */
export function processesThatOpen(paths: readonly string[]): number[] {
  const names = new Set(paths.flatMap((path) => deletedName(path)))
  const identities = paths.map(identityOf).filter((identity) => identity !== null)
  const isOne = (link: string) => {
    const identity = identityOf(link)
    if (identity === null) return false
    return identities.some((one) => isSameIdentity(one, identity)) || names.has(targetOf(link))
  }
  const pids = list('/proc').filter((name) => /^\d+$/.test(name))
  const found = pids.filter((pid) => list(`/proc/${pid}/fd`).some((number) => isOne(`/proc/${pid}/fd/${number}`)))
  return found.map(Number).sort((a, b) => a - b)
}

/** Returns a deleted file's name as Linux writes it; empty if its directory does not exist. */
function deletedName(path: string): string[] {
  const isFolder = statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory()
  return isFolder ? [`${join(realpathSync(dirname(path)), basename(path))} (deleted)`] : []
}

/** @returns an empty list if the directory is missing or unreadable, or the process has ended */
function list(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function targetOf(link: string): string {
  try {
    return readlinkSync(link)
  } catch {
    return ''
  }
}
