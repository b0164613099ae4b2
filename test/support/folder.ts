/** Folders for tests, removed by the test that made them. */
import { accessSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Folder {
  readonly path: string
  /** Returns the path of a file in the folder. */
  file(name: string): string
  remove(): void
}

const IN_MEMORY = '/dev/shm'
const ROOM_BYTES = 2 ** 30

/** Returns the parent of test folders: in memory if a gigabyte is free there, else on the disk. */
export function fastFolder(): string {
  try {
    accessSync(IN_MEMORY, constants.W_OK)
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    return bavail * bsize > ROOM_BYTES ? IN_MEMORY : tmpdir()
  } catch {
    return tmpdir()
  }
}

export function temporaryFolder(): Folder {
  return folderIn(fastFolder())
}

/** Creates a folder for tests that depend on the disk, and for programs, which may not be executable in memory. */
export function folderOnDisk(): Folder {
  return folderIn(tmpdir())
}

function folderIn(parent: string): Folder {
  const path = mkdtempSync(join(parent, 'overdue-test-'))
  return { path, file: (name) => join(path, name), remove: () => rmSync(path, { recursive: true, force: true }) }
}
