/** PostgreSQL databases for tests: copies of a template that was migrated once. */
import { SQL } from 'bun'
import { openUrl } from '../open-url.ts'
import type { SharedDatabase } from '../opened-stores.ts'
import { type Cluster, SOCKET_PORT, socketUrl, startCluster, USER } from './cluster.ts'

const TEMPLATE = 'template_overdue'

/** Starts a cluster for many test files. Their processes find it by {@link sharedBy}. */
export async function startSharedCluster(): Promise<Cluster> {
  // The rules of a language, so that a statement that needs the order of code points must request it.
  const cluster = await startCluster({ language: 'en' })
  await makeTemplate(cluster.folder)
  return cluster
}

/** Returns environment variables for processes that use databases of this cluster. */
export function sharedBy({ folder }: Cluster): Readonly<Record<string, string>> {
  return { TEST_ENGINE: 'postgres', TEST_POSTGRES: folder }
}

/** Creates the database that {@link copyDatabase} copies. @param folder of the socket */
async function makeTemplate(folder: string, port = SOCKET_PORT): Promise<void> {
  await administer(folder, port, (sql) => sql.unsafe(`CREATE DATABASE ${TEMPLATE}`))
  await (await openUrl(socketUrl(folder, port, TEMPLATE))).close()
}

/** @returns a database of the newest data model, empty @param folder of the socket */
function copyDatabase(folder: string, port = SOCKET_PORT): Promise<SharedDatabase> {
  return copyOf(TEMPLATE, folder, port)
}

async function copyOf(template: string, folder: string, port: number): Promise<SharedDatabase> {
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`
  await administer(folder, port, (sql) => sql.unsafe(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`))
  return {
    url: socketUrl(folder, port, name),
    copy: () => copyOf(name, folder, port),
    remove: () => administer(folder, port, (sql) => sql.unsafe(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
  }
}

let shared: Promise<string> | null = null

/** Copies a database of the cluster that the environment names, or else of one that this process starts. */
export async function copySharedDatabase(): Promise<SharedDatabase> {
  const told = process.env.TEST_POSTGRES
  shared ??= told === undefined ? startSharedCluster().then(({ folder }) => folder) : Promise.resolve(told)
  return copyDatabase(await shared)
}

const connections = new Map<string, SQL>()

async function administer(folder: string, port: number, work: (sql: SQL) => Promise<unknown>): Promise<void> {
  const path = `${folder}/.s.PGSQL.${port}`
  const known = connections.get(path)
  const sql = known ?? new SQL({ adapter: 'postgres', path, username: USER, database: 'postgres', max: 2 })
  connections.set(path, sql)
  await work(sql)
}
