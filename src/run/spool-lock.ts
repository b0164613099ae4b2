/**
 * A spool's lock. Only its holder delivers pings. The lock is a symbolic link without a target, because a link is created atomically and
 * needs no space on a full disk. If the holder is killed, another process takes over its lock.
 */
import { lstat, lutimes, readlink, rename, symlink, unlink } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { codeOf } from '../lib/errors.ts'

export interface SpoolLock {
  /** Shows other processes that the holder is alive. @returns false if another process has taken over the lock */
  renew(): Promise<boolean>
  release(): Promise<void>
}

/** Number of milliseconds without {@link SpoolLock.renew} after which the holder counts as dead. One delivery attempt takes far less. */
const STALE_MS = 30_000
const PLACE_LENGTH = 12

/** @returns null if another process has the lock @throws if the lock can't be created */
export async function lockSpool(directory: string, now: () => number): Promise<SpoolLock | null> {
  const path = join(directory, 'lock')
  const token = crypto.randomUUID()
  const content = `${process.pid}.${await processNamespace()}.${token}`
  const isTaken =
    (await make(path, content)) ||
    ((await removeStaleLock(path, `${path}.${token}`, now())) && (await make(path, content)))
  if (!isTaken) return null
  const lock = new OwnLock(path, content, now)
  return (await lock.renew()) ? lock : null
}

class OwnLock implements SpoolLock {
  readonly #path: string
  readonly #content: string
  readonly #now: () => number

  constructor(path: string, content: string, now: () => number) {
    this.#path = path
    this.#content = content
    this.#now = now
  }

  async renew(): Promise<boolean> {
    if (!(await this.#isOwn())) return false
    const seconds = this.#now() / 1000
    await lutimes(this.#path, seconds, seconds).catch(() => {})
    return true
  }

  async release(): Promise<void> {
    if (await this.#isOwn()) await unlink(this.#path)
  }

  async #isOwn(): Promise<boolean> {
    return (await contentOf(this.#path)) === this.#content
  }
}

async function make(path: string, content: string): Promise<boolean> {
  try {
    await symlink(content, path)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/**
 * Removes a dead holder's lock.
 * @param aside a name to which the lock is moved first. If several processes see the same lock, only one of them can move it
 * @returns true if the lock is gone
 */
async function removeStaleLock(path: string, aside: string, now: number): Promise<boolean> {
  const content = await contentOf(path)
  if (content !== null && !(await isLeft(path, content, now))) return false
  try {
    await rename(path, aside)
    const moved = await contentOf(aside)
    await unlink(aside)
    // Another process was faster, and this call moved that process's new lock. That process notices the loss before it sends its next ping.
    return moved === content
  } catch (error) {
    return codeOf(error) === 'ENOENT'
  }
}

async function isLeft(path: string, content: string, now: number): Promise<boolean> {
  const [pid, place] = content.split('.')
  if (place === (await processNamespace()) && !isAlive(Number(pid))) return true
  const renewed = await lstat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => now,
  )
  // A time in the future means that the clock was set back.
  return Math.abs(now - renewed) > STALE_MS
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) !== 'ESRCH'
  }
}

/** Identifies the namespace of process ids, because containers that share a directory each count their processes from 1. */
async function processNamespace(): Promise<string> {
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '')
  return new Bun.CryptoHasher('sha256').update(`${hostname()} ${namespace}`).digest('hex').slice(0, PLACE_LENGTH)
}

/** @returns null if there is no lock @throws if the file is not a symbolic link */
async function contentOf(path: string): Promise<string | null> {
  try {
    return await readlink(path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}
