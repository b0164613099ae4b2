/** Stores uploaded files until they have been read. */
import { mkdtemp, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '../../domain/errors.ts'
import { withoutPaths } from '../../lib/errors.ts'
import { removeLeftFolders } from '../../store/sql/left-folders.ts'

const UPLOAD_LIMIT_BYTES = 4 * 1024 ** 3

const NAME = 'overdue-upload-'

/**
 * Writes a file that only the current user may read.
 * @param folder parent directory of the new directory that is created for the file
 * @throws Refusal `too-large`, `file-unwritable`; nothing is left on disk then
 */
export async function receiveUpload(folder: string, chunks: AsyncIterable<Uint8Array>, limit = UPLOAD_LIMIT_BYTES) {
  const own = await mkdtemp(join(folder, NAME)).catch((error) => Promise.reject(unwritable(folder, error)))
  const remove = () => rm(own, { recursive: true, force: true })
  const path = join(own, 'file')
  try {
    await removeLeftFolders(folder, NAME, own)
    await write(path, chunks, limit)
    return { path, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

async function write(path: string, chunks: AsyncIterable<Uint8Array>, limit: number): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  let bytes = 0
  try {
    for await (const chunk of chunks) {
      bytes += chunk.length
      if (bytes > limit) throw new Refusal('too-large', `the file is too large, send at most ${limit} bytes`, { limit })
      await file.writeFile(chunk).catch((error) => Promise.reject(unwritable(path, error)))
    }
  } finally {
    await file.close()
  }
}

function unwritable(path: string, error: unknown): Refusal {
  return new Refusal('file-unwritable', `the file cannot be stored: ${withoutPaths(error)}`, { path })
}
