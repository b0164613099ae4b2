/** Finds PostgreSQL's programs, and the account that may run them. */
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Folder of a server's programs on Debian, with a folder for each version. They are not in the PATH. */
const DEBIAN = '/usr/lib/postgresql'

/**
 * Finds the folder of `initdb` and `postgres`; of several versions, the newest.
 * @throws if there is none
 */
export function programFolder(): string {
  const onPath = Bun.which('initdb')
  if (onPath !== null && Bun.which('postgres') !== null) return dirname(onPath)
  const folders = existsSync(DEBIAN) ? [...new Bun.Glob('*/bin/postgres').scanSync(DEBIAN)] : []
  const newest = folders.map((path) => Number.parseInt(path, 10)).toSorted((a, b) => b - a)[0]
  if (newest !== undefined) return join(DEBIAN, String(newest), 'bin')
  throw new Error(
    `PostgreSQL is not installed: initdb and postgres are neither on the PATH nor below ${DEBIAN}. ` +
      'Install Debian\'s package "postgresql", or the server of PostgreSQL 15 or newer',
  )
}

/** Returns the path of another program of PostgreSQL, such as `psql`. @throws if it is not installed */
export function programPath(name: string): string {
  const beside = join(dirname(realpathSync(join(programFolder(), 'initdb'))), name)
  const found = Bun.which(name) ?? (existsSync(beside) ? beside : null)
  if (found === null) throw new Error(`${name} is not installed: it comes with the client of PostgreSQL`)
  return found
}

interface Account {
  readonly uid: number
  readonly gid: number
}

/** Finds an account to use in place of root, because PostgreSQL refuses to run as root. @returns null if this process is not root's */
export function accountInPlaceOfRoot(): Account | null {
  if (process.getuid?.() !== 0) return null
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const user = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody')
  if (user === undefined) throw new Error('PostgreSQL does not run as root, and there is no user postgres or nobody')
  return { uid: Number(user[2]), gid: Number(user[3]) }
}

/** Returns the command, run by that account. */
export function runBy(account: Account | null, command: readonly string[]): string[] {
  if (account === null) return [...command]
  return ['setpriv', `--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups', ...command]
}
