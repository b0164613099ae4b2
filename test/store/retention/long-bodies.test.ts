/** Pieces of long bodies are removed with their pings. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { createPingReceiver } from '../../../src/services/pings/pings.ts'
import { rowsIn } from '../../support/rows.ts'
import { anAuthor, aSignal, bytes } from '../../support/store-builders.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp({ isShared: true, env: { PING_LOG_BYTES: '200' } })
})
afterEach(() => t.close())

const newCheck = async () =>
  (await t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key: t.keys.apiKey, json: {} })).uuid
const ping = (id: string, rest: readonly Uint8Array[] = []) =>
  createPingReceiver(t.app.deps).receive({ kind: 'id', id }, aSignal({ scheme: 'email', body: bytes('begin') }), rest)
/** Returns the first words of all stored pieces. */
const stored = async () =>
  (await rowsIn<{ bytes: Uint8Array }>(t.databaseUrl, 'SELECT bytes FROM body_pieces')).map((piece) =>
    Buffer.from(piece.bytes).toString().trim(),
  )
const long = (words: string) => [bytes(words.padEnd(200)), bytes('end')]

test('a body that is dropped, a log that is shortened and a check that is deleted leave no pieces', async () => {
  const [dropped, shortened, deleted, kept] = [await newCheck(), await newCheck(), await newCheck(), await newCheck()]
  await ping(dropped, long('dropped'))
  await ping(dropped)
  await ping(shortened, long('shortened'))
  for (let n = 0; n < 100; n += 1) await ping(shortened)
  await ping(deleted, long('deleted'))
  await ping(kept, long('kept'))
  expect((await stored()).toSorted()).toEqual(['deleted', 'dropped', 'end', 'end', 'end', 'end', 'kept', 'shortened'])
  await t.app.deps.store.by(anAuthor()).checks.delete(deleted)
  await t.app.settle('retention')
  expect((await stored()).toSorted()).toEqual(['end', 'kept'])
})
