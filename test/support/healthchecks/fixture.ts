/** The Healthchecks database in `test/fixtures/healthchecks`, in each form that an import reads. */
import { Database } from 'bun:sqlite'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type HealthchecksLocation, openHealthchecks } from '../../../src/app/import-sources.ts'
import type { ImportSource } from '../../../src/domain/import/import-source.ts'
import type { HealthchecksOptions } from '../../../src/import/from-healthchecks/options.ts'
import { Temporal } from '../../../src/lib/time.ts'
import { registry } from '../../../src/transports/index.ts'
import type { Folder } from '../folder.ts'
import { programPath } from '../postgres/programs.ts'

const FIXTURE = join(import.meta.dir, '../../fixtures/healthchecks')

/** Path of the compressed dump. */
export const DUMP_GZ = join(FIXTURE, 'healthchecks.pg.sql.gz')

/** @returns the path of the SQLite file in the folder */
export function sqliteFixture(folder: Folder): string {
  return unpacked(folder, 'healthchecks.sqlite')
}

/** @returns the path of the plain dump in the folder */
export function dumpFixture(folder: Folder): string {
  return unpacked(folder, 'healthchecks.pg.sql')
}

/** @returns the path of the SQLite file after these statements */
export function changedFixture(folder: Folder, ...statements: readonly string[]): string {
  return changedCopy(folder, sqliteFixture(folder), ...statements)
}

/** @returns the path of a copy after these statements */
export function changedCopy(folder: Folder, original: string, ...statements: readonly string[]): string {
  const path = folder.file(`changed-${crypto.randomUUID()}.sqlite`)
  copyFileSync(original, path)
  const database = new Database(path)
  database.run('PRAGMA foreign_keys = OFF')
  for (const statement of statements) database.run(statement)
  database.close()
  return path
}

/** @param few condition on api_check @returns the path of the SQLite file with only these checks; all other rows are kept */
export function smallFixture(folder: Folder, few: string): string {
  const kept = `(SELECT id FROM api_check WHERE ${few})`
  return changedFixture(
    folder,
    ...['api_flip', 'api_ping', 'api_notification'].map(
      (table) => `DELETE FROM ${table} WHERE owner_id NOT IN ${kept}`,
    ),
    `DELETE FROM api_channel_checks WHERE check_id NOT IN ${kept}`,
    `DELETE FROM api_check WHERE id NOT IN ${kept}`,
  )
}

function unpacked(folder: Folder, name: string): string {
  const path = folder.file(name)
  writeFileSync(path, gunzipSync(readFileSync(join(FIXTURE, `${name}.gz`))))
  return path
}

/** Recorded facts of the server. */
export const RECORDED: {
  readonly now: string
  readonly healthchecks: { readonly secret_key: string }
  readonly projects: readonly {
    readonly code: string
    readonly keys: {
      readonly api_key: string | null
      readonly api_key_readonly: string | null
      readonly ping_key: string | null
    }
    readonly answers: readonly { readonly path: string; readonly key?: string; readonly json?: unknown }[]
  }[]
} = JSON.parse(readFileSync(join(FIXTURE, 'answers.json'), 'utf8'))

export const SECRET = RECORDED.healthchecks.secret_key

/** Opens the database with the secret of its server, at the instant of the recording. */
export function openFixture(
  location: HealthchecksLocation,
  options: Partial<HealthchecksOptions> = {},
): Promise<ImportSource> {
  return openHealthchecks(location, {
    secret: SECRET,
    isSecretVerified: false,
    projects: null,
    now: Temporal.Instant.from(RECORDED.now),
    random: { uuid: () => crypto.randomUUID() },
    transports: registry,
    ...options,
  })
}

/** Reads everything that a source returns, as values that can be compared. */
export async function readAll(source: ImportSource) {
  const logs: Record<string, unknown> = {}
  const [alerts, counts]: [unknown[], { pings: number; flips: number }] = [[], { pings: 0, flips: 0 }]
  for (const project of source.projects) {
    for (const check of project.checks) {
      const [pings, flips] = [await all(source.pings(check, 0)), await all(source.flips(check, 0))]
      logs[check.id] = { pings: pings.map((ping) => ({ ...ping, body: ping.body?.toBase64() ?? null })), flips }
      counts.pings += pings.length
      counts.flips += flips.length
    }
    alerts.push(...(await all(source.alerts(project))))
  }
  const { accounts, projects, notes } = source
  return { comparable: JSON.stringify({ accounts, projects, notes, logs, alerts }, null, 1), counts, alerts }
}

export async function all<Row>(pages: AsyncIterable<readonly Row[]>): Promise<Row[]> {
  const rows: Row[] = []
  for await (const page of pages) rows.push(...page)
  return rows
}

/** Restores the dump as users of Healthchecks do. @param url of a database without tables of that name */
export async function restoreDump(url: string, dump: string): Promise<void> {
  const command = [programPath('psql'), '-q', '-X', '-v', 'ON_ERROR_STOP=1', '-d', url, '-f', dump]
  const child = Bun.spawn(command, { stdout: 'ignore', stderr: 'pipe' })
  const said = await child.stderr.text()
  if ((await child.exited) !== 0) throw new Error(`psql failed: ${said}`)
}
