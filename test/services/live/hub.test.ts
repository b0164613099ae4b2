/** Updates for readers of live pages, with the clock set by hand. */

import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { operatorIn } from '../../../src/domain/actor.ts'
import type { Check } from '../../../src/domain/check/check.ts'
import {
  deleteCheck,
  pauseCheck,
  transferCheck,
  updateCheck,
  upsertCheck,
} from '../../../src/services/checks/checks.ts'
import type { LiveUpdate, ProjectUpdate, Subscription, Wanted } from '../../../src/services/common/ports/live.ts'
import { Hub } from '../../../src/services/live/hub.ts'
import { createProject } from '../../../src/services/projects/projects.ts'
import { replaced } from '../../support/replaced-methods.ts'
import { changeRows } from '../../support/rows.ts'
import { standing } from '../../support/standing.ts'
import { aChannel, anAuthor, rejection } from '../../support/store-builders.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

const hub = () => t.app.deps.live
const add = async (name: string, spec: Readonly<Record<string, unknown>> = {}) => {
  const { check } = await upsertCheck(t.app.deps, t.actor, { name, ...spec }, false)
  return check
}
const ping = (check: Check, action = '') => t.call('GET', `/ping/${check.id}${action}`)

interface Reader {
  readonly subscription: Subscription
  /** Returns the updates since the last call, after the hub has sent everything. */
  readonly take: () => Promise<LiveUpdate[]>
}

async function read(over: Partial<Wanted> = {}): Promise<Reader> {
  const all = {
    accountId: 'somebody',
    projectIds: [t.project.id],
    numbersOf: [],
    menusOf: [],
    since: null,
    wants: () => true,
  }
  const wanted = { ...all, ...over }
  const subscription = await hub().watch(wanted)
  const came: LiveUpdate[] = []
  const reading = async () => {
    for (let next = await subscription.next(); next; next = await subscription.next()) came.push(next)
  }
  void reading()
  const take = async () => {
    await hub().tick()
    await Bun.sleep(0)
    return came.splice(0)
  }
  return { subscription, take }
}

const only = (updates: readonly LiveUpdate[]): ProjectUpdate => {
  const [update, ...more] = updates
  if (update?.kind !== 'project' || more.length > 0) throw new Error(`expected one update, not ${updates.length}`)
  return update
}
const statesIn = ({ checks }: ProjectUpdate) => checks.map(({ check, was, state }) => [check.name, was, state])

describe('an update', () => {
  test('has the checks that were pinged, with the state before and after', async () => {
    const [backup] = [await add('Backup'), await add('Sync')]
    const { take } = await read()
    expect(await take()).toEqual([])
    await ping(backup)
    expect(statesIn(only(await take()))).toEqual([['Backup', 'new', 'up']])
    await ping(backup, '/start')
    expect(statesIn(only(await take()))).toEqual([['Backup', 'up', 'started']])
    await ping(backup, '/fail')
    const update = only(await take())
    expect(statesIn(update)).toEqual([['Backup', 'started', 'down']])
    expect(update.counts?.states).toEqual({ new: 1, up: 0, started: 0, late: 0, down: 1, paused: 0 })
    expect(update.checks[0]?.check.nPings).toBe(3)
  })

  test('has each check once, as it is in the end, with the state that was told before', async () => {
    const check = await add('Backup')
    const { take } = await read()
    for (const action of ['', '/fail', '']) await ping(check, action)
    const states = (await take()).flatMap((update) => (update.kind === 'project' ? statesIn(update) : []))
    expect(states.at(0)?.[1]).toBe('new')
    expect(states.at(-1)?.[2]).toBe('up')
  })

  test('has no counts when they are as before', async () => {
    const check = await add('Backup')
    await ping(check)
    const { take } = await read()
    await ping(check)
    expect(only(await take()).counts).toBeNull()
  })

  test.each([
    ['edited', (check: Check) => updateCheck(t.app.deps, t.actor, check, { name: 'Renamed' }, false), 'Renamed', 'new'],
    ['paused', (check: Check) => pauseCheck(t.app.deps, t.actor, check), 'Backup', 'paused'],
  ])('has a check that was %s', async (_, change, name, state) => {
    const check = await add('Backup')
    const { take } = await read()
    await change(check)
    expect(statesIn(only(await take()))).toEqual([[name, 'new', state]])
  })

  test('has a new check without a state before', async () => {
    const { take } = await read()
    await add('Backup')
    expect(statesIn(only(await take()))).toEqual([['Backup', null, 'new']])
  })

  test('names checks that are gone by their public ids', async () => {
    const check = await add('Backup')
    const { take } = await read()
    await deleteCheck(t.app.deps, t.actor, check)
    const update = only(await take())
    expect(update.removed).toEqual([check.publicId])
    expect(update.counts?.states.new).toBe(0)
  })

  test('is made once for all readers, and so is what they make of it', async () => {
    const check = await add('Backup')
    const readers = [await read(), await read()]
    await ping(check)
    const updates = await Promise.all(readers.map(({ take }) => take()))
    const [one, other] = updates.map(only)
    expect(one).toBe(other)
    let made = 0
    const make = () => {
      made += 1
      return made
    }
    expect([one?.once('a', make), other?.once('a', make), other?.once('b', make)]).toEqual([1, 1, 2])
  })
})

describe('time', () => {
  test('makes a check late at the expected time and down at the deadline, and a commit of the loop says nothing new', async () => {
    const check = await add('Backup', { timeout: 3_600, grace: 600 })
    await ping(check)
    const { take } = await read()
    t.clock.advance({ seconds: 3_599 })
    expect(await take()).toEqual([])
    t.clock.advance({ seconds: 1 })
    expect(statesIn(only(await take()))).toEqual([['Backup', 'up', 'late']])
    t.clock.advance({ seconds: 600 })
    expect(statesIn(only(await take()))).toEqual([['Backup', 'late', 'down']])
    await t.app.settle('overdue')
    expect(statesIn(only(await take()))).toEqual([['Backup', 'down', 'down']])
  })

  test('makes no check late that was pinged in time, however often', async () => {
    const check = await add('Backup', { timeout: 60, grace: 60 })
    const { take } = await read()
    for (let minute = 0; minute < 5; minute += 1) {
      await ping(check)
      await take()
      t.clock.advance({ seconds: 59 })
      expect(await take()).toEqual([])
    }
    t.clock.advance({ seconds: 1 })
    expect(statesIn(only(await take()))).toEqual([['Backup', 'up', 'late']])
  })

  test('makes a run slow, and tells who counts such runs', async () => {
    const check = await add('Backup', { timeout: 3_600, grace: 3_600 })
    for (let count = 0; count < 5; count += 1) {
      await ping(check, '/start')
      t.clock.advance({ seconds: 100 })
      await ping(check)
    }
    await ping(check, '/start')
    const { take } = await read()
    t.clock.advance({ seconds: 125 })
    expect(await take()).toEqual([])
    t.clock.advance({ seconds: 1 })
    const update = only(await take())
    expect(statesIn(update)).toEqual([['Backup', 'started', 'started']])
    expect(update).toMatchObject({ hasNewDoubts: true, counts: { slow: 1 } })
  })

  test('ends a run that takes too long', async () => {
    const check = await add('Backup', { grace: 60 })
    await ping(check, '/start')
    const { take } = await read()
    t.clock.advance({ seconds: 60 })
    expect(statesIn(only(await take()))).toEqual([['Backup', 'started', 'down']])
  })
})

describe('many changes at once', () => {
  const MANY = 60

  test('are sent over several updates, those of the state first, and only then may a reader stand there', async () => {
    const checks: Check[] = []
    for (let n = 0; n < MANY; n += 1) checks.push(await add(`Check ${n}`))
    const { take } = await read()
    await Promise.all(checks.map((check) => ping(check)))
    const updates: ProjectUpdate[] = []
    while (updates.flatMap(({ checks }) => checks).length < MANY) {
      for (const update of await take()) if (update.kind === 'project') updates.push(update)
    }
    expect(updates.every(({ checks }) => checks.length <= 50)).toBe(true)
    expect(updates.at(-1)?.position).not.toBeNull()
    expect(updates.some(({ position }) => position === null)).toBe(true)
    expect(new Set(updates.flatMap(({ checks }) => checks.map(({ check }) => check.id))).size).toBe(MANY)
  })

  test('that go on are not sent but counted, and readers are told that rows are missing; later they come', async () => {
    const checks: Check[] = []
    for (let n = 0; n < MANY; n += 1) checks.push(await add(`Check ${n}`))
    await Promise.all(checks.map((check) => ping(check)))
    const { take } = await read()
    const told: ProjectUpdate[] = []
    for (let round = 0; round < 12; round += 1) {
      await Promise.all(checks.map((check) => ping(check)))
      for (const update of await take()) if (update.kind === 'project') told.push(update)
    }
    expect(told.filter(({ hasTurned }) => hasTurned).map(({ isBehind }) => isBehind)).toEqual([true])
    for (let round = 0; round < 3; round += 1) {
      for (const update of await take()) if (update.kind === 'project') told.push(update)
    }
    expect(told.filter(({ hasTurned }) => hasTurned).map(({ isBehind }) => isBehind)).toEqual([true, false])
    expect(told.at(-1)?.position).not.toBeNull()
  })
})

describe('a reader', () => {
  test('leaves nothing behind that watches the store when it comes after the end', async () => {
    let watching = 0
    const { store } = t.app.deps
    const watchChanges: typeof store.changes.watch = (listener) => {
      watching += 1
      return store.changes.watch(listener)
    }
    const late = new Hub({ ...t.app.deps, store: replaced(store, { changes: { watch: watchChanges } }) })
    late.close()
    await late.watch({
      accountId: 'somebody',
      projectIds: [t.project.id],
      numbersOf: [t.project.id],
      menusOf: [],
      since: null,
      wants: () => true,
    })
    expect(watching).toBe(0)
  })

  test('has three hundred streams at most, and another one once one has ended', async () => {
    const streams: Subscription[] = []
    for (let count = 0; count < 300; count += 1) streams.push((await read()).subscription)
    const refusal = await rejection(read())
    expect(refusal).toMatchObject({ code: 'busy' })
    expect(await read({ accountId: 'another' })).toBeDefined()
    streams[0]?.close()
    expect(await read()).toBeDefined()
  })
})

describe('a reader who comes back', () => {
  const back = async (since: string) => (await read({ since })).take()

  test('gets the checks that have changed since, and those that time has made late', async () => {
    const [pinged, late] = [await add('Backup'), await add('Sync', { timeout: 60, grace: 60 }), await add('Idle')]
    await ping(late)
    const since = await standing(t)
    await ping(pinged)
    t.clock.advance({ seconds: 61 })
    const update = only(await back(since))
    expect(update.checks.map(({ check, state }) => [check.name, state])).toEqual([
      ['Backup', 'up'],
      ['Sync', 'late'],
    ])
    expect(update.counts).toMatchObject({ states: { up: 1, late: 1, new: 1 } })
    expect(await back(update.position ?? '')).toEqual([])
  })

  test('loads the page again after more than 200 changes, and from a position that is none', async () => {
    const checks: Check[] = []
    for (let n = 0; n <= 200; n += 1) checks.push(await add(`Check ${n}`))
    const since = await standing(t)
    await Promise.all(checks.slice(1).map((check) => ping(check)))
    expect(only(await back(since)).checks).toHaveLength(200)
    await Promise.all(checks.slice(0, 1).map((check) => ping(check)))
    expect((await back(since))[0]?.kind).toBe('unknown')
    for (const position of ['nonsense', `${since}0000`, since.replace(/[^~]*$/, '')])
      expect((await back(position))[0]?.kind).toBe('unknown')
  })
})

test('what another process has written is noticed and told', async () => {
  const own = await testApp({ isShared: true })
  try {
    const { deps } = own.app
    const { check } = await upsertCheck(deps, own.actor, { name: 'Backup' }, false)
    const subscription = await deps.live.watch({
      accountId: 'somebody',
      projectIds: [own.project.id],
      numbersOf: [],
      menusOf: [],
      since: null,
      wants: () => true,
    })
    await changeRows(own.databaseUrl, `UPDATE checks SET name = 'Renamed' WHERE id = $1`, [check.id])
    await deps.live.noticeOthers()
    await deps.live.tick()
    const update = await subscription.next()
    expect(update?.kind === 'project' && statesIn(update)).toEqual([['Renamed', 'new', 'new']])
  } finally {
    await own.close()
  }
})

test('a check that moves to another project leaves the readers of the one and comes to those of the other', async () => {
  const check = await add('Backup')
  const { project } = await createProject(t.app.deps, 'Other')
  const [from, to] = [await read(), await read({ projectIds: [project.id] })]
  await transferCheck(t.app.deps, t.actor, check, operatorIn(project))
  const [left, came] = [only(await from.take()), only(await to.take())]
  expect(left.removed).toEqual([check.publicId])
  expect(statesIn(came)).toEqual([['Backup', null, 'new']])
})

test('quiet hours of an integration that begin or end by the clock are news about alerts', async () => {
  const quietHours = { schedule: '0 13 * * *', tz: 'UTC', seconds: 3_600, upTo: 'down' } as const
  const channel = aChannel(t.project, { quietHours })
  const channels = () => t.app.deps.store.by(anAuthor({ at: t.clock.now() })).channels
  await channels().create(channel)
  const reader = await read()
  const newsAfter = async (minutes: number) => {
    t.clock.advance({ minutes })
    return (await reader.take()).map((update) => update.kind === 'project' && update.hasAlertNews)
  }
  expect([await newsAfter(59), await newsAfter(1), await newsAfter(0)]).toEqual([[], [true], []])
  await channels().change(channel.id, (it) => ({ channel: { ...it, quietHours: { ...quietHours, seconds: 1_800 } } }))
  expect([await newsAfter(1), await newsAfter(28), await newsAfter(1)]).toEqual([[true], [], [true]])
})
