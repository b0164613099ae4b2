/**
 * The identity of the file at a path. A server writes to the file that it has opened. Once its path is deleted or leads to another file,
 * nobody will read the server's writes.
 */
import { type BigIntStats, fstatSync, statSync } from 'node:fs'

/** Device and inode as bigint, because some file systems use numbers above 2^53. */
export type FileIdentity = Pick<BigIntStats, 'dev' | 'ino'>

const LOOK = { bigint: true, throwIfNoEntry: false } as const

/**
 * Returns the identity of a file. Follows links; takes about 1.6 microseconds.
 * @returns null if there is no file, or it may not be accessed
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

/** Whether an open file no longer has a name: it is lost once it is closed. */
export function isDeleted(descriptor: number): boolean {
  return fstatSync(descriptor).nlink === 0
}
