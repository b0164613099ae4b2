/** Removes temporary directories that killed processes have left behind. */
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

const DAY_MS = 86_400_000

/**
 * Removes the directories that are more than a day old, if this user is allowed to.
 * @param folder directory that contains them
 * @param prefix prefix of their names
 * @param own path of the newest directory, whose modification time is used as the current time
 */
export async function removeLeftFolders(folder: string, prefix: string, own: string): Promise<void> {
  const now = (await stat(own)).mtimeMs
  const names = (await readdir(folder)).filter((name) => name.startsWith(prefix))
  for (const path of names.map((name) => join(folder, name))) {
    const found = await stat(path).catch(() => null)
    if (found === null || now - found.mtimeMs <= DAY_MS) continue
    // The directory may be in a place that several users share, and may belong to another user.
    await rm(path, { recursive: true, force: true }).catch(() => {})
  }
}
