/** A copy has exclusive use of both databases. */
import { Database as Connection } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { readConfig } from '../../../src/config/config.ts'
import { copyDatabase } from '../../../src/store/copy/copy.ts'
import type { CopySide } from '../../../src/store/copy/side.ts'
import { writeSetting } from '../../../src/store/server/settings.ts'
import type { Database } from '../../../src/store/sql/database.ts'
import { handClock } from '../../support/clock.ts'
import { openSide } from '../../support/copy-sides.ts'
import { ENGINE, testDatabase } from '../../support/databases.ts'
import { openUrl } from '../../support/open-url.ts'
import type { TestDatabase } from '../../support/opened-stores.ts'
import { refusalOf } from '../../support/store-builders.ts'

let one: TestDatabase
let other: TestDatabase
let open: Database[]
beforeEach(async () => {
  one = await testDatabase()
  other = await testDatabase()
  open = []
})
afterEach(async () => {
  for (const database of open) await database.close()
  await one.remove()
  await other.remove()
})

/** Opens a side that is closed after the test. */
async function sideOf({ url }: TestDatabase): Promise<CopySide> {
  const side = await openSide(url)
  open.push(side.database)
  return side
}

/** Opens the database as a server does. */
async function served({ url }: TestDatabase): Promise<Database> {
  const database = await openUrl(url)
  open.push(database)
  return database
}

test('a database that another program has open is refused', async () => {
  await served(one)
  const refusal = await refusalOf(openSide(one.url))
  expect(refusal.code).toBe('database-in-use')
  expect(refusal.message).toMatch(/ is using the database /)
})

test.if(ENGINE === 'sqlite')('nobody else can use a file meanwhile', async () => {
  const { database } = readConfig({ DATABASE_URL: one.url })
  if (database.engine !== 'sqlite') throw new Error('a file was expected')
  const side = await openSide(one.url)
  const another = new Connection(database.path)
  expect(() => another.run('BEGIN IMMEDIATE')).toThrow('database is locked')
  await side.database.close()
  another.run('BEGIN IMMEDIATE')
  another.close()
})

test.if(ENGINE === 'postgres')('a server that comes back during the copy cannot write into either side', async () => {
  const [from, to] = [await sideOf(one), await sideOf(other)]
  const servers = [await served(one), await served(other)]
  const beat = (server: Database) => server.write((sql) => writeSetting(sql, 'alive', '1'))
  const during: unknown[] = []
  const watched: CopySide = {
    ...to,
    async finish() {
      for (const server of servers) during.push(await refusalOf(beat(server)))
      await to.finish()
    },
  }
  await copyDatabase({ from, to: watched, id: 'a', now: handClock().now })
  const refused = {
    code: 'unavailable',
    data: { reason: expect.stringContaining('the database was copied into another one') },
  }
  expect(during).toMatchObject([refused, refused])
  const [old, fresh] = servers
  if (!old || !fresh) throw new Error('two servers were expected')
  expect(await refusalOf(beat(old))).toMatchObject(refused)
  await beat(fresh)
})

test('a database that was copied is refused to whoever opens it, and an incomplete one', async () => {
  const [from, to] = [await sideOf(one), await sideOf(other)]
  const failing: CopySide = { ...to, finish: () => Promise.reject(new Error('the connection is lost')) }
  await expect(copyDatabase({ from, to: failing, id: 'a', now: handClock().now })).rejects.toThrow('is lost')
  for (const database of open.splice(0)) await database.close()
  expect((await refusalOf(openUrl(one.url))).code).toBe('database-copied')
  const refusal = await refusalOf(openUrl(other.url))
  expect(refusal.code).toBe('database-incomplete')
  expect(refusal.message).toEndWith('was not finished')
})
