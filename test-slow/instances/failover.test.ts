/**
 * A primary with a synchronous standby, and two instances that know both. The primary is killed under load, and the standby is promoted: no
 * acknowledged ping is lost, and both instances continue by themselves.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { SeededRandom } from '../../test/support/seeded-random.ts'
import { startDatabase } from '../postgres/support/database.ts'
import { promote, startStandby } from '../postgres/support/standby.ts'
import { eventually } from '../support/eventually.ts'
import { restartableServer } from '../support/restartable-server.ts'
import { SEED } from '../support/seed.ts'
import { fill } from './support/filled.ts'
import { type Load, startLoad } from './support/load.ts'
import { judge, REFUSED, report, untilNothingIsPending, type Verdict } from './support/verdict.ts'

const CHECKS = 2_000
/** Rate of pings to each instance. */
const PINGS_PER_SECOND = 60
const LOAD_MS = 3_000
const WITHOUT_PRIMARY_MS = 1_500
const ACCEPTED_WITHIN_MS = 10_000

const ends: (() => unknown)[] = []
let loads: Load[] = []
let verdict: Verdict
let killedAt = 0
let promotedAt = 0

beforeAll(async () => {
  const first = await startDatabase()
  ends.push(() => first.cluster.remove())
  const second = await startStandby(first)
  ends.push(() => second.cluster.remove())
  const url = first.urlThrough(first.cluster.port, second.cluster.port)
  const instances = ['a', 'b'].map((name) => restartableServer(url, { INSTANCE_NAME: name }))
  for (const instance of instances) ends.push(() => instance.stop())
  for (const instance of instances) await instance.start()
  const filled = await fill(first, 'app', instances[0]?.baseUrl ?? '', CHECKS)
  ends.push(() => filled.close())
  loads = instances.map(({ baseUrl }, index) => {
    const random = new SeededRandom(SEED + index)
    return startLoad({ checks: filled.checks, perSecond: PINGS_PER_SECOND, random, to: () => baseUrl })
  })
  for (const load of loads) ends.push(() => load.stop())
  await Bun.sleep(LOAD_MS)

  killedAt = performance.now()
  first.cluster.signal('SIGKILL')
  await Bun.sleep(WITHOUT_PRIMARY_MS)
  await promote(second)
  promotedAt = performance.now()
  await eventually('both instances accept pings', () => loads.every((load) => acceptedAfterMs(load) !== undefined))
  await Bun.sleep(LOAD_MS)
  for (const load of loads) await load.stop()

  const sql = new SQL(second.cluster.tcpUrl('app'), { max: 1 })
  ends.push(() => sql.close())
  await untilNothingIsPending({ sql }, 0)
  const sent = loads.flatMap((load) => load.sent)
  verdict = await judge({ ...filled, sql }, sent)
  report('the primary is killed under load, and its synchronous standby is promoted', {
    'ms until it was promoted': Math.round(promotedAt - killedAt),
    ...Object.fromEntries(
      loads.map((load, index) => [
        `ms until instance ${index} accepted a ping from then on`,
        acceptedAfterMs(load)?.toFixed(0) ?? '',
      ]),
    ),
    ...verdict.figures,
  })
}, 280_000)

afterAll(async () => {
  for (const end of ends.toReversed()) await end()
})

/** Returns milliseconds from the promotion to the first acknowledgement of a ping that was sent after the kill. */
function acceptedAfterMs({ sent }: Load): number | undefined {
  const accepted = sent.filter(({ sentAt, answeredAt }) => answeredAt !== null && sentAt > killedAt)
  if (promotedAt === 0 || accepted.length === 0) return undefined
  return Math.min(...accepted.map(({ answeredAt }) => answeredAt ?? 0)) - promotedAt
}

test('no acknowledged ping is lost, and the logs have no hole', () => {
  expect(verdict.violations.pings).toEqual([])
  expect(verdict.figures.acknowledged).toBeGreaterThan(PINGS_PER_SECOND)
})

test('pings are accepted again within ten seconds of the promotion on every instance', () => {
  for (const load of loads) expect(acceptedAfterMs(load)).toBeLessThan(ACCEPTED_WITHIN_MS)
})

test('meanwhile senders are asked to try again', () => {
  const sent = loads.flatMap((load) => load.sent)
  const answers = new Set(sent.filter(({ answeredAt }) => answeredAt === null).map(({ answer }) => answer))
  expect([...answers]).toEqual([REFUSED])
})

test('no check flips twice', () => {
  expect(verdict.violations.flips).toEqual([])
})

test('nobody is told of an incident while a silence holds it', () => {
  expect(verdict.violations.incidents).toEqual([])
})

test('every alert reaches its channel, and again only under its id', () => {
  expect(verdict.violations.deliveries).toEqual([])
  expect(verdict.figures.deliveries).toBeGreaterThan(0)
})
