/**
 * The database files that this process has open. If a process closes any descriptor of a file, the system drops all of the process's locks
 * on that file (POSIX, fcntl). Other programs could then remove a running server's log, so only SQLite may open these files in this
 * process.
 */
import { Refusal } from '../../../../domain/errors.ts'
import { identityOf, isSameIdentity } from './file-identity.ts'

const open = new Set<{ readonly path: string }>()

/** Records that this process has the database at `path` open. @returns a function that removes the record */
export function holdDatabase(path: string): () => void {
  const held = { path }
  open.add(held)
  return () => open.delete(held)
}

/** @param path path of a file that will be read; links are followed @throws Refusal `import-own-database` */
export function refuseOwnDatabase(path: string): void {
  const wanted = identityOf(path)
  if (wanted === null) return
  const files = [...open].flatMap((held) => ['', '-wal', '-shm'].map((suffix) => `${held.path}${suffix}`))
  if (!files.some((file) => isSameIdentity(wanted, identityOf(file)))) return
  throw new Refusal('import-own-database', `the file ${path} is the database of this server`, { path })
}
