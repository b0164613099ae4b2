/** Runs with TEST_ENGINE=postgres: `bun run test:postgres`. */
import { ENGINE, openSharedStore, testDatabase } from '../../support/databases.ts'
import { databaseOn } from '../../support/opened-stores.ts'
import { storeContract } from '../contract.ts'
import { databaseContract } from '../database-contract.ts'

if (ENGINE === 'postgres') {
  databaseContract('PostgreSQL', () => databaseOn(testDatabase))
  storeContract('PostgreSQL', openSharedStore)
}
