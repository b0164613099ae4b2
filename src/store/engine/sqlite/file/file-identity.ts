/**
 * Identifies the file at a path. A server keeps writing to the file that it opened. If that file was deleted or there is now another file
 * at the path, those writes are lost.
 */
import { type BigIntStats, fstatSync, statSync } from 'node:fs'

/** Device and inode are bigints, because some file systems use numbers above 2^53. */
export type FileIdentity = Pick<BigIntStats, 'dev' | 'ino'>

const LOOK = { bigint: true, throwIfNoEntry: false } as const

/**
 * Returns a file's identity. Follows links. Takes about 1.6 microseconds.
 * @returns null if there is no file or access to it is denied
 */
export function identityOf(path: string): FileIdentity | null {
  try {
    return statSync(path, LOOK) ?? null
  } catch {
    return null
  }
}

export function isSameIdentity(one: FileIdentity, other: FileIdentity | null): boolean {
  return other !== null && one.ino === other.ino && one.dev === other.dev
}

/** Returns whether an open file no longer has a name. Such a file is lost once it is closed. */
export function isDeleted(descriptor: number): boolean {
  return fstatSync(descriptor).nlink === 0
}
