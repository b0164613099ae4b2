/** Opens import sources: finds the file or server that the user named, reads its tables and maps them to projects. */
import { createReadStream, statfsSync, statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { databaseAddress } from '../config/database-address.ts'
import { createHttpReader } from '../delivery/http.ts'
import { Refusal } from '../domain/errors.ts'
import type { ImportSource } from '../domain/import/import-source.ts'
import { openDump } from '../import/from-healthchecks/database/dump.ts'
import { openHealthchecksTables } from '../import/from-healthchecks/database/tables.ts'
import type { HealthchecksOptions } from '../import/from-healthchecks/options.ts'
import { healthchecksSource } from '../import/from-healthchecks/source.ts'
import { type HealthchecksApiOptions, openHealthchecksApi } from '../import/from-healthchecks-api/source.ts'
import { type FileBytes, openProjectFile } from '../import/from-project-file/source.ts'
import { openKumaTables } from '../import/from-uptime-kuma/database.ts'
import { type UptimeKumaOptions, uptimeKumaSource } from '../import/from-uptime-kuma/source.ts'
import { messageOf, withoutPaths } from '../lib/errors.ts'
import type { Clock } from '../lib/time.ts'
import { unlessStopped, withDeadline } from '../lib/work/waits.ts'
import type { ImportPlace } from '../services/common/ports/import-places.ts'
import { refuseOwnDatabase } from '../store/engine/sqlite/file/open-databases.ts'
import { headOf, openForeignFile } from '../store/engine/sqlite/foreign-file.ts'
import type { ForeignDatabase } from '../store/sql/foreign-database.ts'

const POSTGRES = /^postgres(?:ql)?:/i
const DISK_MS = 5_000

/**
 * Path of a SQLite file, path of a plain PostgreSQL dump, or URL of a PostgreSQL database. A dump may be compressed with gzip. Its unpacked
 * size may not exceed `unpackedLimit` bytes.
 */
export type HealthchecksLocation =
  | { readonly sqlite: string }
  | { readonly dump: string; readonly unpackedLimit?: number }
  | { readonly postgres: string }

const SQLITE_MAGIC = 'SQLite format 3\0'

/**
 * Parses a location: the URL of a PostgreSQL database, or else the path of a file. The file's first bytes determine its format.
 * @throws Refusal `import-missing`, `import-empty`, `import-unavailable`
 */
export function healthchecksLocation(given: string): HealthchecksLocation {
  if (POSTGRES.test(given)) return { postgres: given }
  const path = pathOf(given)
  return Buffer.from(headOf(path)).toString('latin1') === SQLITE_MAGIC ? { sqlite: path } : { dump: path }
}

/** @throws Refusal `import-…` if the location cannot be read, is not a Healthchecks database, or has no such project */
export async function openHealthchecks(
  location: HealthchecksLocation,
  options: HealthchecksOptions,
): Promise<ImportSource> {
  return sourceOf(await openForeign(location), async (database) =>
    healthchecksSource(await openHealthchecksTables(database), options),
  )
}

/** Size limit of an answer in bytes. It is large enough for a list of thousands of checks or an email with attachments. */
const ANSWER_LIMIT_BYTES = 64 * 1024 * 1024
const ANSWER_TIMEOUT_SECONDS = 120

interface RunningServerOptions extends Omit<HealthchecksApiOptions, 'read' | 'wait'> {
  /** cancels all requests and pauses */
  readonly signal: AbortSignal
  /** true if the user who enters the address can reach this machine and its network anyway */
  readonly allowPrivateAddresses: boolean
}

/** Reads projects from a running server. @throws Refusal `api-…`; `import-stopped` after the signal is aborted */
export function openHealthchecksServer({ signal, ...options }: RunningServerOptions): Promise<ImportSource> {
  const ask = createHttpReader({
    allowPrivateAddresses: options.allowPrivateAddresses,
    timeoutSeconds: ANSWER_TIMEOUT_SECONDS,
    answerLimitBytes: ANSWER_LIMIT_BYTES,
  })
  const requireGoing = () => {
    if (signal.aborted) throw stopped()
  }
  const read: typeof ask = async (request) => {
    requireGoing()
    return unlessStopped(signal, ask(request), stopped)
  }
  const wait = async (seconds: number) => {
    await setTimeout(seconds * 1_000, undefined, { signal }).catch(() => {})
    requireGoing()
  }
  return openHealthchecksApi({ ...options, read, wait })
}

function stopped(): Refusal {
  return new Refusal('import-stopped', 'the import was stopped while it read the other server')
}

/** @param path path of the SQLite file @throws Refusal `import-…` if the file cannot be read or is not an Uptime Kuma database */
export async function openUptimeKuma(path: string, options: UptimeKumaOptions): Promise<ImportSource> {
  return sourceOf(await openForeignFile(resolve(path)), async (database) =>
    uptimeKumaSource(await openKumaTables(database), options),
  )
}

/** Opens a source. Closing the source closes the database. If the source cannot be opened, this function closes the database. */
async function sourceOf(
  database: ForeignDatabase,
  open: (database: ForeignDatabase) => Promise<ImportSource>,
): Promise<ImportSource> {
  try {
    return await open(database)
  } catch (error) {
    await database.close()
    throw error
  }
}

/**
 * @param path path of a file written by an export
 * @param secret see `openProjectFile`
 * @throws Refusal `project-file-…`
 */
export async function openProject(
  path: string,
  deps: Parameters<typeof openProjectFile>[0],
  secret: string | null,
): Promise<ImportSource> {
  return openProjectFile(deps, openFileBytes(resolve(path)), secret)
}

/** @throws Refusal `project-file-unreadable` */
function openFileBytes(path: string): FileBytes {
  refuseOwnDatabase(path)
  const unreadable = (reason: string) =>
    new Refusal('project-file-unreadable', `cannot read ${path}: ${reason}`, { path })
  try {
    const file = statSync(path, { throwIfNoEntry: false })
    if (!file) throw new Refusal('project-file-unreadable', `there is no file ${path}`, { path })
    if (!file.isFile()) throw unreadable('it is not a file')
  } catch (error) {
    throw error instanceof Refusal ? error : unreadable(withoutPaths(error))
  }
  return {
    name: path,
    async *read(start, end) {
      try {
        yield* createReadStream(path, { start, end: end === null ? Number.POSITIVE_INFINITY : end - 1 })
      } catch (error) {
        if (!('syscall' in Object(error))) throw error
        throw unreadable(withoutPaths(error))
      }
    },
    close: async () => {},
  }
}

/** Size limit of an unpacked dump in bytes. A dump with about 100 million pings is below this limit. */
const UNPACKED_LIMIT_BYTES = 32 * 1024 ** 3

/** Returns the limit of unpacked bytes. The import writes the rows to the same disk, and the server needs free space too. */
function unpackedLimit(): number {
  const { bavail, bsize } = statfsSync(tmpdir())
  return Math.min(UNPACKED_LIMIT_BYTES, Math.floor((bavail * bsize) / 2))
}

interface PlaceOptions extends Omit<UptimeKumaOptions, 'project' | 'now'> {
  readonly random: HealthchecksOptions['random']
  readonly now: Clock
  /** this server's secret */
  readonly secret: string
  /** true if users may enter private addresses on pages */
  readonly allowPrivateAddresses: boolean
}

/** Opens the file or server that a user named on a page. @throws Refusal like the functions above */
export function openPlace(place: ImportPlace, options: PlaceOptions, signal: AbortSignal): Promise<ImportSource> {
  const { secret, now, allowPrivateAddresses, ...common } = options
  const { at } = place
  switch (place.program) {
    case 'healthchecks': {
      const location = { ...healthchecksLocation(at), unpackedLimit: unpackedLimit() }
      const given = { secret: place.secret, isSecretVerified: false, projects: null }
      return openHealthchecks(location, { ...common, ...given, now: now() })
    }
    case 'healthchecks-server': {
      const server = { url: at, apiKeys: place.apiKeys, names: [] }
      return openHealthchecksServer({ ...server, now, signal, allowPrivateAddresses })
    }
    case 'uptime-kuma':
      return openUptimeKuma(at, { ...common, project: 'Uptime Kuma', now: now() })
    case 'project':
      return openProject(at, { ...common, now, site: { secret } }, place.secret)
  }
}

/**
 * Rejects a file that this process has open as its database. Call this function before another process reads the place.
 * @throws Refusal `import-own-database`; `import-unavailable` for a disk that does not answer
 */
export async function refuseOwnPlace({ program, at }: ImportPlace): Promise<void> {
  if (program === 'healthchecks-server' || POSTGRES.test(at)) return
  const path = pathOf(at)
  const reason = 'its disk does not answer'
  const silent = () => new Refusal('import-unavailable', `the file ${path} cannot be read: ${reason}`, { path, reason })
  // An unreachable disk would block the event loop, so this asynchronous call checks the disk first. The reader reports a missing file.
  await withDeadline(DISK_MS, stat(path), silent).catch((error) => {
    if (error instanceof Refusal) throw error
  })
  refuseOwnDatabase(path)
}

function pathOf(given: string): string {
  return resolve(given.replace(/^sqlite:(?:\/\/(?=\/))?/, ''))
}

async function openForeign(location: HealthchecksLocation): Promise<ForeignDatabase> {
  if ('sqlite' in location) return openForeignFile(location.sqlite)
  if ('dump' in location) return openDump(location.dump, location.unpackedLimit)
  // Imports the driver only when needed, because it uses memory.
  const { openForeignPostgres } = await import('../store/engine/postgres/foreign-database.ts')
  return openForeignPostgres(postgresAddress(location.postgres))
}

function postgresAddress(url: string) {
  try {
    const address = databaseAddress(url)
    if (address.engine === 'postgres') return address
  } catch (error) {
    // The message does not quote the URL, because any part of the URL may belong to a password.
    throw new Refusal('import-address-invalid', `the URL of the database ${messageOf(error)}`)
  }
  throw new Refusal('import-address-invalid', 'the URL of the database is not one of PostgreSQL')
}
