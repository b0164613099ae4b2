/** A small separate disk, for tests that fill it or make it read-only. */
import { mkdtempSync, rmdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Disk {
  file(name: string): string
  makeReadOnly(): void
  makeWritable(): void
  remove(): void
}

/** Reason for skipping tests where {@link CAN_MOUNT} is false. */
export const NEEDS_MOUNT = 'skipped where tmpfs cannot be mounted'

/** @param size in the form that `mount` takes, such as `2m` */
export function smallDisk(size: string): Disk {
  const path = mkdtempSync(join(tmpdir(), 'overdue-disk-'))
  try {
    run('mount', '-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', path)
  } catch (error) {
    rmdirSync(path)
    throw error
  }
  return {
    file: (name) => join(path, name),
    makeReadOnly: () => run('mount', '-o', 'remount,ro', path),
    makeWritable: () => run('mount', '-o', 'remount,rw', path),
    remove() {
      run('umount', path)
      rmSync(path, { recursive: true })
    },
  }
}

export const CAN_MOUNT = ((): boolean => {
  try {
    smallDisk('64k').remove()
    return true
  } catch {
    return false
  }
})()

/** @throws when the command fails or does not exist */
export function run(...words: string[]): void {
  const { success, stderr } = Bun.spawnSync(words)
  if (!success) throw new Error(`${words.join(' ')}: ${stderr.toString()}`)
}
