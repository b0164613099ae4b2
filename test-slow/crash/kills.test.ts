/**
 * `kill -9` at any moment, while everybody works: pings of every kind, writes to the API, checks that go down by failure and
 * by silence, alerts on their way. `SEED` has the same moments and the same load again, as far as the machine plays along.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { overdue } from '../../test/support/served.ts'
import { type Folder, temporaryFolder } from '../../test/support/sqlite.ts'
import { webhook } from '../../test/support/store-builders.ts'
import { Dice } from '../support/dice.ts'
import { byEffort } from '../support/effort.ts'
import { createEditor, type Editor } from '../support/kills/editor.ts'
import { wrongEdits } from '../support/kills/edits.ts'
import { type Evidence, readEvidence, readLeft, unsoundness } from '../support/kills/evidence.ts'
import {
  type Arrivals,
  brokenChains,
  wrongArrivals,
  wrongDeliveries,
  wrongFlips,
  wrongOrder,
  wrongPings,
} from '../support/kills/findings.ts'
import { createPinger, type Pinger } from '../support/kills/pinger.ts'
import { createSilencer, SILENT_CHECK, type Silencer } from '../support/kills/silencer.ts'
import { type MortalServer, mortalServer } from '../support/mortal-server.ts'
import { answering, type Receiver } from '../support/receivers.ts'

const KILLS = byEffort(20, 200)
const SEED = Number(process.env.SEED ?? crypto.getRandomValues(new Uint32Array(1))[0])
const LONGEST_ROUND_MS = 1_500
/** One round in so many has a second kill, of a server that is starting. */
const ROUNDS_PER_KILL_IN_START = 8
const LONGEST_START_MS = 400
/** Every page is looked at after so many kills. */
const KILLS_PER_LOOK = byEffort(5, 10)
const SILENT_CHECKS = 12
/** Of the receivers of each project; so slow that kills find alerts on their way. */
const ANSWER_MS = [2, 8]
/** With one, every message names its delivery. */
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
/** What was on its way at a kill is due again after ten seconds. */
const STUCK_AFTER_MS = 60_000
const MOST_FINDINGS = 20

interface Side {
  readonly projectId: string
  readonly apiKey: string
  readonly pingKey: string
  /** by channel */
  readonly receivers: ReadonlyMap<string, Receiver>
}

/** What is wrong, by promise. */
const findings = {
  pings: new Set<string>(),
  flips: new Set<string>(),
  alerts: new Set<string>(),
  edits: new Set<string>(),
  file: new Set<string>(),
}
const restarts: number[] = []
const folder: Folder = temporaryFolder()
const path = folder.file('o.db')
const dice = new Dice(SEED)
let server: MortalServer
/** One project is pinged, the checks of the other are edited. */
let pinged: Side
let edited: Side
let pinger: Pinger
let editor: Editor
let silencer: Silencer
let evidence: { readonly pinged: Evidence; readonly edited: Evidence }
/** pings as the API lists them, by check; `n` and user agent */
let listed: ReadonlyMap<string, readonly string[]>
let killsInStart = 0
let killsInCheckpoint = 0
/** how it went from the last restart until nothing was owed */
let quiet = ''

beforeAll(
  async () => {
    server = mortalServer(`sqlite:${path}`)
    await server.start()
    await prepare()
    for (let kill = 1; kill <= KILLS && found().length === 0; kill += 1) {
      await workUntilKilled()
      if (dice.upTo(ROUNDS_PER_KILL_IN_START - 1) === 0) await killInStart()
      restarts.push(await server.start())
      judge({ isOver: false })
      if (kill % KILLS_PER_LOOK === 0) note(findings.file, unsoundness(path))
    }
    await untilQuiet()
    judge({ isOver: true })
    listed = await listPings()
    await server.stop()
    note(findings.file, unsoundness(path))
    report()
  },
  byEffort(280_000, 3_600_000),
)

afterAll(async () => {
  await server.stop()
  const receivers = [pinged, edited].flatMap((side) => [...(side?.receivers.values() ?? [])])
  for (const receiver of receivers) await receiver.stop()
  folder.remove()
})

test('every acknowledged ping is in the log of its check, once and as it was sent, and in its place', () => {
  expect([...findings.pings]).toEqual([])
  expect(acknowledgedPings()).toBeGreaterThan(KILLS * 20)
})

test('the API lists what is in the log', () => {
  const inFile = Map.groupBy(evidence.pinged.pings, ({ checkId }) => checkId)
  for (const { id } of evidence.pinged.checks) {
    expect(listed.get(id)).toEqual((inFile.get(id) ?? []).toReversed().map(({ n, agent }) => `${n} ${agent}`))
  }
})

test('every flip has one cause, and every cause its flip, in a chain without a gap', () => {
  expect([...findings.flips]).toEqual([])
  const reasons = new Set(evidence.pinged.flips.map(({ reason }) => reason))
  expect(reasons).toEqual(new Set(['', 'fail', 'timeout']))
})

test('every flip that is news has reached each channel, under one id however often it was sent', () => {
  expect([...findings.alerts]).toEqual([])
  expect(evidence.pinged.deliveries.length).toBeGreaterThan(KILLS)
})

test('every acknowledged write to the API is there, and of one under way all or nothing', () => {
  expect([...findings.edits]).toEqual([])
  expect(editor.acknowledged()).toBeGreaterThan(KILLS * 5)
  expect(editor.deleted.size).toBeGreaterThan(0)
})

test('the file is sound', () => {
  expect([...findings.file]).toEqual([])
})

test('a server that was killed answers again, as a rule within a second and always soon', () => {
  expect(restarts).toHaveLength(KILLS)
  expect(median(restarts)).toBeLessThan(1_000)
  expect(Math.max(...restarts)).toBeLessThan(5_000)
})

async function prepare(): Promise<void> {
  pinged = await createSide('Pinged')
  edited = await createSide('Edited')
  for (let index = 0; index < SILENT_CHECKS; index += 1) {
    const wish = { name: `silent-${index + 1}`, channels: '*', ...SILENT_CHECK }
    await api('checks/', { method: 'POST', body: JSON.stringify(wish) })
  }
  pinger = createPinger(server.baseUrl, pinged.pingKey)
  editor = createEditor(server.baseUrl, edited.apiKey, [...edited.receivers.keys()].toSorted())
  silencer = createSilencer(path)
  look()
}

async function createSide(name: string): Promise<Side> {
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
    const settings = JSON.stringify({ ...webhook(receiver.url, receiver.url), secret: SECRET })
    const words = ['--project', id, '--kind', 'webhook', '--settings', settings]
    receivers.set((await overdue<{ id: string }>(url, 'channel', 'create', ...words)).id, receiver)
  }
  return { projectId: id, apiKey: keys.api_key, pingKey: keys.ping_key, receivers }
}

/** @throws when anybody got an answer that is neither an acknowledgement nor a broken connection */
async function workUntilKilled(): Promise<void> {
  let isOver = false
  const silent = evidence.pinged.checks.filter(({ name }) => name.startsWith('silent-'))
  const work = Promise.all([
    pinger.fire(new Dice(dice.upTo(2 ** 31)), () => isOver),
    editor.fire(new Dice(dice.upTo(2 ** 31)), () => isOver),
    ...silencer.silence(silent, evidence.pinged, dice).map(pinger.succeed),
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

/** Chance has chosen it; in every other round also the moment in which SQLite begins to empty its log into the file. */
async function momentToKill(): Promise<void> {
  const writtenAt = () => statSync(path).mtimeMs
  const [isWatching, before] = [dice.upTo(1) === 0, writtenAt()]
  for (const end = performance.now() + dice.upTo(LONGEST_ROUND_MS); performance.now() < end; await Bun.sleep(1)) {
    if (!isWatching || writtenAt() === before) continue
    killsInCheckpoint += 1
    return
  }
}

async function killInStart(): Promise<void> {
  const starting = server.start().catch(() => null)
  await Bun.sleep(dice.upTo(LONGEST_START_MS))
  await server.kill()
  await starting
  killsInStart += 1
}

function look(): void {
  evidence = { pinged: readEvidence(path, pinged.projectId), edited: readEvidence(path, edited.projectId) }
}

/** @param isOver whether all that is owed must have been done by now */
function judge({ isOver }: { readonly isOver: boolean }): void {
  look()
  const { pings, flips, alerts, edits } = findings
  note(pings, wrongPings(pinger.sent, evidence.pinged))
  note(pings, wrongOrder(pinger.sent, evidence.pinged))
  pinger.learn(evidence.pinged.checks)
  note(flips, brokenChains(evidence.pinged))
  note(flips, brokenChains(evidence.edited))
  note(flips, wrongFlips(silencer.deadlines, evidence.pinged, isOver))
  note(edits, wrongEdits(editor.expected, editor.deleted, evidence.edited))
  editor.learn(evidence.edited)
  note(alerts, wrongDeliveries(evidence.pinged))
  note(alerts, wrongArrivals(arrivalsAt(pinged), evidence.pinged, { isOver }))
  const mostUnknown = editor.deliveriesDeleted()
  note(alerts, wrongArrivals(arrivalsAt(edited), evidence.edited, { isOver, mostUnknown }))
}

function note(promise: Set<string>, sentences: readonly string[]): void {
  for (const sentence of sentences.slice(0, MOST_FINDINGS)) promise.add(`after kill ${restarts.length}: ${sentence}`)
}

function found(): string[] {
  return Object.values(findings).flatMap((promise) => [...promise])
}

function arrivalsAt({ receivers }: Side): Arrivals {
  return new Map(Array.from(receivers, ([channelId, { arrivals }]) => [channelId, arrivals.map(({ id }) => id)]))
}

/** Until everything owed is done, or nothing more happens: the findings say then what is still owed. */
async function untilQuiet(): Promise<void> {
  const began = performance.now()
  let left = readLeft(path, silencer.deadlines.length)
  const atFirst = left
  for (let movedAt = began; left > 0 && performance.now() - movedAt < STUCK_AFTER_MS; await Bun.sleep(100)) {
    const now = readLeft(path, silencer.deadlines.length)
    if (now !== left) movedAt = performance.now()
    left = now
  }
  quiet = `${atFirst} owed after the last kill, ${left} of them ${((performance.now() - began) / 1_000).toFixed(1)} s later`
}

async function listPings(): Promise<ReadonlyMap<string, readonly string[]>> {
  const logs = new Map<string, readonly string[]>()
  for (const { id } of evidence.pinged.checks) {
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
  return pinger.sent.filter(({ answeredAt }) => answeredAt !== null).length
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

function report(): void {
  const all = [pinged, edited].flatMap((side) => [...arrivalsAt(side).values()])
  const repeats = all.reduce((sum, ids) => sum + ids.length - new Set(ids).size, 0)
  const flips = [...evidence.pinged.flips, ...evidence.edited.flips]
  const deliveries = [...evidence.pinged.deliveries, ...evidence.edited.deliveries]
  // biome-ignore lint/suspicious/noConsole: what was measured is to be read
  console.info(
    [
      `kills, SEED=${SEED}: ${restarts.length} under load, ${killsInCheckpoint} of them in a checkpoint, and ${killsInStart} while starting`,
      `${acknowledgedPings()} of ${pinger.sent.length} pings acknowledged, ${evidence.pinged.pings.length} in the log`,
      `${editor.acknowledged()} writes to the API acknowledged, ${editor.deleted.size} of them deletions`,
      `${flips.length} flips, ${flips.filter(({ reason }) => reason === 'timeout').length} of them by silence`,
      `${deliveries.length} deliveries, ${repeats} repeated under their id`,
      quiet,
      `restart to first answer: median ${median(restarts).toFixed(0)} ms, highest ${Math.max(...restarts).toFixed(0)} ms`,
    ].join('; '),
  )
}
