/**
 * Alert delivery while the server is killed repeatedly and some receivers fail: a closed port, one that never answers, one
 * that answers 429. No delivery is lost, and the failing receivers don't delay the healthy ones.
 */
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Folder, folderOnDisk } from '../test/support/folder.ts'
import { overdue } from '../test/support/served.ts'
import { createWebhook } from './support/channels.ts'
import { byEffort } from './support/effort.ts'
import { eventually } from './support/eventually.ts'
import { answering, type Receiver, refusing, silent } from './support/receivers.ts'
import { type RestartableServer, restartableServer } from './support/restartable-server.ts'

const CHECKS = 50
/** Number of rounds. In each, every check flips once and the server is killed once. */
const ROUNDS = byEffort({ short: 2, full: 10 })
const ALERTS = CHECKS * ROUNDS
/** Time to answer, slow enough that a kill interrupts deliveries. */
const ANSWER_MS = 20
const LONGEST_ROUND_MS = 600
const RETRY_AFTER_SECONDS = 1
const ATTEMPT_MS = 30_000
const WITHIN_MS = 60_000

type Name = 'healthy 1' | 'healthy 2' | 'refusing' | 'silent' | 'limited'
type Receivers = Readonly<Partial<Record<Name, Receiver>>>
const HEALTHY = ['healthy 1', 'healthy 2'] as const

interface DeliveryRow {
  id: string
  check_id: string
  event_n: number
  channel: Name
  state: string
  attempts: number
  next_attempt_at: number | null
  error: string | null
}

interface Run {
  readonly server: RestartableServer
  readonly receivers: Receivers
  /** time of the last kill by `performance.now()`, as in the receivers' arrivals */
  killedAt: number
  restartedAt: number
  deliveries(): DeliveryRow[]
}

const ends: (() => unknown)[] = []
const folder: Folder = folderOnDisk()
let control: Run
let run: Run
let isLimited = true

beforeAll(async () => {
  const healthy = () => ({ 'healthy 1': answering(ANSWER_MS), 'healthy 2': answering(ANSWER_MS) })
  const failing = { refusing: refusing(), silent: silent(), limited: answering(0, limitedAnswer) }
  // Both run at the same time, so a busy machine slows both down.
  const both = [runKills('run', { ...healthy(), ...failing }), runKills('control', healthy())] as const
  ;[run, control] = await Promise.all(both)
  isLimited = false
  await eventually('the limited receiver has every alert', () => idsAt('limited').size === ALERTS, WITHIN_MS)
  await eventually(
    'attempts that were started after the restart have timed out',
    () => performance.now() > run.restartedAt + ATTEMPT_MS && timedOut().length > 0,
    WITHIN_MS,
  )
  await Promise.all([run, control].map(({ server }) => server.stop()))
}, 180_000)

afterAll(async () => {
  for (const end of ends.toReversed()) await end()
  folder.remove()
})

function limitedAnswer(): Response {
  if (!isLimited) return new Response('thanks')
  return new Response('slowly', { status: 429, headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) } })
}

/** Flips every check and kills the server in each round, and waits until the healthy receivers have every alert. */
async function runKills(name: string, receivers: Receivers): Promise<Run> {
  for (const receiver of Object.values(receivers)) ends.push(() => receiver.stop())
  const path = folder.file(`${name}.db`)
  const server = restartableServer(`sqlite:${path}`)
  ends.push(() => server.stop())
  await server.start()
  const checks = await prepare(`sqlite:${path}`, server.baseUrl, receivers)
  const current: Run = { server, receivers, killedAt: 0, restartedAt: 0, deliveries: () => deliveriesIn(path) }
  const arrived = () => HEALTHY.reduce((sum, healthy) => sum + (receivers[healthy]?.arrivals.length ?? 0), 0)
  for (let round = 0; round < ROUNDS; round += 1) {
    const [began, before] = [performance.now(), arrived()]
    const pinged = Promise.all(checks.map((check) => pingUntilOk(`${check}${round % 2 === 0 ? '/fail' : ''}`)))
    // Varies how many deliveries have arrived at the moment of the kill.
    const enough = before + 4 + 8 * (round % 4)
    while (arrived() < enough && performance.now() < began + LONGEST_ROUND_MS) await Bun.sleep(5)
    await server.kill()
    current.killedAt = performance.now()
    await server.start()
    current.restartedAt = performance.now()
    await pinged
  }
  const has = (healthy: Name) => new Set(receivers[healthy]?.arrivals.map(({ id }) => id)).size
  await eventually(
    'the healthy receivers have every alert',
    () => HEALTHY.every((name) => has(name) === ALERTS),
    WITHIN_MS,
  )
  return current
}

/** @returns the ping URLs of the checks; every check has every channel */
async function prepare(databaseUrl: string, baseUrl: string, receivers: Receivers): Promise<string[]> {
  const project = await overdue<{ id: string; api_key: string }>(databaseUrl, 'project', 'create', 'Kills')
  for (const [name, { url }] of Object.entries(receivers)) await createWebhook(databaseUrl, project.id, url, name)
  return Promise.all(
    Array.from({ length: CHECKS }, async (_, index) => {
      const response = await fetch(`${baseUrl}/api/v3/checks/`, {
        method: 'POST',
        headers: { 'X-Api-Key': project.api_key },
        body: JSON.stringify({ name: `Check ${index}`, timeout: 86_400, grace: 86_400, channels: '*' }),
      })
      return ((await response.json()) as { ping_url: string }).ping_url
    }),
  )
}

/** Repeats a ping until the server answers OK. The repetition makes no second flip. */
async function pingUntilOk(url: string): Promise<void> {
  for (const end = performance.now() + WITHIN_MS; performance.now() < end; await Bun.sleep(25)) {
    const response = await fetch(url).catch(() => null)
    const answer = await response?.text().catch(() => null)
    if (answer === 'OK') return
    if (response && response.status !== 503) throw new Error(`a ping was answered with ${response.status}: ${answer}`)
  }
  throw new Error('no server answered OK')
}

function deliveriesIn(path: string): DeliveryRow[] {
  using database = new Database(path, { readonly: true })
  return database
    .query<DeliveryRow, []>(
      `SELECT deliveries.id, check_id, event_n, channels.name AS channel, state, attempts, next_attempt_at, error
       FROM deliveries JOIN channels ON channels.id = channel_id ORDER BY check_id, event_n`,
    )
    .all()
}

const arrivalsAt = (name: Name, { receivers }: Run = run) => receivers[name]?.arrivals ?? []
const idsAt = (name: Name) => new Set(arrivalsAt(name).map(({ id }) => id))
const deliveriesTo = (name: Name) => run.deliveries().filter(({ channel }) => channel === name)
const timedOut = () => deliveriesTo('silent').filter(({ error }) => error !== null)
/** Returns the first pending delivery of each check. Later ones wait for it. */
const firstPending = (name: Name) => deliveriesTo(name).filter(({ next_attempt_at }) => next_attempt_at !== null)

test('every flip creates one delivery for each channel', () => {
  const { length: channels } = Object.keys(run.receivers)
  expect(run.deliveries()).toHaveLength(ALERTS * channels)
  expect(new Set(run.deliveries().map((row) => `${row.check_id} ${row.event_n} ${row.channel}`)).size).toBe(
    ALERTS * channels,
  )
})

describe.each<Name>(['healthy 1', 'healthy 2', 'limited'])('the receiver called %s', (name) => {
  test('gets every delivery at least once, always under the same id', () => {
    const deliveries = deliveriesTo(name)
    expect(new Set(deliveries.map(({ state }) => state))).toEqual(new Set(['sent']))
    expect(idsAt(name)).toEqual(new Set(deliveries.map(({ id }) => id)))
  })

  test('gets the flips of each check in order, including deliveries that were sent twice', () => {
    const known = new Map(deliveriesTo(name).map((row) => [row.id, row]))
    const latest = new Map<string, number>()
    for (const { id } of arrivalsAt(name)) {
      const row = known.get(id)
      if (!row) throw new Error(`no delivery has the id ${id}`)
      expect(row.event_n).toBeGreaterThanOrEqual(latest.get(row.check_id) ?? 0)
      latest.set(row.check_id, row.event_n)
    }
    expect(latest.size).toBe(CHECKS)
  })
})

test('deliveries to a closed port stay pending; the first one of each check was tried and has the reason', () => {
  expect(new Set(deliveriesTo('refusing').map(({ state }) => state))).toEqual(new Set(['pending']))
  const tried = firstPending('refusing')
  expect(tried.map(({ check_id }) => check_id)).toHaveLength(CHECKS)
  expect(tried.filter(({ attempts, error }) => attempts === 0 || error !== 'Connection failed')).toEqual([])
})

test('deliveries to a receiver that never answers stay pending, with the reason once an attempt has timed out', () => {
  expect(new Set(deliveriesTo('silent').map(({ state }) => state))).toEqual(new Set(['pending']))
  expect(firstPending('silent')).toHaveLength(CHECKS)
  expect(new Set(timedOut().map(({ error }) => error))).toEqual(new Set(['Sent, but no answer within 30 seconds']))
})

test('an attempt that takes longer than its lease is not started a second time', () => {
  const since = arrivalsAt('silent').filter(
    ({ at }) => at > run.restartedAt && at < run.restartedAt + ATTEMPT_MS - 2_000,
  )
  expect(since.length).toBeGreaterThan(0)
  expect(new Set(since.map(({ id }) => id)).size).toBe(since.length)
})

test('a kill repeats only deliveries that were in progress, after everything that was due before them', () => {
  for (const name of HEALTHY) expect(arrivalsAt(name).length - ALERTS).toBeLessThanOrEqual(ROUNDS)
  // A repeated delivery is due when its lease ends, behind everything that was due earlier.
  expect(longestUntilRepeated()).toBeLessThan(WITHIN_MS)
})

test('failing receivers do not delay the healthy ones', () => {
  const lastAfterKill = (of: Run) =>
    Math.max(...HEALTHY.map((name) => arrivalsAt(name, of).at(-1)?.at ?? Number.POSITIVE_INFINITY)) - of.killedAt
  const repeats = HEALTHY.map((name) => arrivalsAt(name).length - ALERTS)
  // biome-ignore lint/suspicious/noConsole: prints the measured figures
  console.info(
    [
      `alerts across kills: ${ALERTS} flips, ${run.deliveries().length} deliveries, ${ROUNDS} kills`,
      `last healthy delivery ${seconds(lastAfterKill(run))} after the last kill, ${seconds(lastAfterKill(control))} without failing receivers`,
      `repeated ${repeats.join(' and ')}, longest until repeated ${seconds(longestUntilRepeated())}`,
      `${timedOut().length} of ${arrivalsAt('silent').length} attempts timed out at the receiver that never answers`,
      `${arrivalsAt('limited').length - ALERTS} were answered with 429`,
    ].join('; '),
  )
  expect(lastAfterKill(run)).toBeLessThan(lastAfterKill(control) + ATTEMPT_MS / 2)
})

function longestUntilRepeated(): number {
  const firstAt = new Map<string, number>()
  let longest = 0
  for (const { id, at } of HEALTHY.flatMap((name) => arrivalsAt(name))) {
    longest = Math.max(longest, at - (firstAt.get(id) ?? at))
    firstAt.set(id, firstAt.get(id) ?? at)
  }
  return longest
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}
