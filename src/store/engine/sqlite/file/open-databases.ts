/**
 * The database files that this process has open. When a process closes any descriptor of a file, the system ends all locks of the process
 * on it (POSIX, fcntl). Other programs could then remove the log of a running server, so only SQLite may open these files here.
 */
import { Refusal } from '../../../../domain/errors.ts'
import { identityOf, isSameIdentity } from './file-identity.ts'

const open = new Set<{ readonly path: string }>()

/** Records that this process has the database at `path` open, until the returned function is called. */
export function holdDatabase(path: string): () => void {
  const held = { path }
  open.add(held)
  return () => open.delete(held)
}

/** @param path the path of a file to read; follows links @throws Refusal `import-own-database` */
export function refuseOwnDatabase(path: string): void {
  const wanted = identityOf(path)
  if (wanted === null) return
  const files = [...open].flatMap((held) => ['', '-wal', '-shm'].map((suffix) => `${held.path}${suffix}`))
  if (!files.some((file) => isSameIdentity(wanted, identityOf(file)))) return
  throw new Refusal('import-own-database', `the file ${path} is the database of this Overdue itself`, { path })
}
