/** A second PostgreSQL that follows a first one, and can replace it. */
import { realpathSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Cluster, startCluster, USER } from '../../../test/support/postgres/cluster.ts'
import { accountInPlaceOfRoot, programFolder, runBy } from '../../../test/support/postgres/programs.ts'
import { eventually } from '../../support/eventually.ts'
import { databaseOf, type PostgresDatabase } from './database.ts'

const NAME = 'standby'

/** Starts a standby. From then on the primary answers a commit when both have it. */
export async function startStandby(primary: PostgresDatabase): Promise<PostgresDatabase> {
  // Makes the standby reconnect to the primary soon after a loss, which it tries before its promotion.
  const settings = { wal_retrieve_retry_interval: '500ms' }
  const cluster = await startCluster({ fsync: true, tcp: true, settings })
  try {
    await cluster.stop('immediate')
    rmSync(cluster.data, { recursive: true })
    await copy(primary.cluster, cluster.data)
    await cluster.start()
    await primary.asSuperuser(`ALTER SYSTEM SET synchronous_standby_names = '${NAME}'`)
    await primary.asSuperuser('SELECT pg_reload_conf()')
    await eventually('the standby follows', async () => {
      const [follower] = await primary.asSuperuser<{ sync_state: string }>('SELECT sync_state FROM pg_stat_replication')
      return follower?.sync_state === 'sync'
    })
  } catch (error) {
    await cluster.remove()
    throw error
  }
  return databaseOf(cluster)
}

/** Promotes the standby to a primary. */
export async function promote(standby: PostgresDatabase): Promise<void> {
  await standby.asSuperuser('SELECT pg_promote(true, 30)')
}

async function copy({ folder, port }: Cluster, data: string): Promise<void> {
  const from = `host=${folder} port=${port} user=${USER} application_name=${NAME}`
  // Beside the server itself, to which the PATH may have only a link.
  const programs = dirname(realpathSync(join(programFolder(), 'postgres')))
  const words = [join(programs, 'pg_basebackup'), '-D', data, '-R', '--checkpoint=fast', '--no-sync', '-d', from]
  const child = Bun.spawn(runBy(accountInPlaceOfRoot(), words), { stdout: 'pipe', stderr: 'pipe' })
  const [code, error] = await Promise.all([child.exited, child.stderr.text()])
  if (code !== 0) throw new Error(`pg_basebackup failed: ${error}`)
}
