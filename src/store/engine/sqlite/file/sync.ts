/** Ensures that written data has reached the disk. */
import { closeSync, fsyncSync, openSync } from 'node:fs'
import { dirname } from 'node:path'

/** @param path the path of a file or a directory */
export function sync(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Syncs the directory of a file that was created or renamed, because the directory contains the name. @param path path of the file */
export function syncFolderOf(path: string): void {
  sync(dirname(path))
}
