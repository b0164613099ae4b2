/** A PostgreSQL with an empty database that belongs to a user without special rights, as an operator would create it. */
import { SQL } from 'bun'
import { type Cluster, type ClusterOptions, startCluster } from '../../../test/support/postgres/cluster.ts'
import { eventually } from '../../support/eventually.ts'

const NAME = 'app'
/** A password that occurs nowhere else, so that a test can search for it. */
export const PASSWORD = 'correct-horse-battery'

export interface PostgresDatabase {
  readonly cluster: Cluster
  /** DATABASE_URL without a proxy of the test */
  readonly url: string
  /** Returns a DATABASE_URL of another database of the same cluster and user. */
  urlOf(name: string): string
  /** @param ports of 127.0.0.1: of several hosts, or of proxies */
  urlThrough(...ports: readonly number[]): string
  /** Runs statements as the superuser, on a connection that is closed afterwards. @param database `postgres` by default */
  asSuperuser<Row>(statement: string, database?: string): Promise<Row[]>
  /** Resolves when the database answers. */
  untilAnswers(): Promise<void>
}

/** Starts a database whose commits are on disk when they are answered, as in production, since these tests end processes of the server. */
export async function startDatabase(options: ClusterOptions = {}): Promise<PostgresDatabase> {
  const cluster = await startCluster({ fsync: true, tcp: true, ...options })
  const database = databaseOf(cluster)
  try {
    await database.asSuperuser(`CREATE ROLE ${NAME} LOGIN PASSWORD '${PASSWORD}'`)
    await database.asSuperuser(`CREATE DATABASE ${NAME} OWNER ${NAME}`)
  } catch (error) {
    await cluster.remove()
    throw error
  }
  return database
}

/** @param cluster that already has the database */
export function databaseOf(cluster: Cluster): PostgresDatabase {
  const urlThrough = (...ports: readonly number[]) =>
    `postgres://${NAME}:${PASSWORD}@${ports.map((port) => `127.0.0.1:${port}`).join(',')}/${NAME}?sslmode=disable`
  const asSuperuser = async <Row>(statement: string, database = 'postgres'): Promise<Row[]> => {
    await using sql = new SQL(cluster.tcpUrl(database), { max: 1, connectionTimeout: 1 })
    return await sql.unsafe(statement)
  }
  return {
    cluster,
    url: urlThrough(cluster.port),
    urlOf: (name) => urlThrough(cluster.port).replace(`/${NAME}?`, `/${name}?`),
    urlThrough,
    asSuperuser,
    untilAnswers: () =>
      eventually('the database answers', () =>
        asSuperuser('SELECT 1').then(
          () => true,
          () => false,
        ),
      ),
  }
}
