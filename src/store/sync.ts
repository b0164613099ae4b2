/** What was written is on the disk, not only on its way there. */
import { closeSync, fsyncSync, openSync } from 'node:fs'
import { dirname } from 'node:path'

/** @param path of a file or a folder */
export function sync(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** For names that were given or changed: they lie in the folder. @param path of the file */
export function syncFolderOf(path: string): void {
  sync(dirname(path))
}
