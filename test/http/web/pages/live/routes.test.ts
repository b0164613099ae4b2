/** Streams of open pages, from a commit to the bytes that a browser gets. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { operatorIn } from '../../../../../src/domain/actor.ts'
import type { Check } from '../../../../../src/domain/check/check.ts'
import { endSession, listSessions, personOf } from '../../../../../src/services/accounts/sign-in/sessions.ts'
import { createChannel } from '../../../../../src/services/channels/channels.ts'
import { deleteCheck, upsertCheck } from '../../../../../src/services/checks/checks.ts'
import { createProject } from '../../../../../src/services/projects/projects.ts'
import { courierFixture } from '../../../../services/courier/courier-fixture.ts'
import { giveAdvice, UNTOLD } from '../../../../support/advice.ts'
import { administrator, memberWith, setRole } from '../../../../support/browser.ts'
import { handClock, stopwatchOf } from '../../../../support/clock.ts'
import { openStream } from '../../../../support/live-stream.ts'
import { standing } from '../../../../support/standing.ts'
import { anAuthor, webhook } from '../../../../support/store-builders.ts'
import { answered, type TestApp, testApp } from '../../../../support/test-app.ts'

const CHECKS = '/p/tests/live?view=checks'

let t: TestApp
let member: Awaited<ReturnType<typeof memberWith>>
beforeEach(async () => {
  const clock = handClock()
  // A reread of checks is followed by a pause as long as it took, so a slow machine would send updates later.
  t = await testApp({ clock, stopwatch: stopwatchOf(clock) })
  member = await memberWith(t, 'member')
})
afterEach(() => t.close())

const add = async (name: string, spec: Readonly<Record<string, unknown>> = {}) => {
  const { check } = await upsertCheck(t.app.deps, t.actor, { name, ...spec }, false)
  return check
}
const ping = (check: Check, action = '') => t.call('GET', `/ping/${check.id}${action}`)
const rowOf = ({ publicId }: Check) => `hx-target="#c${publicId}"`
const named = (events: readonly { readonly event: string; readonly data: string }[], name: string) =>
  events.filter(({ event }) => event === name).map(({ data }) => data)

describe('the list of checks', () => {
  test('gets the row of a check that is pinged, and no other, with the counts', async () => {
    await createChannel(t.app.deps, t.actor, { kind: 'webhook', name: 'Ops', settings: webhook() })
    const [check, other] = [await add('Backup', { channels: '*' }), await add('Sync')]
    const stream = await openStream(t, member, CHECKS)
    await stream.take()
    await ping(check)
    t.clock.advance({ seconds: 5 })
    const events = await stream.take()
    const [row = ''] = named(events, 'message')
    expect(row).toContain('12:00:05 UTC</time>.</p></hx-partial>')
    expect(row).toContain(`<hx-partial ${rowOf(check)} hx-swap="outerMorph"><tr id=c${check.publicId} class=up>`)
    expect(row).not.toContain(rowOf(other))
    expect(row).toContain('<hx-partial hx-target="#n-up" hx-swap="innerMorph">1</hx-partial>')
    expect(row).toContain('<hx-partial hx-target="#sentence" hx-swap="innerMorph">1 as expected, 1 not pinged yet.')
  })

  test('gets the last 24 hours of a check that is pinged, and the hours above them when a quarter hour is over', async () => {
    const [check, other] = [await add('Backup'), await add('Sync')]
    const stream = await openStream(t, member, `${CHECKS}-24h`)
    await stream.take()
    await ping(check)
    t.clock.advance({ seconds: 5 })
    const pinged = named(await stream.take(), 'message').join()
    expect(pinged).toMatch(/<td data-q=\d+ data-r=\.{92}r>/)
    expect(pinged).not.toContain(rowOf(other))
    t.clock.advance({ seconds: 10 })
    expect(named(await stream.take(), 'message').join()).toContain('<hx-partial hx-target="#hours"')
    t.clock.advance({ minutes: 5 })
    expect(named(await stream.take(), 'message').join()).not.toContain('#hours')
    t.clock.advance({ minutes: 10 })
    const turned = named(await stream.take(), 'message').join()
    expect(turned).toContain('<hx-partial hx-target="#hours" hx-swap="outerMorph"><th scope="col" id="hours"')
    expect(turned).not.toContain('data-q=')
  })

  test('gets the row of a check whose advice has changed, with the counts', async () => {
    const [told, untold] = [await add('Told', { timeout: 604_800 }), await add('Untold', { timeout: 604_800 })]
    await ping(told)
    const stream = await openStream(t, member, CHECKS)
    await stream.take()
    await giveAdvice(t.app.deps, untold.id, UNTOLD)
    const [row = ''] = named(await stream.take(), 'message')
    expect(row).toContain(`<tr id=c${untold.publicId} class="new untold">`)
    expect(row).not.toContain(rowOf(told))
    expect(row).toContain('1 alerts no one. 1 as expected.')
    expect(row).toContain('<hx-partial hx-target="#n-groups" hx-swap="innerMorph">1 0 1 0 0</hx-partial>')
    await giveAdvice(t.app.deps, untold.id)
    const [gone = ''] = named(await stream.take(), 'message')
    expect(gone).toContain(`<tr id=c${untold.publicId} class=new>`)
    expect(gone).toContain('>1 as expected, 1 not pinged yet.<')
  })

  test('a reader of either right gets no id that pings', async () => {
    const check = await add('Backup')
    const reader = await memberWith(t, 'read-only')
    for (const browser of [member, reader]) {
      const stream = await openStream(t, browser, CHECKS)
      await ping(check)
      const text = JSON.stringify(await stream.take())
      expect(text).toContain(rowOf(check).replaceAll('"', '\\"'))
      expect(text).not.toContain(check.id)
    }
  })

  test('is told of checks that are new, and of those that are gone', async () => {
    const check = await add('Backup')
    const stream = await openStream(t, member, CHECKS)
    await stream.take()
    const fresh = await add('Sync')
    const [added = '[]'] = named(await stream.take(), 'added')
    expect(JSON.parse(added)).toEqual([
      { id: fresh.publicId, row: expect.stringContaining(`<tr id=c${fresh.publicId} class=new>`) },
    ])
    expect(added).not.toContain(fresh.id)
    await deleteCheck(t.app.deps, t.actor, check)
    expect(named(await stream.take(), 'removed')).toEqual([JSON.stringify([check.publicId])])
  })
})

describe('the page of a check', () => {
  const open = (check: Check, browser = member) =>
    openStream(t, browser, `/p/tests/live?view=check&check=${check.publicId}`)

  test('gets its parts first, and again when the check is pinged; a ping of another check is no news', async () => {
    const [check, other] = [await add('Backup'), await add('Sync')]
    const stream = await open(check)
    const [first = ''] = named(await stream.take(), 'message')
    for (const id of ['now', 'changed', 'chart', 'runs'])
      expect(first).toContain(`<hx-partial hx-target="#${id}" hx-swap="outerMorph">`)
    await ping(other)
    expect(named(await stream.take(), 'message')).toEqual([])
    await ping(check, '/fail')
    const [failed = ''] = named(await stream.take(), 'message')
    expect(failed).toContain('Failed')
    expect(failed).toContain('What changed in the output')
  })

  test('counts its pings', async () => {
    const check = await add('Backup')
    const stream = await open(check)
    await stream.take()
    for (const action of ['', '/start', '/fail']) await ping(check, action)
    expect(named(await stream.take(), 'message')[0]).toContain('<dt>Pings</dt><dd><span class="num">3</span></dd>')
  })

  test('says how long it is down, and what share that is, while nothing happens', async () => {
    const [check, other] = [await add('Backup'), await add('Sync')]
    for (const each of [check, other]) await ping(each)
    t.clock.advance({ seconds: 10 })
    await ping(check, '/fail')
    const streams = [await open(check), await open(other)]
    for (const stream of streams) await stream.take()
    t.clock.advance({ seconds: 30 })
    const [down, up] = await Promise.all(streams.map(async (stream) => named(await stream.take(), 'message')))
    expect(down?.[0]).toContain('>30 s</time>')
    expect(down?.[0]?.match(/25\.00 % up|down once, <span class="dur">30 s/g)).toHaveLength(4)
    expect(up).toEqual([])
  })

  test('hears of each further run that is due or missing', async () => {
    const check = await add('Backup', { timeout: 3_600, grace: 60 })
    await ping(check)
    t.clock.advance({ minutes: 90 })
    const stream = await open(check)
    await stream.take()
    t.clock.advance({ minutes: 32 })
    const [message = ''] = named(await stream.take(), 'message')
    expect(/hx-target="#runs".*?<\/table>/s.exec(message)?.[0].match(/Missing/g)).toHaveLength(2)
  })

  test('hears of a refused ping once the loop has counted it', async () => {
    const check = await add('Backup')
    const stream = await open(check)
    await stream.take()
    await t.call('GET', `/ping/${check.id}/-1`)
    await t.app.settle('refused')
    expect(named(await stream.take(), 'message')[0]).toContain('The exit status <bdi>-1</bdi> was refused')
  })

  test('has neither the ping URL nor buttons for who may only read', async () => {
    const check = await add('Backup')
    const text = async (role: 'member' | 'read-only') =>
      JSON.stringify(await (await open(check, await memberWith(t, role))).take())
    expect(await text('member')).toContain('<form')
    expect(await text('read-only')).not.toContain('<form')
    for (const role of ['member', 'read-only'] as const) expect(await text(role)).not.toContain(check.id)
  })

  test('has no button for who may only read, also while a member has the same page open', async () => {
    const check = await add('Backup')
    const streams = [await open(check), await open(check, await memberWith(t, 'read-only'))]
    for (const stream of streams) await stream.take()
    await ping(check, '/fail')
    const [own, read] = await Promise.all(streams.map(async (stream) => JSON.stringify(await stream.take())))
    expect([own?.includes('<form'), read?.includes('Failed'), read?.includes('<form')]).toEqual([true, true, false])
  })

  test('is loaded again when the check is deleted, and does not exist for a check of another project', async () => {
    const check = await add('Backup')
    const stream = await open(check)
    await stream.take()
    await deleteCheck(t.app.deps, t.actor, check)
    expect(named(await stream.take(), 'reload')).toEqual([''])
    expect((await member.get(`/p/tests/live?view=check&check=${check.publicId}`)).status).toBe(404)
  })
})

describe('the log', () => {
  test('counts what it keeps, and says what became of the alerts of the ping that is open', async () => {
    await createChannel(t.app.deps, t.actor, { kind: 'webhook', name: 'Ops', settings: webhook() })
    const check = await add('Backup', { channels: '*' })
    await ping(check, '/fail')
    const stream = await openStream(t, member, `/p/tests/live?view=log&check=${check.publicId}&opened=1`)
    const [before = ''] = named(await stream.take(), 'message')
    expect(before).toContain('<span id="log-kept">2 events in the log')
    expect(before).toContain('<span id="ping-alerts"><bdi>Ops</bdi>: waiting</span>')
    t.answerWith(answered(200))
    await t.app.settle('deliveries')
    t.clock.advance({ minutes: 1 })
    await ping(check)
    const [after = ''] = named(await stream.take(), 'message')
    expect(after).toContain('<span id="log-kept">4 events in the log')
    expect(after).toContain('<span id="ping-alerts"><bdi>Ops</bdi>: sent</span>')
  })
})

describe('what is wrong', () => {
  test('is sent first, and when a check of any project goes down or comes back', async () => {
    const { project } = await createProject(t.app.deps, 'Harbour')
    await setRole(t, member.account, 'read-only', project)
    const { check } = await upsertCheck(t.app.deps, operatorIn(project), { name: 'Backup' }, false)
    const stream = await openStream(t, member, '/live?view=wrong')
    expect(named(await stream.take(), 'message')[0]).toContain('<hx-partial hx-target="#wrong" hx-swap="outerMorph">')
    await ping(check, '/fail')
    const [down = ''] = named(await stream.take(), 'message')
    expect(down).toContain('1 check down')
    expect(down).not.toContain(check.id)
  })

  test('is sent when an alert is tried, tried again and arrives', async () => {
    await createChannel(t.app.deps, t.actor, {
      kind: 'webhook',
      name: 'Phone',
      settings: { url: 'https://hooks.example.org/x' },
    })
    const check = await add('Backup', { channels: '*' })
    await ping(check, '/fail')
    const wordsOf = (events: Parameters<typeof named>[0]) =>
      named(events, 'message')
        .join('')
        .replaceAll(/<[^>]+>/g, '')
    /** Returns the first update of an open page, and the one after the next try. A page gets an update every two seconds at most. */
    const triedWith = async (status: number) => {
      t.answerWith({ kind: 'answered', status, headers: new Headers(), body: '' })
      const stream = await openStream(t, member, '/live?view=wrong')
      const before = wordsOf(await stream.take())
      await t.app.settle('deliveries')
      const after = wordsOf(await stream.take())
      await stream.leave()
      return [before, after]
    }
    const [first = '', failed] = await triedWith(500)
    expect(first).toContain('Phone is being alerted.')
    expect(failed).toContain('Phone has not been reached since 12:00')
    t.clock.advance({ minutes: 2 })
    expect((await triedWith(200))[1]).toContain('Alerted: Phone 12:02.')
  })
})

describe('a stream that was cut', () => {
  const cut = async () => {
    const stream = await openStream(t, member, CHECKS)
    await ping(await add('First'))
    const id = (await stream.take()).findLast((event) => event.id !== null)?.id ?? ''
    await stream.leave()
    return { 'last-event-id': id }
  }

  test('gets exactly what it has missed: pings, and what time has changed', async () => {
    const [pinged, late, idle] = [await add('Backup'), await add('Sync', { timeout: 60 }), await add('Idle')]
    await ping(late)
    const headers = await cut()
    await ping(pinged)
    t.clock.advance({ seconds: 61 })
    const events = await (await openStream(t, member, CHECKS, headers)).take()
    const rows = named(events, 'message').join('')
    expect([pinged, late, idle].map((check) => rows.includes(rowOf(check)))).toEqual([true, true, false])
    expect(named(events, 'reload')).toEqual([])
  })

  test.each([
    ['of another run of the program', 'aaaaaaaa~0.0.1~0~1772625600000'],
    ['that is none', 'x'],
  ])('is told to load the page again for a position %s', async (_, id) => {
    const stream = await openStream(t, member, CHECKS, { 'last-event-id': id })
    expect(named(await stream.take(), 'reload')).toEqual([''])
  })

  test('is told that a check was deleted meanwhile', async () => {
    const check = await add('Backup')
    const headers = await cut()
    await deleteCheck(t.app.deps, t.actor, check)
    const events = await (await openStream(t, member, CHECKS, headers)).take()
    expect(named(events, 'removed')).toEqual([JSON.stringify([check.publicId])])
    expect(named(events, 'reload')).toEqual([])
  })

  test('misses nothing between the page and the stream', async () => {
    const check = await add('Backup')
    const since = await standing(t)
    await ping(check)
    const stream = await openStream(t, member, `${CHECKS}&since=${encodeURIComponent(since)}`)
    expect(named(await stream.take(), 'message')[0]).toContain(rowOf(check))
  })
})

describe('the number of checks that are down', () => {
  test('is told first, and when it changes, for all projects of the reader', async () => {
    const check = await add('Backup')
    const stream = await openStream(t, member, '/live?view=counts')
    expect(named(await stream.take(), 'down')).toEqual(['{"all":0,"projects":{"tests":0}}'])
    await ping(check, '/fail')
    expect(named(await stream.take(), 'down')).toEqual(['{"all":1,"projects":{"tests":1}}'])
    await ping(check)
    expect(named(await stream.take(), 'down')).toEqual(['{"all":0,"projects":{"tests":0}}'])
    await ping(check)
    expect(await stream.take()).toEqual([])
  })
})

describe('the number of alerts that wait or failed', () => {
  test('is told first, and when an alert is triggered or has arrived, of the project of the page', async () => {
    const d = courierFixture(t)
    const check = await d.addCheck((await d.addChannel()).id)
    const stream = await openStream(t, member, '/p/tests/live?view=counts')
    expect(named(await stream.take(), 'undelivered')).toEqual(['{"tests":"0"}'])
    await d.ping(check, '/fail')
    expect(named(await stream.take(), 'undelivered')).toEqual(['{"tests":"1"}'])
    t.answerWith(answered(200))
    await d.deliver()
    expect(named(await stream.take(), 'undelivered')).toEqual(['{"tests":"0"}'])
  })

  test('is told on a page of no project only if the reader has just one', async () => {
    const undeliveredOf = async () =>
      named(await (await openStream(t, member, '/live?view=counts')).take(), 'undelivered')
    expect(await undeliveredOf()).toEqual(['{"tests":"0"}'])
    const { project } = await createProject(t.app.deps, 'Harbour')
    await setRole(t, member.account, 'read-only', project)
    expect(await undeliveredOf()).toEqual([])
  })
})

describe('a stream ends', () => {
  test('with the first message two seconds after its reader has signed out, or lost the role', async () => {
    const check = await add('Backup')
    const other = await memberWith(t, 'member')
    const { deps } = t.app
    const streams = await Promise.all([
      openStream(t, member, CHECKS),
      openStream(t, other, CHECKS),
      openStream(t, other, '/live?view=counts'),
    ])
    const person = personOf(member.account, null)
    for (const { lookup } of await listSessions(deps, person)) await endSession(deps, person, lookup)
    await deps.store.by(anAuthor()).team.removeMember(other.account.id, t.project.id, () => {})
    await Promise.all(streams.map((stream) => stream.take()))
    t.clock.advance({ seconds: 2 })
    await ping(check, '/fail')
    await Promise.all(streams.map((stream) => stream.take()))
    await Promise.all(streams.map(({ ended }) => ended))
  })

  test.each([
    ['read-only', 'member'],
    ['member', 'read-only'],
  ] as const)('when its reader becomes %s, before anything more is shown to a %s', async (role, before) => {
    const check = await add('Backup')
    const reader = await memberWith(t, before)
    const paths = [CHECKS, `/p/tests/live?view=check&check=${check.publicId}`, '/live?view=wrong']
    const streams = await Promise.all(paths.map((path) => openStream(t, reader, path)))
    await Promise.all(streams.map((stream) => stream.take()))
    await setRole(t, reader.account, role)
    t.clock.advance({ seconds: 2 })
    await ping(check, '/fail')
    const events = await Promise.all(streams.map((stream) => stream.take()))
    expect(events.flat()).toEqual([])
    await Promise.all(streams.map(({ ended }) => ended))
  })

  test('when its reader is no administrator any more, also with the same roles', async () => {
    const check = await add('Backup')
    const reader = await administrator(t)
    await setRole(t, reader.account, 'owner')
    const stream = await openStream(t, reader, '/live?view=wrong')
    await stream.take()
    await t.app.deps.store
      .by(anAuthor())
      .accounts.change(reader.account.id, (account) => ({ ...account, isAdministrator: false }), null)
    t.clock.advance({ seconds: 10 })
    await ping(check, '/fail')
    expect(await stream.take()).toEqual([])
    await stream.ended
  })

  test('when the server stops', async () => {
    const stream = await openStream(t, member, CHECKS)
    t.app.deps.live.close()
    await stream.ended
    await (await openStream(t, member, CHECKS)).ended
  })
})

describe('a page that was made for other rights', () => {
  const streamOf = async (path: string) => {
    const { text } = await member.get(path)
    return (/hx-sse:connect="([^"]+)"/.exec(text)?.[1] ?? '').replaceAll('&amp;', '&')
  }

  test.each([
    ['/p/tests/checks', 'rights'],
    ['/p/tests/team', 'rights'],
    ['/account', undefined],
  ])('%s is loaded again only if it depends on the role, once its reader has another one', async (path, told) => {
    const stream = await streamOf(path)
    expect(named(await (await openStream(t, member, stream)).take(), 'reload')).toEqual([])
    await setRole(t, member.account, 'read-only')
    const [reload] = named(await (await openStream(t, member, stream)).take(), 'reload')
    expect(reload).toBe(told as string)
    expect(named(await (await openStream(t, member, await streamOf(path))).take(), 'reload')).toEqual([])
  })

  test('is loaded again on every page when its reader becomes an administrator', async () => {
    const stream = await streamOf('/account')
    await t.app.deps.store
      .by(anAuthor())
      .accounts.change(member.account.id, (account) => ({ ...account, isAdministrator: true }), null)
    expect(named(await (await openStream(t, member, stream)).take(), 'reload')).toEqual(['rights'])
  })

  test('is not when it answers a form or shows a secret once, since nothing would show that again', async () => {
    const refused = await member.post('/account', { tz: 'Mars' })
    expect(refused.text).toContain('hx-sse:connect="/live?view=counts"')
    const { headers } = await member.post('/p/tests/settings/keys', { 'key-name': 'Deploys', 'key-kind': 'read-only' })
    const cookie = headers.get('set-cookie')?.split(';')[0] ?? ''
    const { text } = await member.get('/p/tests/settings/keys/created', {
      cookie: `overdue_session=${member.token()}; ${cookie}`,
    })
    expect(text).toContain('Copy the key now')
    expect(text).toContain('hx-sse:connect="/p/tests/live?view=counts"')
  })
})

test('a view that does not exist is not found', async () => {
  await setRole(t, member.account, 'owner')
  for (const path of ['/p/tests/live', '/p/tests/live?view=x', '/live']) {
    expect((await member.get(path)).status).toBe(404)
  }
})
