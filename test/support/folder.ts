/** Folders for tests, removed by the test that made them. */
import { accessSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Folder {
  readonly path: string
  /** A path in it. */
  file(name: string): string
  remove(): void
}

const IN_MEMORY = '/dev/shm'
const ROOM_BYTES = 2 ** 30

/** Where the folders of tests are: in memory if there is room for a gigabyte, else on the disk. */
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

/** For what depends on the disk, and for programs, which a folder in memory may refuse to run. */
export function folderOnDisk(): Folder {
  return folderIn(tmpdir())
}

function folderIn(parent: string): Folder {
  const path = mkdtempSync(join(parent, 'overdue-test-'))
  return { path, file: (name) => join(path, name), remove: () => rmSync(path, { recursive: true, force: true }) }
}
