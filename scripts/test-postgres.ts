/**
 * Runs tests on PostgreSQL, on a server of their own that ends with them. Arguments are those of `bun test`. Without files, it
 * runs all that use a database, the contract of the store first.
 */
import { sharedBy, startSharedCluster } from '../test/support/postgres/databases.ts'
import { storeTests } from '../test/support/store-tests.ts'

const given = process.argv.slice(2)
const isAll = given.every((word) => word.startsWith('-'))
const words = isAll ? ['--only-failures', '--parallel', '--no-isolate', ...given, ...storeTests()] : given

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
