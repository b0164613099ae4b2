/**
 * The spool is a directory with one file for each waiting ping. A file is written under a temporary name and renamed once it is on disk, so
 * a killed process leaves either a complete ping or none. Other files in the directory are not touched.
 */
import { lstat, mkdir, open, readdir, readFile, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '../lib/errors.ts'
import { checkMark, type Letter, readLetter, writeLetter } from './letter.ts'

/** A ping in the spool. */
export interface Waiting {
  readonly name: string
  /** increases with each ping added to the spool; microseconds since 1970, unless the clock was set back */
  readonly sequence: number
  /** length of the ping's body in bytes */
  readonly bytes: number
  /** see {@link checkMark} */
  readonly check: string
}

export interface SpoolLimits {
  readonly pings: number
  /** maximum total size in bytes of all bodies in the spool */
  readonly bytes: number
}

const LIMITS: SpoolLimits = { pings: 10_000, bytes: 64 * 1024 * 1024 }
const BODY_DROPPED = Buffer.from('overdue run: the output was not kept, because the spool is full\n')

const SEQUENCE_DIGITS = 16
/** `<sequence>.<bytes>.<check>.<random>.ping`. The names contain everything that is needed to list the pings. */
const NAME = /^(\d{16})\.(\d{1,12})\.([\da-f]{16})\.[\da-f]{12}\.ping$/
/** Name of a file that is being written. */
const UNFINISHED = /^[\da-f]{12}\.new$/
/** Number of milliseconds after which the writer of an unfinished file counts as dead. */
const UNFINISHED_MS = 3_600_000
const BROKEN_FILES_MAX = 100

export class Spool {
  readonly directory: string
  readonly #limits: SpoolLimits

  constructor(directory: string, limits: SpoolLimits = LIMITS) {
    this.directory = directory
    this.#limits = limits
  }

  /** Returns the waiting pings in the order in which they were added. @throws if the directory can't be read */
  async list(): Promise<Waiting[]> {
    const waiting = (await this.#names()).flatMap((name) => waitingOf(name) ?? [])
    return waiting.sort((a, b) => a.sequence - b.sequence || (a.name < b.name ? -1 : 1))
  }

  /**
   * Adds a ping at the end. If the spool is full, drops its oldest pings. If all bodies together exceed the limit, stores the ping without
   * its body.
   * @returns the number of dropped pings
   * @throws if the ping can't be written
   */
  async put(letter: Letter, now: number): Promise<number> {
    await mkdir(this.directory, { recursive: true, mode: 0o700 })
    const files = await this.list()
    const bytes = files.reduce((sum, file) => sum + file.bytes, letter.ping.body.length)
    const kept = bytes > this.#limits.bytes ? { ...letter, ping: { ...letter.ping, body: BODY_DROPPED } } : letter
    // Even after the clock was set back, an end must come after its start.
    const sequence = Math.max(Math.floor(now) * 1000, (files.at(-1)?.sequence ?? 0) + 1)
    await this.#write(nameOf(sequence, kept), writeLetter(kept))
    const surplus = files.slice(0, Math.max(files.length + 1 - this.#limits.pings, 0))
    for (const file of surplus) await this.remove(file)
    return surplus.length
  }

  /** @returns null if the file is damaged; `gone` if another process has already delivered it */
  async read({ name }: Waiting): Promise<Letter | null | 'gone'> {
    try {
      return readLetter(await readFile(join(this.directory, name)))
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return 'gone'
      throw error
    }
  }

  async remove({ name }: Waiting): Promise<void> {
    await unlink(join(this.directory, name)).catch(throwUnlessMissing)
  }

  /** Moves a file to the directory `broken`, or deletes it if that directory is full. */
  async setAside(file: Waiting): Promise<void> {
    const folder = join(this.directory, 'broken')
    await mkdir(folder, { recursive: true, mode: 0o700 })
    if ((await readdir(folder)).length >= BROKEN_FILES_MAX) return this.remove(file)
    await rename(join(this.directory, file.name), join(folder, file.name)).catch(throwUnlessMissing)
  }

  /** Removes the unfinished files of killed processes. */
  async tidy(now: number): Promise<void> {
    for (const name of await this.#names()) {
      if (!UNFINISHED.test(name)) continue
      const path = join(this.directory, name)
      const written = await lstat(path).catch(throwUnlessMissing)
      if (written && now - written.mtimeMs > UNFINISHED_MS) await unlink(path)
    }
  }

  async #names(): Promise<string[]> {
    try {
      return await readdir(this.directory)
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return []
      throw error
    }
  }

  async #write(name: string, content: Uint8Array): Promise<void> {
    const unfinished = join(this.directory, `${randomPart()}.new`)
    try {
      const file = await open(unfinished, 'wx', 0o600)
      try {
        await file.writeFile(content)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(unfinished, join(this.directory, name))
    } catch (error) {
      await unlink(unfinished).catch(() => {})
      throw error
    }
    await syncDirectory(this.directory)
  }
}

function nameOf(sequence: number, letter: Letter): string {
  const digits = String(sequence).padStart(SEQUENCE_DIGITS, '0')
  return `${digits}.${letter.ping.body.length}.${checkMark(letter)}.${randomPart()}.ping`
}

function waitingOf(name: string): Waiting | null {
  const [, sequence, bytes, check] = NAME.exec(name) ?? []
  return check === undefined ? null : { name, sequence: Number(sequence), bytes: Number(bytes), check }
}

function randomPart(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(6))).toString('hex')
}

/** Syncs a directory. Some file systems can't do that, but the ping is written anyway. */
async function syncDirectory(path: string): Promise<void> {
  try {
    const directory = await open(path, 'r')
    await directory.sync().finally(() => directory.close())
  } catch {}
}

function throwUnlessMissing(error: unknown): void {
  if (codeOf(error) !== 'ENOENT') throw error
}
