/** Reads text files that are named on the command line, up to a size limit. */
import { accessSync, constants, createReadStream, type Dirent, readdirSync, statSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import type { Refusal } from '../domain/errors.ts'
import { decodeText, markedEncoding } from '../lib/encodings.ts'
import { codeOf, reasonOf } from '../lib/errors.ts'
import { megabytes } from '../lib/text/text.ts'
import type { Input } from './terminal/io.ts'
import { optionError } from './usage.ts'

export interface NamedFile {
  readonly path: string
  readonly bytes: Buffer
}

const BYTES_LIMIT = 16_000_000
const FILES_LIMIT = 2_000
const LINE_LIMIT = 100_000
const ANOTHER = 'name the file that you mean'
const KINDS = 'name the files themselves; the help of the command says which files it reads'

/** @param path `-` is standard input @throws Refusal `option-invalid` if the file cannot be read, is too large, or is not text */
export async function readNamed(path: string, input: Input, limit = BYTES_LIMIT): Promise<NamedFile> {
  const bytes = await readBeyond(path, input, limit)
  const unfit = unfitWords(bytes, limit)
  if (unfit !== null) throw optionError(`${nameOf(path)} ${unfit}`, ANOTHER)
  return { path, bytes }
}

/**
 * Returns the problem with a file, such as `is larger than 1 MB`, to print after its name. Returns null if the file is text and within the
 * limit.
 */
function unfitWords(bytes: Buffer, limit: number): string | null {
  if (bytes.length > limit) return `is larger than ${megabytes(limit)}`
  if (bytes.includes(0)) return 'is not text: it has NUL bytes'
  return longestLine(bytes) > LINE_LIMIT ? `has a line of more than ${LINE_LIMIT} bytes` : null
}

interface NamedFiles {
  readonly files: readonly NamedFile[]
  /** files in directories that were skipped because they cannot be opened, are not text, or are too large */
  readonly unread: readonly UnreadFile[]
}

export interface UnreadFile {
  readonly path: string
  readonly reason: string
}

/**
 * Reads the named files. For a named directory, reads the files in and below it whose path `fits` accepts, sorted by name. Files in
 * directories that are not text are skipped.
 * @param fits returns true to read a file; the arguments are its path, and the part of the path below the directory
 * @throws Refusal `option-invalid` if a path cannot be opened, if `fits` accepts no file, or if no file is text
 */
export async function readAllNamed(
  paths: readonly string[],
  input: Input,
  fits: (path: string, below: string) => boolean,
): Promise<NamedFiles> {
  const files: NamedFile[] = []
  const unread: UnreadFile[] = []
  let refused: Refusal | null = null
  let left = BYTES_LIMIT
  for (const path of paths.flatMap((path) => (isFolder(path) ? within(path, fits, unread) : [path]))) {
    const bytes = await readBeyond(path, input, left)
    const unfit = unfitWords(bytes, left)
    if (unfit !== null) {
      refused ??= optionError(`${nameOf(path)} ${unfit}`, ANOTHER)
      unread.push({ path, reason: `it ${unfit}` })
      continue
    }
    files.push({ path, bytes })
    left -= bytes.length
  }
  if (files.length === 0 && refused !== null) throw refused
  if (files.length + unread.length === 0)
    throw optionError(`${paths.join(', ')}: there is no file of the right kind`, KINDS)
  return { files, unread }
}

function isFolder(path: string): boolean {
  return path !== '-' && attempt(path, () => statSync(path).isDirectory())
}

/** @param unread the list to which unreadable files are added */
function within(folder: string, fits: (path: string, below: string) => boolean, unread: UnreadFile[]): string[] {
  const fitting: string[] = []
  const look = (path: string, entry: Dirent) => {
    try {
      if (entry.isDirectory()) lookInto(path, readdirSync(path, { withFileTypes: true }))
      else if (fits(path, relative(folder, path)) && !statSync(path).isDirectory()) {
        accessSync(path, constants.R_OK)
        requireNoPipe(path)
        fitting.push(path)
      }
    } catch (error) {
      unread.push({ path, reason: reasonUnread(error) })
    }
  }
  const lookInto = (path: string, entries: readonly Dirent[]) => {
    for (const entry of entries) look(join(path, entry.name), entry)
  }
  lookInto(
    folder,
    attempt(folder, () => readdirSync(folder, { withFileTypes: true })),
  )
  if (fitting.length > FILES_LIMIT)
    throw optionError(`${folder} has more than ${FILES_LIMIT} such files`, 'name a smaller folder')
  return fitting.sort()
}

/** Reads the bytes of a file. Stops shortly after the limit if the file is larger. */
async function readBeyond(path: string, input: Input, limit: number): Promise<Buffer> {
  requireNoPipe(path)
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    // `Bun.file` cannot read devices or named pipes.
    for await (const chunk of path === '-' ? input.stream() : createReadStream(path)) {
      chunks.push(chunk)
      size += chunk.length
      if (size > limit) break
    }
  } catch (error) {
    throw unreadable(path, error)
  }
  return asUtf8(Buffer.concat(chunks))
}

/** Converts the bytes to UTF-8. Windows PowerShell's `>` writes UTF-16 with a byte order mark. */
function asUtf8(bytes: Buffer): Buffer {
  const marked = markedEncoding(bytes)
  return marked === null ? bytes : Buffer.from(decodeText(bytes, marked, false))
}

/** Matches standard input and the pipes that a shell creates. Such pipes always have a writer. */
const OPEN_FILES = /^(?:\/dev\/fd\/|\/proc\/self\/fd\/|\/dev\/stdin$)/

/**
 * Rejects a named pipe, because reading it could wait forever for a writer. @param path `-` is standard input @throws Refusal
 * `option-invalid`
 */
export function requireNoPipe(path: string): void {
  if (path === '-' || OPEN_FILES.test(path) || !isPipe(path)) return
  throw optionError(`${nameOf(path)} is a pipe, not a regular file`, 'name a file, or - to read standard input')
}

function isPipe(path: string): boolean {
  try {
    return statSync(path).isFIFO()
  } catch {
    return false
  }
}

function attempt<Result>(path: string, read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    throw unreadable(path, error)
  }
}

function unreadable(path: string, error: unknown) {
  return optionError(`cannot read ${nameOf(path)}: ${reasonUnread(error)}`, 'check the name and the permissions')
}

const reasonUnread = (error: unknown) => (codeOf(error) === 'ENOENT' ? 'there is no such file' : reasonOf(error))

/** Returns the file name to show in messages: the full path, or `standard input`. */
const nameOf = (path: string) => (path === '-' ? 'standard input' : basename(path) === '' ? 'the file' : path)

function longestLine(bytes: Buffer): number {
  let longest = 0
  let start = 0
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
    longest = Math.max(longest, end - start)
    start = end + 1
  }
  return Math.max(longest, bytes.length - start)
}
