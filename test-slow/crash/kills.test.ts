/**
 * `kill -9` at random moments under load: pings of every kind, writes to the API, checks that go down by failure and by time-out, silences,
 * incidents that somebody took, quiet hours, alerts in progress. `SEED` repeats the moments and the load of a run, as far as the machine's
 * timing allows.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { signInAdministrator } from '../../bench/support/administrator.ts'
import { type Folder, folderOnDisk } from '../../test/support/folder.ts'
import { rowsIn } from '../../test/support/rows.ts'
import { SeededRandom } from '../../test/support/seeded-random.ts'
import { overdue } from '../../test/support/served.ts'
import { createRoom, createWebhook } from '../support/channels.ts'
import { byEffort } from '../support/effort.ts'
import { type ApiClients, createApiClients } from '../support/kills/api-clients.ts'
import { createDeadlineSetter, type DeadlineSetter, SILENT_CHECK } from '../support/kills/deadlines.ts'
import { wrongEdits } from '../support/kills/edits.ts'
import {
  brokenHolds,
  leftOpen,
  leftUntold,
  wrongDeliveries,
  wrongIncidents,
  wrongNotes,
} from '../support/kills/incidents.ts'
import { createPeople, type People, TAGS } from '../support/kills/people.ts'
import { createPingClients, type PingClients } from '../support/kills/ping-clients.ts'
import { isCancelled, judgeQuietHours, type Received } from '../support/kills/quiet-hours.ts'
import { createQuietPeople, type QuietPeople, roomFields, webhookFields } from '../support/kills/quiet-people.ts'
import { integrityProblems, readLeft, readSnapshot, type Snapshot } from '../support/kills/snapshot.ts'
import { brokenChains, wrongArrivals, wrongFlips, wrongOrder, wrongPings } from '../support/kills/violations.ts'
import { answering, homeserver, type Receiver } from '../support/receivers.ts'
import { type RestartableServer, restartableServer } from '../support/restartable-server.ts'
import { SEED } from '../support/seed.ts'

const KILLS = byEffort({ short: 4, full: 20, long: 200 })
const LONGEST_ROUND_MS = 1_500
/** Number of rounds in one of which a second kill hits the server while it starts. */
const ROUNDS_PER_KILL_IN_START = 8
const LONGEST_START_MS = 400
/** Number of kills after which the whole file is checked. */
const KILLS_PER_INTEGRITY_CHECK = byEffort({ short: 5, long: 10 })
const SILENT_CHECKS = 12
/** Time to answer of each of a project's receivers. Slow enough that kills interrupt deliveries. */
const ANSWER_MS = [2, 8]
const ROOM_ANSWER_MS = 8
/** Rooms, each of which gets what waited for its quiet hours in one message. */
const ROOMS = ['!one:example.org', '!two:example.org']
/** Time for which recoveries wait for the end of quiet hours. */
const HELD_MS = 1_000
/** A delivery that a kill interrupted is due again after ten seconds, so this long without progress is a failure. */
const STUCK_AFTER_MS = 60_000
const MOST_VIOLATIONS = 20
/** Delay above which an alert was held, or no server ran. */
const HELD_FOR_US = 500_000
/** Limit for a usual restart, less than the five seconds for which a start would wait for a lock that a killed server left. */
const USUAL_RESTART_MS = 4_500
const LONGEST_RESTART_MS = 30_000

interface TestProject {
  readonly projectId: string
  readonly apiKey: string
  readonly pingKey: string
  /** receivers by channel id */
  readonly receivers: ReadonlyMap<string, Receiver>
  /** rooms by channel id */
  readonly rooms: ReadonlyMap<string, string>
}

/** Violations by the promise that they break. */
const violations = {
  pings: new Set<string>(),
  flips: new Set<string>(),
  alerts: new Set<string>(),
  incidents: new Set<string>(),
  quiet: new Set<string>(),
  edits: new Set<string>(),
  file: new Set<string>(),
}
const restarts: number[] = []
const folder: Folder = folderOnDisk()
const path = folder.file('o.db')
const random = new SeededRandom(SEED)
const homes = homeserver(ROOM_ANSWER_MS)
let server: RestartableServer
/** Two projects: one is pinged, the checks of the other are edited. */
let pinged: TestProject
let edited: TestProject
let pingClients: PingClients
let apiClients: ApiClients
let deadlineSetter: DeadlineSetter
let people: People
let quietPeople: QuietPeople
let snapshot: { readonly pinged: Snapshot; readonly edited: Snapshot }
/** pings as the API lists them, by check: number and user agent */
let listed: ReadonlyMap<string, readonly string[]>
let killsInStart = 0
let killsInCheckpoint = 0
/** results of two waits: after the last kill, and when all checks were healthy again */
const drained: string[] = []

beforeAll(
  async () => {
    server = restartableServer(`sqlite:${path}`, homes.settings)
    await server.start()
    await prepare()
    for (let kill = 1; kill <= KILLS && found().length === 0; kill += 1) {
      await workUntilKilled()
      if (random.integer(ROUNDS_PER_KILL_IN_START - 1) === 0) await killInStart()
      restarts.push(await server.start())
      verify({ isOver: false })
      if (kill % KILLS_PER_INTEGRITY_CHECK === 0) record(violations.file, integrityProblems(path))
    }
    await letGoAndHeal()
    listed = await listPings()
    await server.stop()
    record(violations.file, integrityProblems(path))
    report()
  },
  byEffort({ short: 280_000, long: 3_600_000 }),
)

afterAll(async () => {
  await server.stop()
  const receivers = [pinged, edited].flatMap((project) => [...(project?.receivers.values() ?? [])])
  for (const receiver of [...receivers, homes]) await receiver.stop()
  folder.remove()
})

test('every acknowledged ping is in the log of its check exactly once, unchanged and in order', () => {
  expect([...violations.pings]).toEqual([])
  expect(acknowledgedPings()).toBeGreaterThan(KILLS * 20)
})

test('the API lists the pings that are in the file', () => {
  const inFile = Map.groupBy(snapshot.pinged.pings, ({ checkId }) => checkId)
  for (const { id } of snapshot.pinged.checks) {
    expect(listed.get(id)).toEqual((inFile.get(id) ?? []).toReversed().map(({ n, agent }) => `${n} ${agent}`))
  }
})

test('every flip has one cause, every cause has one flip, and the flips of a check have no gap', () => {
  expect([...violations.flips]).toEqual([])
  const reasons = new Set(snapshot.pinged.flips.map(({ reason }) => reason))
  expect(reasons).toEqual(new Set(['', 'fail', 'timeout']))
})

test('every alert has reached each channel, under the same id when it was sent more than once', () => {
  expect([...violations.alerts]).toEqual([])
  expect(snapshot.pinged.deliveries.length).toBeGreaterThan(KILLS)
})

test('nobody is told of an incident while a silence holds it or somebody is on it, everybody is afterwards, and none outlasts its problem', () => {
  expect([...violations.incidents]).toEqual([])
  for (const act of ['silence', 'take']) expect(people.done.get(act) ?? 0).toBeGreaterThan(0)
})

test('nobody is told in quiet hours, and at their end of everything except what they cancelled', () => {
  expect([...violations.quiet]).toEqual([])
  const { deliveries } = snapshot.pinged
  expect(deliveries.filter(({ heldUntil }) => heldUntil !== null).length).toBeGreaterThan(KILLS)
  expect(judgeQuiet(true).most).toBeGreaterThan(1)
})

test('every acknowledged write to the API is stored, and an interrupted one entirely or not at all', () => {
  expect([...violations.edits]).toEqual([])
  expect(apiClients.acknowledged()).toBeGreaterThan(KILLS * 2)
  expect(apiClients.deleted.size).toBeGreaterThan(0)
})

test('the file passes the integrity check', () => {
  expect([...violations.file]).toEqual([])
})

test('a killed server answers again soon', () => {
  expect(restarts).toHaveLength(KILLS)
  expect(median(restarts)).toBeLessThan(USUAL_RESTART_MS)
  expect(Math.max(...restarts)).toBeLessThan(LONGEST_RESTART_MS)
})

async function prepare(): Promise<void> {
  pinged = await createTestProject('Pinged', ROOMS)
  edited = await createTestProject('Edited', [])
  for (let index = 0; index < SILENT_CHECKS; index += 1) {
    const spec = { name: `silent-${index + 1}`, tags: TAGS[index % TAGS.length], channels: '*', ...SILENT_CHECK }
    await api('checks/', { method: 'POST', body: JSON.stringify(spec) })
  }
  pingClients = createPingClients(server.baseUrl, pinged.pingKey)
  apiClients = createApiClients(server.baseUrl, edited.apiKey, [...edited.receivers.keys()].toSorted())
  deadlineSetter = createDeadlineSetter(path)
  const { key } = await overdue<{ key: string }>(`sqlite:${path}`, 'key', 'create', pinged.projectId)
  people = createPeople([pinged.apiKey, key], () => server.baseUrl)
  quietPeople = await prepareQuietPeople()
  readSnapshots()
}

/** Edits the quiet hours of all channels but the first, which gets every alert at once. */
async function prepareQuietPeople(): Promise<QuietPeople> {
  const url = `sqlite:${path}`
  const [, ...receivers] = pinged.receivers
  const channels = [
    ...receivers.map(([id, receiver]) => ({ id, fields: webhookFields(receiver.url) })),
    ...Array.from(pinged.rooms, ([id, room]) => ({ id, fields: roomFields(room) })),
  ]
  const [row] = await rowsIn<{ slug: string }>(url, 'SELECT slug FROM projects WHERE id = $1', [pinged.projectId])
  const cookie = await signInAdministrator(url)
  return createQuietPeople(channels, { project: row?.slug ?? '', cookie, to: () => server.baseUrl })
}

async function createTestProject(name: string, names: readonly string[]): Promise<TestProject> {
  const url = `sqlite:${path}`
  const { id, ...keys } = await overdue<{ id: string; api_key: string; ping_key: string }>(
    url,
    'project',
    'create',
    name,
  )
  await overdue(url, 'project', 'set', id, '--ping-log-limit', '1000')
  const receivers = new Map<string, Receiver>()
  for (const delay of ANSWER_MS) {
    const receiver = answering(delay)
    receivers.set(await createWebhook(url, id, receiver.url), receiver)
  }
  const rooms = new Map<string, string>()
  for (const room of names) rooms.set(await createRoom(url, id, room), room)
  return { projectId: id, apiKey: keys.api_key, pingKey: keys.ping_key, receivers, rooms }
}

/** @throws when a client gets an answer other than an acknowledgement or a broken connection */
async function workUntilKilled(): Promise<void> {
  let isOver = false
  const silent = snapshot.pinged.checks.filter(({ name }) => name.startsWith('silent-'))
  const down = deadlineSetter.setDeadlines(silent, snapshot.pinged, random)
  // The others stay down, so that their holds outlast kills.
  const healed = down.filter(({ nPings }) => nPings === 0 || random.integer(1) === 0)
  const work = Promise.all([
    pingClients.run(new SeededRandom(random.integer(2 ** 31)), () => isOver),
    apiClients.run(new SeededRandom(random.integer(2 ** 31)), () => isOver),
    people.run(new SeededRandom(random.integer(2 ** 31)), snapshot.pinged.checks, () => isOver),
    quietPeople.run(new SeededRandom(random.integer(2 ** 31)), () => isOver),
    ...healed.map(pingClients.succeed),
  ])
  try {
    await Promise.race([momentToKill(), work])
  } finally {
    const killed = server.kill()
    isOver = true
    await killed
  }
  await work
}

/** Waits for a random time; in half of the rounds at most until SQLite begins a checkpoint. */
async function momentToKill(): Promise<void> {
  const writtenAt = () => statSync(path).mtimeMs
  const [isWatching, before] = [random.integer(1) === 0, writtenAt()]
  for (const end = performance.now() + random.integer(LONGEST_ROUND_MS); performance.now() < end; await Bun.sleep(1)) {
    if (!isWatching || writtenAt() === before) continue
    killsInCheckpoint += 1
    return
  }
}

async function killInStart(): Promise<void> {
  const starting = server.start().catch(() => null)
  await Bun.sleep(random.integer(LONGEST_START_MS))
  await server.kill()
  await starting
  killsInStart += 1
}

function readSnapshots(): void {
  snapshot = { pinged: readSnapshot(path, pinged.projectId), edited: readSnapshot(path, edited.projectId) }
}

/** @param isOver whether all pending work must be done */
function verify({ isOver }: { readonly isOver: boolean }): void {
  readSnapshots()
  const { pings, flips, alerts, incidents, edits, quiet } = violations
  record(pings, wrongPings(pingClients.sent, snapshot.pinged))
  record(pings, wrongOrder(pingClients.sent, snapshot.pinged))
  pingClients.learn(snapshot.pinged.checks)
  record(flips, brokenChains(snapshot.pinged))
  record(flips, brokenChains(snapshot.edited))
  record(flips, wrongFlips(deadlineSetter.deadlines, snapshot.pinged, isOver))
  record(edits, wrongEdits(apiClients.expected, apiClients.deleted, snapshot.edited))
  apiClients.learn(snapshot.edited)
  const asked = { sent: pingClients.sent, silencedAt: people.silencedAt }
  record(incidents, [...wrongIncidents(snapshot.pinged), ...wrongIncidents(snapshot.edited)])
  record(incidents, [...brokenHolds(snapshot.pinged, asked), ...wrongNotes(people.notes, snapshot.pinged)])
  record(alerts, wrongDeliveries(snapshot.pinged))
  const judged = judgeQuiet(isOver)
  record(quiet, judged.violations)
  record(alerts, wrongArrivals(judged.arrivals, snapshot.pinged, { isOver }))
  const mostUnknown = apiClients.deliveriesDeleted()
  record(alerts, wrongArrivals(receivedBy(edited).alone, snapshot.edited, { isOver, mostUnknown }))
}

function record(promise: Set<string>, sentences: readonly string[]): void {
  for (const sentence of sentences.slice(0, MOST_VIOLATIONS)) promise.add(`after kill ${restarts.length}: ${sentence}`)
}

function found(): string[] {
  return Object.values(violations).flatMap((promise) => [...promise])
}

function receivedBy({ receivers, rooms }: TestProject): Received {
  return {
    alone: new Map(Array.from(receivers, ([channelId, { arrivals }]) => [channelId, arrivals])),
    rooms: new Map(Array.from(rooms, ([channelId, room]) => [channelId, homes.messagesIn(room)])),
  }
}

function judgeQuiet(isOver: boolean): ReturnType<typeof judgeQuietHours> {
  const mostInterrupted = restarts.length + killsInStart
  return judgeQuietHours(receivedBy(pinged), quietPeople.edits, snapshot.pinged, { isOver, mostInterrupted })
}

/** Ends everything that holds alerts, and then every problem. */
async function letGoAndHeal(): Promise<void> {
  await people.letGo()
  await quietPeople.letEnd()
  await untilNothingIsPending()
  verify({ isOver: true })
  record(violations.incidents, leftUntold(snapshot.pinged, Date.now() * 1_000))
  const down = snapshot.pinged.checks.filter(({ status }) => status === 'down')
  await quietPeople.during(async () => {
    await Promise.all(down.map(pingClients.succeed))
    await Bun.sleep(HELD_MS)
  })
  await untilNothingIsPending()
  verify({ isOver: true })
  record(violations.incidents, leftOpen(snapshot.pinged))
}

/** Waits until nothing is pending, or nothing changes any more; what is still pending then shows up as violations. */
async function untilNothingIsPending(): Promise<void> {
  const began = performance.now()
  let left = readLeft(path, deadlineSetter.deadlines.length)
  const atFirst = left
  for (let movedAt = began; left > 0 && performance.now() - movedAt < STUCK_AFTER_MS; await Bun.sleep(100)) {
    const now = readLeft(path, deadlineSetter.deadlines.length)
    if (now !== left) movedAt = performance.now()
    left = now
  }
  drained.push(`${atFirst} pending, ${left} of them ${((performance.now() - began) / 1_000).toFixed(1)} s later`)
}

async function listPings(): Promise<ReadonlyMap<string, readonly string[]>> {
  const logs = new Map<string, readonly string[]>()
  for (const { id } of snapshot.pinged.checks) {
    const { pings } = await api<{ pings: { n: number; ua: string }[] }>(`checks/${id}/pings/`)
    logs.set(
      id,
      pings.map(({ n, ua }) => `${n} ${ua}`),
    )
  }
  return logs
}

async function api<Answer>(what: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(`${server.baseUrl}/api/v3/${what}`, { ...init, headers: { 'X-Api-Key': pinged.apiKey } })
  if (!response.ok) throw new Error(`${what}: ${response.status} ${await response.text()}`)
  return response.json() as Promise<Answer>
}

function acknowledgedPings(): number {
  return pingClients.sent.filter(({ answeredAt }) => answeredAt !== null).length
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

function report(): void {
  const judged = judgeQuiet(true)
  const all = [...judged.arrivals.values(), ...receivedBy(edited).alone.values()].map((of) => of.map(({ id }) => id))
  const repeats = all.reduce((sum, ids) => sum + ids.length - new Set(ids).size, 0)
  const held = snapshot.pinged.deliveries.filter(({ heldUntil }) => heldUntil !== null)
  const { edits } = quietPeople
  const flips = [...snapshot.pinged.flips, ...snapshot.edited.flips]
  const deliveries = [...snapshot.pinged.deliveries, ...snapshot.edited.deliveries]
  const told = snapshot.pinged.incidents.filter(({ toldAt }) => toldAt !== null)
  const late = told.filter(({ openedAt, toldAt }) => (toldAt ?? 0) > openedAt + HELD_FOR_US)
  // biome-ignore lint/suspicious/noConsole: prints the measured figures
  console.info(
    [
      `kills: ${restarts.length} under load, ${killsInCheckpoint} of them in a checkpoint, and ${killsInStart} while starting`,
      `${acknowledgedPings()} of ${pingClients.sent.length} pings acknowledged, ${snapshot.pinged.pings.length} in the log`,
      `${apiClients.acknowledged()} writes to the API acknowledged, ${apiClients.deleted.size} of them deletions`,
      `acknowledged: ${Array.from(people.done, ([act, times]) => `${act} ${times}`).join(', ')}`,
      `${told.length} of ${snapshot.pinged.incidents.length} incidents told, ${late.length} of them later than half a second after they began`,
      `${flips.length} flips, ${flips.filter(({ reason }) => reason === 'timeout').length} of them by time-out`,
      `${deliveries.length} deliveries, ${repeats} sent again under the same id`,
      `${edits.filter(({ answeredAt }) => answeredAt !== null).length} of ${edits.length} edits of quiet hours acknowledged`,
      `${held.length} deliveries waited for their end, at most ${judged.most} were told in one message, ${snapshot.pinged.deliveries.filter(isCancelled).length} cancelled`,
      `${judged.interrupted.length} messages were sent again with other alerts`,
      `after the last kill ${drained.join('; when all was well again ')}`,
      `restart to first answer: median ${median(restarts).toFixed(0)} ms, highest ${Math.max(...restarts).toFixed(0)} ms`,
    ].join('; '),
  )
}
