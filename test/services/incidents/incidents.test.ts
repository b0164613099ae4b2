/** Actions of people on incidents, and the job that sends held alerts. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Actor } from '../../../src/domain/actor.ts'
import type { Check } from '../../../src/domain/check/check.ts'
import { createChannel } from '../../../src/services/channels/channels.ts'
import { pauseCheck, upsertCheck } from '../../../src/services/checks/checks.ts'
import {
  handBackIncident,
  noteIncident,
  openIncidentOf,
  takeIncident,
} from '../../../src/services/incidents/incidents.ts'
import { type IncidentFilter, listIncidents } from '../../../src/services/incidents/list.ts'
import { listUntold } from '../../../src/services/incidents/untold.ts'
import { getKeyActor } from '../../../src/services/projects/keys.ts'
import { createSilence, endSilence } from '../../../src/services/silences/silences.ts'
import { refusalOf, webhook } from '../../support/store-builders.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

let t: TestApp
let key: Actor
let job: Check
beforeEach(async () => {
  t = await testApp()
  key = await getKeyActor(t.app.deps, t.keys.apiKey, null)
  await createChannel(t.app.deps, t.actor, { kind: 'webhook', name: 'Ops', settings: webhook() })
  job = await addCheck('Backup', 'prod db')
})
afterEach(() => t.close())

async function addCheck(name: string, tags = ''): Promise<Check> {
  const { check } = await upsertCheck(t.app.deps, t.actor, { name, tags, channels: '*' }, false)
  await t.call('GET', `/ping/${check.id}`)
  return check
}

const ping = (check: Check, tail = '') => t.call('GET', `/ping/${check.id}${tail}`)
const TAKING = { note: '', until: null, takesOver: false }
const inAnHour = () => t.clock.now().add({ minutes: 60 })

/** Returns the total number of sent alerts. */
async function alerts(): Promise<number> {
  await t.app.settle('incidents')
  await t.app.settle('deliveries')
  return t.sent.length
}

/** Mutes the whole project for an hour. */
function silence() {
  const now = t.clock.now()
  const match = { checks: [], tags: [] }
  const window = { startsAt: now, endsAt: inAnHour(), untilHealthy: false, window: null }
  return createSilence(t.app.deps, t.actor, { ...window, match, upTo: 'down', reason: 'upgrade' })
}

async function list(filter: Partial<IncidentFilter> = {}): Promise<string[]> {
  const whole = { isOpen: null, checkId: null, tag: null, ...filter }
  const found = (await Array.fromAsync(listIncidents(t.app.deps, t.actor, whole))).flat()
  return found.map(({ check, incident }) => `${check.name} ${incident.n}${incident.resolvedAt === null ? ' open' : ''}`)
}

const kinds = async (n: number) =>
  (await openIncidentOf(t.app.deps, t.actor, { check: job, n })).events.map(({ kind }) => kind)

describe('the list of incidents', () => {
  test('has the newest first, of all checks or of one, open or ended, by tag', async () => {
    const other = await addCheck('Report')
    await ping(job, '/fail')
    t.clock.advance({ minutes: 1 })
    await ping(other, '/fail')
    t.clock.advance({ minutes: 1 })
    await ping(job)
    t.clock.advance({ minutes: 1 })
    await ping(job, '/fail')
    expect(await list()).toEqual(['Backup 4 open', 'Report 2 open', 'Backup 2'])
    expect(await list({ isOpen: true })).toEqual(['Backup 4 open', 'Report 2 open'])
    expect(await list({ isOpen: false })).toEqual(['Backup 2'])
    expect(await list({ checkId: job.id })).toEqual(['Backup 4 open', 'Backup 2'])
    expect(await list({ checkId: job.id, isOpen: false })).toEqual(['Backup 2'])
    expect(await list({ tag: 'db' })).toEqual(['Backup 4 open', 'Backup 2'])
    expect(await list({ tag: '\0' })).toEqual([])
  })

  test('has long histories of several checks in one order, and asks the store for no other project', async () => {
    const other = await addCheck('Report')
    const expected: string[] = []
    for (let turn = 1; turn <= 45; turn += 1) {
      const check = turn % 3 === 0 ? other : job
      for (const tail of ['/fail', '']) {
        t.clock.advance({ seconds: 1 })
        await ping(check, tail)
      }
      const own = check === other ? turn / 3 : turn - Math.floor(turn / 3)
      expected.unshift(`${check.name} ${2 * own}`)
    }
    expect(await list()).toEqual(expected)
    const stranger = { ...t.actor, project: { ...t.actor.project, id: crypto.randomUUID() } }
    const all = { isOpen: null, checkId: null, tag: null }
    expect((await Array.fromAsync(listIncidents(t.app.deps, stranger, all))).flat()).toEqual([])
  })
})

describe('the incidents that nobody was told of', () => {
  const untold = async (filter: Partial<Parameters<typeof listUntold>[2]> = {}, limit = 10) => {
    const whole = { checkId: null, since: null, text: '', ...filter }
    return (await listUntold(t.app.deps, t.actor, whole, limit)).map(({ check }) => check.name)
  }

  test('are the newest of those that are wanted, of a check, since a time, by a part of its name', async () => {
    await silence()
    const other = await addCheck('Report')
    await ping(job, '/fail')
    t.clock.advance({ minutes: 1 })
    await ping(other, '/fail')
    expect(await untold()).toEqual(['Report', 'Backup'])
    expect(await untold({}, 1)).toEqual(['Report'])
    expect(await untold({ text: 'BACK' }, 1)).toEqual(['Backup'])
    expect(await untold({ checkId: job.id }, 1)).toEqual(['Backup'])
    expect(await untold({ since: t.clock.now() })).toEqual(['Report'])
    await ping(job)
    expect(await untold({ checkId: job.id })).toEqual([])
  })
})

describe('whoever takes an incident', () => {
  test('is on it until the check recovers, and a look changes nothing', async () => {
    await ping(job, '/fail')
    const { acknowledgement } = await takeIncident(t.app.deps, key, { check: job, n: 2 }, { ...TAKING, note: 'disk' })
    expect(acknowledgement).toMatchObject({ note: 'disk', by: { kind: 'key' }, until: null })
    t.clock.advance({ hours: 30 })
    expect(await alerts()).toBe(1)
    await ping(job)
    expect(await alerts()).toBe(2)
    expect(await kinds(2)).toEqual(['flip', 'acknowledged', 'flip'])
  })

  test('keeps it from being told when a silence ends, and handing it back tells it', async () => {
    await silence()
    await ping(job, '/fail')
    await takeIncident(t.app.deps, key, { check: job, n: 2 }, TAKING)
    t.clock.advance({ hours: 2 })
    expect(await alerts()).toBe(0)
    await handBackIncident(t.app.deps, t.actor, { check: job, n: 2 })
    expect(await alerts()).toBe(1)
  })

  test('for a time leaves it to the others then', async () => {
    await silence()
    await ping(job, '/fail')
    await takeIncident(t.app.deps, key, { check: job, n: 2 }, { ...TAKING, until: inAnHour() })
    t.clock.advance({ minutes: 59 })
    expect(await alerts()).toBe(0)
    t.clock.advance({ minutes: 1 })
    expect(await alerts()).toBe(1)
  })

  test('has to say so to take it from somebody else', async () => {
    await ping(job, '/fail')
    await takeIncident(t.app.deps, key, { check: job, n: 2 }, TAKING)
    const { code, message } = await refusalOf(takeIncident(t.app.deps, t.actor, { check: job, n: 2 }, TAKING))
    expect([code, message]).toEqual(['incident-taken', 'an API key is on it: the request must ask to take over'])
    const taken = await takeIncident(t.app.deps, t.actor, { check: job, n: 2 }, { ...TAKING, takesOver: true })
    expect(taken.acknowledgement?.by.kind).toBe('command')
  })

  test('cannot take one that has ended, was paused away, or never was', async () => {
    await ping(job, '/fail')
    await pauseCheck(t.app.deps, t.actor, job)
    const take = (n: number) => refusalOf(takeIncident(t.app.deps, t.actor, { check: job, n }, TAKING))
    expect([(await take(2)).code, (await take(2)).message]).toEqual(['incident-resolved', 'the incident has ended'])
    expect((await take(3)).code).toBe('not-found')
    expect((await take(Number.MAX_SAFE_INTEGER)).code).toBe('not-found')
  })

  test('hands back nothing that nobody has', async () => {
    await ping(job, '/fail')
    const { code, message } = await refusalOf(handBackIncident(t.app.deps, t.actor, { check: job, n: 2 }))
    expect([code, message]).toEqual(['incident-free', 'nobody is on it'])
  })
})

test('notes are kept in their order, also after the end', async () => {
  await ping(job, '/fail')
  await noteIncident(t.app.deps, key, { check: job, n: 2 }, 'The disk is full.')
  await ping(job)
  await noteIncident(t.app.deps, t.actor, { check: job, n: 2 }, 'It was the logs.')
  const { events } = await openIncidentOf(t.app.deps, t.actor, { check: job, n: 2 })
  expect(events.map((event) => (event.kind === 'note' ? event.text : event.kind))).toEqual([
    'flip',
    'The disk is full.',
    'flip',
    'It was the logs.',
  ])
})

test('who acts is in the audit log, with the note', async () => {
  await ping(job, '/fail')
  t.clock.advance({ minutes: 1 })
  await takeIncident(t.app.deps, key, { check: job, n: 2 }, { ...TAKING, note: 'disk' })
  t.clock.advance({ minutes: 1 })
  await noteIncident(t.app.deps, t.actor, { check: job, n: 2 }, 'done')
  const rows = await t.app.deps.store.audit.list(2)
  expect(rows.map(({ author, subject, after }) => [author.kind, subject.kind, subject.name, after])).toEqual([
    ['command', 'incident', 'Backup', { note: 'done' }],
    ['key', 'incident', 'Backup', expect.objectContaining({ note: 'disk' })],
  ])
})

describe('the job of incidents', () => {
  test('tells what is still true when a silence ends, at that instant, and says when it looks next', async () => {
    await silence()
    t.clock.advance({ minutes: 10 })
    await ping(job, '/fail')
    expect(await alerts()).toBe(0)
    expect(await t.app.deps.store.incidents.nextLookAt()).toEqual(t.clock.now().add({ minutes: 50 }))
    t.clock.advance({ minutes: 50 })
    expect(await alerts()).toBe(1)
    expect(await t.app.deps.store.incidents.nextLookAt()).toBeNull()
    t.clock.advance({ minutes: 30 })
    await ping(job)
    expect(await alerts()).toBe(2)
  })

  test('tells nobody of what has ended meanwhile', async () => {
    await silence()
    await ping(job, '/fail')
    await ping(job)
    t.clock.advance({ hours: 2 })
    expect(await alerts()).toBe(0)
    expect(await kinds(2)).toEqual(['flip', 'held', 'flip'])
  })

  test('tells it as soon as somebody ends the silence', async () => {
    const { id } = await silence()
    await ping(job, '/fail')
    await endSilence(t.app.deps, t.actor, id)
    expect(await alerts()).toBe(1)
  })
})
