/** PostgreSQL is silent, or answers late: pings get 503 in time, and succeed once it answers. */
import { expect, test } from 'bun:test'
import { fixture } from '../support/fixture.ts'
import { startDatabase } from './support/database.ts'
import { openNetwork } from './support/network.ts'
import { underLoad } from './support/trial.ts'

const PAUSED_MS = 10_000
const LOST_MS = 6_000
/** Limit for a stop: the server's five seconds, with a margin for a loaded machine. */
const STOPPED_WITHIN_MS = 10_000

const s = fixture()

async function trial() {
  const database = await startDatabase()
  s.atEnd(() => database.cluster.remove())
  const network = await openNetwork({ host: '127.0.0.1', port: database.cluster.port })
  s.atEnd(() => network.close())
  const t = await underLoad({ database, databaseUrl: database.urlThrough(network.port), atEnd: s.atEnd })
  return { database, network, t }
}

test('all processes of PostgreSQL are paused for ten seconds', async () => {
  const { database, t } = await trial()
  database.cluster.signal('SIGSTOP')
  await t.untilRefused()
  await t.expectTold('does not answer')
  await Bun.sleep(PAUSED_MS)
  database.cluster.signal('SIGCONT')
  await t.expectRecovery('paused')
}, 90_000)

test('a pause shorter than the patience of the server only delays pings', async () => {
  const { database, t } = await trial()
  database.cluster.signal('SIGSTOP')
  await Bun.sleep(700)
  database.cluster.signal('SIGCONT')
  await t.expectRecovery('paused for 0.7 s')
  expect(t.load.pings.filter(({ answer }) => answer !== '200 OK')).toEqual([])
}, 90_000)

test('the network loses everything, and never tells PostgreSQL that its connections are gone', async () => {
  const { network, t } = await trial()
  network.lose()
  await t.untilRefused()
  await t.expectTold('does not answer')
  await Bun.sleep(LOST_MS)
  network.mend()
  await t.expectRecovery('packets lost')
}, 90_000)

test('what the network loses for a moment keeps no check locked', async () => {
  const { network, t } = await trial()
  for (let round = 0; round < 3; round += 1) {
    network.lose()
    await t.untilRefused()
    network.mend()
    await t.untilAcknowledged()
  }
  await t.expectRecovery('packets lost three times')
}, 90_000)

test('a slow network makes pings slow, and too slow a one refuses them in time', async () => {
  const { network, t } = await trial()
  network.delay(40)
  await Bun.sleep(3_000)
  expect(t.load.pings.filter(({ answer }) => answer !== '200 OK')).toEqual([])
  network.delay(400)
  await Bun.sleep(5_000)
  network.delay(5_000)
  await t.untilRefused()
  await Bun.sleep(3_000)
  network.delay(0)
  await t.expectRecovery('slow network')
}, 90_000)

test('a server is asked to stop while PostgreSQL is paused: it does not wait for it', async () => {
  const { database, t } = await trial()
  database.cluster.signal('SIGSTOP')
  await t.untilRefused()
  const began = performance.now()
  await t.served.stopped()
  const ms = performance.now() - began
  process.stdout.write(`stopped while PostgreSQL is paused: after ${ms.toFixed(0)} ms\n`)
  expect(ms).toBeLessThan(STOPPED_WITHIN_MS)
}, 90_000)
