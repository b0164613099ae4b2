/** Long bodies without some of their pieces, as on a standby that has not received them. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { UNTIMED } from '../../src/store/sql/steps.ts'
import { createStore } from '../../src/store/sql-store/sql-store.ts'
import { openDatabase } from '../support/sqlite.ts'
import { bytes, type StoreFixture, storeFixture } from '../support/store-builders.ts'
import type { OpenedDatabase } from './database-contract.ts'

let opened: OpenedDatabase
let g: StoreFixture
beforeEach(async () => {
  opened = await openDatabase()
  const store = createStore(opened.database, UNTIMED)
  g = await storeFixture(async () => ({ store, another: null, close: opened.close }))
})
afterEach(() => g.close())

const keep = () => g.store.pings.keepRest(crypto.randomUUID(), ['b', 'c', 'd'].map(bytes), g.clock.now())
const loseOne = () => opened.database.write((sql) => sql.run('DELETE FROM body_pieces WHERE piece = 1', []))

test('a ping of whose body one piece is gone is refused, and changes nothing', async () => {
  const check = await g.check()
  const rest = await keep()
  await loseOne()
  await expect(g.commit({ ...g.arrival(check, { body: bytes('a') }), rest })).rejects.toThrow('are missing')
  expect((await g.stored(check)).nPings).toBe(0)
  expect(await g.store.pings.list(check.id, 10)).toEqual([])
})

test('a body of which a stored piece is missing is an error, which says of which ping', async () => {
  const check = await g.check()
  const arrival = g.arrival(check, { body: bytes('a') })
  await g.commit({ ...arrival, rest: await keep() })
  await loseOne()
  await expect(g.store.pings.find(check.id, 1)).rejects.toThrow(
    `pieces of the body of ping 1 of check ${check.id} are missing`,
  )
})
