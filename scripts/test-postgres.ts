/**
 * Runs tests on PostgreSQL, on a server of their own that ends with them. Arguments are those of `bun test`. Without files, it runs the
 * tests that an engine can make fail, the contract of the store first; with `--others`, the other tests that use a database.
 */
import { sharedBy, startSharedCluster } from '../test/support/postgres/databases.ts'
import { storeTests } from '../test/support/store-tests.ts'

const OTHERS = '--others'

const asked = process.argv.slice(2)
const given = asked.filter((word) => word !== OTHERS)
const { ofEngine, others } = storeTests()
const isAll = given.every((word) => word.startsWith('-'))
const words = isAll ? ['--parallel', '--no-isolate', ...given, ...(asked.includes(OTHERS) ? others : ofEngine)] : given

const cluster = await startSharedCluster().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
const tests = Bun.spawn([process.execPath, 'test', '--timeout', '30000', ...words], {
  env: { ...process.env, ...sharedBy(cluster) },
  stdin: 'inherit',
  stdout: 'inherit',
  stderr: 'inherit',
})
const status = await tests.exited
await cluster.remove()
process.exit(status)
