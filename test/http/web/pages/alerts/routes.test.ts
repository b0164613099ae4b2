/** The alerts of a project: the list, one alert, and the actions of members. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Channel } from '../../../../../src/domain/channel/channel.ts'
import type { Project } from '../../../../../src/domain/project.ts'
import { rules } from '../../../../../src/services/common/rules.ts'
import { createSilence, endSilence } from '../../../../../src/services/silences/silences.ts'
import { type CourierFixture, courierFixture } from '../../../../services/courier/courier-fixture.ts'
import { memberWith } from '../../../../support/browser.ts'
import { openStream } from '../../../../support/live-stream.ts'
import { wordsOf } from '../../../../support/page-words.ts'
import { A_TRACE, anAuthor, only, TAKE_ALL } from '../../../../support/store-builders.ts'
import { answered, type TestApp, testApp } from '../../../../support/test-app.ts'

let t: TestApp
let d: CourierFixture
let member: Awaited<ReturnType<typeof memberWith>>
let project: Project
beforeEach(async () => {
  t = await testApp()
  d = courierFixture(t)
  project = t.project
  member = await memberWith(t, 'member')
})
afterEach(() => t.close())

const store = () => t.app.deps.store
const listPath = (search = '') => `/p/${project.slug}/alerts${search}`
const entries = (state: 'pending' | 'failed' | 'sent' | null = null) => store().deliveries.list(project.id, state, 100)
const newest = async () => only((await entries()).slice(0, 1))
const pathOf = ({ delivery, checkPublicId }: Awaited<ReturnType<typeof newest>>) =>
  listPath(`/${checkPublicId}-${delivery.eventN}-${delivery.channelId}`)
const rowsOf = (page: string) =>
  (/<ul class="card alert-rows"[\s\S]*?<\/ul>/.exec(page)?.[0] ?? '').split('</li>').slice(0, -1).map(wordsOf)

/** Creates an alert to which its receiver gave this answer. */
async function alert(name: string, answer = answered(200), over: Partial<Channel> = {}): Promise<string> {
  const channel = await d.addChannel(over)
  const check = await d.addCheck(channel.id, name)
  await d.ping(check, '/fail')
  t.answerWith(answer)
  await d.deliver()
  return check
}

describe('an alert in the quiet hours of its integration', () => {
  // The clock is at 12:00 UTC.
  const quietHours = { schedule: '11:00', tz: 'UTC', seconds: 14_400, upTo: 'down' } as const

  test('waits, says until when, and offers no retry', async () => {
    await alert('Waits', answered(503), { quietHours })
    expect((await entries('pending')).map(({ delivery }) => delivery.attempts)).toEqual([0])
    const { text } = await member.get(listPath())
    expect(rowsOf(text)[0]).toContain('held by quiet hours until 15:00')
    expect(text).not.toContain('>Retry<')
    const page = await member.get(pathOf(await newest()))
    expect(wordsOf(page.text)).toContain('until 15:00.')
    expect(page.text).not.toContain('Retry now')
  })

  test('is sent when they end', async () => {
    await alert('Waits', answered(200), { quietHours })
    t.clock.advance({ hours: 3 })
    await d.deliver()
    expect(rowsOf((await member.get(listPath())).text)[0]).not.toContain('quiet hours')
    expect((await entries('sent')).length).toBe(1)
  })

  test('says why it was not sent if its check had recovered by their end', async () => {
    const check = await alert('Brief', answered(200), { quietHours })
    await d.ping(check)
    t.clock.advance({ hours: 3 })
    await d.deliver()
    expect(rowsOf((await member.get(listPath())).text).join()).toContain('Cancelled by quiet hours')
  })
})

describe('the list', () => {
  test('says what will stand here before there was an alert', async () => {
    const words = wordsOf((await member.get(listPath())).text)
    expect(words).toContain('No alerts in the last 7 days')
    expect(words).toContain('When a check goes down or recovers')
  })

  test('has what is retried first, then what failed, then what was sent', async () => {
    await alert('Waits', answered(503))
    await alert('Arrived')
    await alert('Lost', answered(200), { disabledReason: null, awaitsConfirmation: true })
    const { text } = await member.get(listPath())
    expect(rowsOf(text).map((row) => /(Waits|Arrived|Lost)/.exec(row)?.[0])).toEqual(['Waits', 'Lost', 'Arrived'])
    expect(wordsOf(text)).toContain('1 waiting, 1 failed.')
    expect(rowsOf(text)[0]).toContain('Received status code 503')
  })

  test('says which alert told a service that somebody is on it', async () => {
    const checkId = await alert('Taken', answered(200), { kind: 'pd', settings: 'service-key' })
    const taking = { note: '', until: null, takesOver: false }
    t.clock.advance({ minutes: 1 })
    await store().by(anAuthor()).incidents.acknowledge({ checkId, n: 1 }, taking, rules(t.app.deps))
    await d.deliver()
    const rows = rowsOf((await member.get(listPath())).text)
    expect(rows.map((row) => /Taken (?:went down|has someone on it)/.exec(row)?.[0])).toEqual([
      'Taken has someone on it',
      'Taken went down',
    ])
    expect(wordsOf((await member.get(pathOf(await newest()))).text)).toContain('Taken has someone on it')
  })

  test('begins with what sent nothing, and says what holds that', async () => {
    await alert('Told')
    const channel = await d.addChannel({ name: 'Pager' })
    const [muted, taken] = [await d.addCheck(channel.id, 'Muted'), await d.addCheck(channel.id, 'Taken')]
    const { actor } = t
    const startsAt = t.clock.now()
    const times = { startsAt, endsAt: startsAt.add({ hours: 1 }), untilHealthy: false, window: null }
    const wanted = { ...times, match: { checks: [muted, taken], tags: [] }, upTo: 'down', reason: '<b>Move' } as const
    const silence = await createSilence(t.app.deps, actor, wanted)
    t.clock.advance({ seconds: 1 })
    for (const check of [muted, taken]) await d.ping(check, '/fail')
    const path = async () => (await store().checks.find(taken))?.check.publicId ?? ''
    await member.post(`/p/${t.project.slug}/alerts/${await path()}-1`, { action: 'take' })
    const rows = async (search = '') => rowsOf((await member.get(listPath(search))).text)
    const [first, second, third] = await rows()
    expect([first, second].toSorted()).toEqual([
      expect.stringContaining(
        'Muted went down Down for 0 s. Nobody is on it. not sent, muted until 13:00 by a command: ‘ &lt;b&gt;Move ’',
      ),
      expect.stringContaining(`Taken went down Down for 0 s. ${member.account.email} is on it. not sent, `),
    ])
    expect(third).toContain('Told went down')
    expect((await rows('?state=sent')).length).toBe(1)
    expect((await rows('?q=mut')).length).toBe(1)
    const reader = await memberWith(t, 'read-only')
    expect((await reader.get(listPath())).text).not.toContain(member.account.email)
    await endSilence(t.app.deps, actor, silence.id)
    await t.app.settle('incidents')
    expect((await rows()).filter((row) => row.includes('not sent'))).toHaveLength(1)
  })

  test('has a line for what happened, with each integration and what became of its alert', async () => {
    const [pager, inbox] = [await d.addChannel({ name: 'Pager' }), await d.addChannel({ name: 'Inbox' })]
    const check = await d.addCheck(`${pager.id},${inbox.id}`, 'Backup')
    await d.ping(check, '/fail')
    t.answerWith(answered(200))
    await d.deliver()
    t.clock.advance({ minutes: 1 })
    await d.ping(check)
    await d.deliver()
    const { text } = await member.get(listPath())
    const [up, down, ...others] = rowsOf(text)
    expect(others).toEqual([])
    expect(up).toContain('Backup recovered After 1 min. Sent: Pager Sent: Inbox')
    expect(down).toContain('Backup went down Was down for 1 min. Sent: Pager Sent: Inbox')
    const { checkPublicId } = await newest()
    expect(text.split(`href="${listPath(`/${checkPublicId}-1`)}">`)).toHaveLength(3)
  })

  test('has an event once, where its most urgent alert stands', async () => {
    const [pager, inbox] = [await d.addChannel({ name: 'Pager' }), await d.addChannel({ name: 'Inbox' })]
    const check = await d.addCheck(`${pager.id},${inbox.id}`, 'Backup')
    await d.ping(check, '/fail')
    t.answerWith(answered(200))
    await d.deliver()
    const [one] = await entries('sent')
    t.clock.advance({ minutes: 1 })
    await d.ping(await d.addCheck(inbox.id, 'Arrived'), '/fail')
    await d.deliver()
    t.clock.advance({ minutes: 1 })
    t.answerWith(answered(503))
    await d.ping(check)
    await d.deliver()
    const rows = rowsOf((await member.get(listPath())).text)
    expect(rows.map((row) => /(Backup|Arrived) [a-z ]+/.exec(row)?.[0].trim())).toEqual([
      'Backup recovered',
      'Arrived went down',
      'Backup went down',
    ])
    expect(one?.delivery.state).toBe('sent')
    expect(rowsOf((await member.get(listPath(`?channel=${pager.id}`))).text)).toHaveLength(2)
    expect(rowsOf((await member.get(listPath('?state=sent'))).text)).toHaveLength(2)
  })

  test('is filtered by state, text, check and integration', async () => {
    await alert('Waits', answered(503), { name: 'Pager' })
    await alert('Arrived', answered(200), { name: 'Inbox' })
    const [sent] = await entries('sent')
    const count = async (search: string) => rowsOf((await member.get(listPath(search))).text).length
    expect(await count('?state=sent')).toBe(1)
    expect(await count('?state=failed')).toBe(0)
    expect(await count('?q=PAGE')).toBe(1)
    expect(await count('?q=waits')).toBe(1)
    expect(await count('?q=nothing')).toBe(0)
    expect(await count(`?channel=${sent?.delivery.channelId}`)).toBe(1)
    expect(await count(`?check=${sent?.checkPublicId}`)).toBe(1)
    t.clock.advance({ hours: 25 })
    expect(await count('?since=day')).toBe(0)
    expect(await count('?since=week')).toBe(2)
  })

  test('has only alerts of checks that are still down, if it is asked for those', async () => {
    await alert('Still down')
    await alert('Recovered')
    const back = only((await entries()).filter(({ checkName }) => checkName === 'Recovered'))
    await d.ping(back.delivery.checkId)
    await d.deliver()
    expect(rowsOf((await member.get(listPath())).text)).toHaveLength(3)
    const { text } = await member.get(listPath('?open'))
    expect(rowsOf(text).map((row) => /Still down|Recovered/.exec(row)?.[0])).toEqual(['Still down'])
    expect(text).toMatch(/<a class="chip" href="[^"?]*" aria-current="true">Still open/)
  })

  test('goes on with older ones, without a gap and without repeating any', async () => {
    for (let channel = 0; channel < 3; channel++) await d.addChannel()
    for (let index = 0; index < 40; index++) await d.ping(await d.addCheck('*', `Job ${index}`), '/fail')
    const seen: string[] = []
    let search = '?state=retrying'
    for (let page = 0; page < 4 && search !== ''; page++) {
      const { text } = await member.get(listPath(search))
      seen.push(...Array.from(text.matchAll(/<li id="d-([^"]+)"/g), ([, event = '']) => event))
      search = /class="rest"><a[^>]*href="[^"]*(\?[^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    }
    expect(seen).toHaveLength(40)
    expect(new Set(seen).size).toBe(seen.length)
  })
})

describe('an alert', () => {
  test('shows its tries with the answers, and when it gives up', async () => {
    await alert('Backup', answered(429, { 'retry-after': '240' }, 'slow <b>down</b>'), { name: 'Ops' })
    const { text } = await member.get(pathOf(await newest()))
    expect(wordsOf(text)).toContain('429 Too Many Requests')
    expect(text).toContain('slow &lt;b&gt;down&lt;/b&gt;')
    expect(wordsOf(text)).toContain('Retried until')
    expect(text).toContain((await newest()).delivery.id)
  })

  test('shows the seconds of its tries only when the minute does not tell them apart', async () => {
    await alert('Backup', answered(503))
    const times = async () => {
      const { text } = await member.get(pathOf(await newest()))
      const card = text.slice(text.indexOf('<h2>Attempts</h2>'), text.indexOf('<h2>About this alert</h2>'))
      return Array.from(card.matchAll(/<time[^>]*>([^<]+)<\/time>/g), ([, words]) => words)
    }
    expect(await times()).toEqual(['at 12:00'])
    t.clock.advance({ seconds: 30 })
    await d.deliver()
    expect(await times()).toEqual(['at 12:00:30', 'at 12:00:00'])
  })

  test('leads to its integration only who may change that', async () => {
    await alert('Backup', answered(503), { name: 'Ops' })
    const [path, reader] = [pathOf(await newest()), await memberWith(t, 'read-only')]
    const link = `href="/p/${project.slug}/integrations/${(await newest()).delivery.channelId}"`
    expect((await member.get(path)).text).toContain(link)
    expect((await reader.get(path)).text).not.toContain(link)
  })

  test('hides the message id and what allows pings from who may only read', async () => {
    const check = await alert('Backup', answered(500, {}, 'echo'))
    t.answerWith(answered(500, {}, `you sent ${check}`))
    t.clock.advance({ minutes: 1 })
    await d.deliver()
    const reader = await memberWith(t, 'read-only')
    const { delivery } = await newest()
    for (const path of [listPath(), pathOf(await newest())]) {
      const { text, status } = await reader.get(path)
      expect(status).toBe(200)
      expect(text).not.toContain(check)
      expect(text).not.toContain(delivery.id)
      expect(text).not.toContain('Cancel this alert')
    }
    expect((await member.get(pathOf(await newest()))).text).toContain(check)
    expect((await reader.post(pathOf(await newest()), { action: 'retry' })).status).toBe(403)
  })

  test('that waits is sent at once under its id when somebody retries it, and the audit log has that', async () => {
    await alert('Backup', answered(429, { 'retry-after': '3600' }))
    const before = await newest()
    t.answerWith(answered(200))
    await d.deliver()
    expect(t.sent).toHaveLength(1)
    const { location } = await member.post(pathOf(before), { action: 'retry' })
    expect(location).toContain('done=alert-due')
    await d.deliver()
    expect(t.sent).toHaveLength(2)
    expect((await newest()).delivery).toMatchObject({ id: before.delivery.id, state: 'sent' })
    const audit = (await store().audit.list(20)).filter(({ subject }) => subject.kind === 'delivery')
    expect(audit).toMatchObject([
      {
        action: 'edit',
        author: { kind: 'person' },
        subject: { id: before.delivery.id, name: expect.stringContaining('Backup → ') },
        before: { next_attempt: expect.any(String) },
        after: { next_attempt: expect.any(String) },
      },
    ])
  })

  test('that is tried at this moment is neither tried twice nor cancelled, and its result counts', async () => {
    await alert('Backup', answered(503))
    const path = pathOf(await newest())
    t.clock.advance({ minutes: 1 })
    const now = t.clock.now()
    const [order] = await store().deliveries.claim(now, now.add({ seconds: 10 }), TAKE_ALL)
    expect((await member.post(path, { action: 'retry' })).location).toContain('done=alert-not-due')
    expect((await member.post(path, { action: 'cancel' })).location).toContain('done=alert-not-cancelled')
    if (order) await store().deliveries.record([order.delivery], { state: 'sent' }, A_TRACE, now)
    expect(await entries('sent')).toHaveLength(1)
  })

  test('that waits behind an earlier alert of its check is not said to be tried soon', async () => {
    const check = await alert('Backup', answered(503))
    await d.ping(check)
    const behind = only((await entries('pending')).filter(({ nextAttemptAt }) => nextAttemptAt === null))
    const { location } = await member.post(pathOf(behind), { action: 'retry' })
    expect(location).toContain('done=alert-behind')
    expect(wordsOf((await member.get(location ?? '')).text)).toContain(
      'An earlier alert of the same check must be sent first.',
    )
  })

  test('whose process was killed while it tried is cancelled once its lease has ended', async () => {
    await alert('Backup', answered(503))
    t.clock.advance({ minutes: 1 })
    const now = t.clock.now()
    await store().deliveries.claim(now, now.add({ seconds: 10 }), TAKE_ALL)
    t.clock.advance({ seconds: 11 })
    const { location } = await member.post(pathOf(await newest()), { action: 'cancel' })
    expect(location).toContain('done=alert-cancelled')
  })

  test('that failed is retried, but not before a later alert that waits', async () => {
    const check = await alert('Backup', answered(200), { awaitsConfirmation: true })
    const failed = only(await entries('failed'))
    await d.ping(check)
    const refused = await member.post(pathOf(failed), { action: 'retry' })
    expect(refused.location).toContain('done=alert-superseded')
    await d.deliver()
    const { location } = await member.post(pathOf(failed), { action: 'retry' })
    expect(location).toContain('done=alert-due')
    expect((await entries('pending')).map(({ delivery }) => delivery.id)).toEqual([failed.delivery.id])
  })

  test('that failed is sent after a later one only by who was told so', async () => {
    const check = await alert('Backup', answered(200), { awaitsConfirmation: true })
    const down = only(await entries('failed'))
    await store().channels.change(down.delivery.channelId, (channel) => ({
      channel: { ...channel, awaitsConfirmation: false },
    }))
    await d.ping(check)
    await d.deliver()
    expect(await entries('sent')).toHaveLength(1)
    const asked = await member.post(pathOf(down), { action: 'retry', back: listPath() })
    expect(asked.location).toBe(`${pathOf(down)}?done=alert-outdated`)
    expect(await entries('pending')).toEqual([])
    expect((await member.get(pathOf(down))).text).toContain('Send it anyway')
    const { location } = await member.post(pathOf(down), { action: 'retry', outdated: 'on' })
    expect(location).toContain('done=alert-due')
  })

  test('that is cancelled fails, and the one behind it is sent', async () => {
    const check = await alert('Backup', answered(503))
    const down = only(await entries('pending'))
    await d.ping(check)
    expect(wordsOf((await member.get(pathOf(down))).text)).toContain('1 later alert')
    const { location } = await member.post(pathOf(down), { action: 'cancel' })
    expect(location).toContain('done=alert-cancelled')
    t.answerWith(answered(200))
    await d.deliver()
    expect((await entries('failed')).map(({ error }) => error)).toEqual([expect.stringContaining('Cancelled by ')])
    expect(await entries('sent')).toHaveLength(1)
    expect(wordsOf((await member.get(pathOf(down))).text)).toContain('Cancelled by ')
    const again = await member.post(pathOf(only(await entries('sent'))), { action: 'cancel' })
    expect(again.location).toContain('done=alert-not-cancelled')
  })

  test('of another project, or with an address that is none, is not found', async () => {
    await alert('Backup')
    const path = pathOf(await newest())
    for (const wrong of [listPath('/x'), `${path}0`, path.replace(/-\d+-/, '-99-')]) {
      expect((await member.get(wrong)).status).toBe(404)
    }
  })
})

test('the former addresses of the list and of an alert lead to the present ones', async () => {
  await alert('Backup')
  const former = async (path: string) => (await member.get(path.replace('/alerts', '/deliveries'))).location
  expect(await former(listPath('?state=gave-up&q=a%26b'))).toBe(listPath('?state=failed&q=a%26b'))
  const path = pathOf(await newest())
  expect(await former(`${path}?done=saved`)).toBe(`${path}?done=saved`)
})

test('all that wait are retried together', async () => {
  await alert('One', answered(429, { 'retry-after': '3600' }))
  await alert('Two', answered(429, { 'retry-after': '3600' }))
  const { location } = await member.post(listPath(), { action: 'retry-all' })
  expect(location).toContain('done=alerts-due&done-n=2')
  t.answerWith(answered(200))
  await d.deliver()
  await d.deliver()
  expect(await entries('sent')).toHaveLength(2)
  expect((await member.post(listPath(), { action: 'x' })).status).toBe(400)
  await store()
    .by(anAuthor())
    .channels.delete(
      only(
        await store()
          .channels.list(project.id)
          .then((all) => all.slice(0, 1)),
      ).id,
    )
  expect((await member.get(listPath())).status).toBe(200)
})

describe('while it is open', () => {
  const live = (search: string, browser = member) => openStream(t, browser, `/p/${project.slug}/live?${search}`)
  /** Reads new parts from the stream. The list is read in several steps, with other work between them: on PostgreSQL for a while. */
  const newParts = async (stream: Awaited<ReturnType<typeof live>>) => {
    const givesUp = performance.now() + 20_000
    while (performance.now() < givesUp) {
      const parts = (await stream.take()).filter(({ event }) => event === 'message')
      if (parts.length > 0) return parts.map(({ data }) => data).join('')
    }
    return ''
  }

  /** Returns the updates that an open page gets for one change: those for a second change would wait two seconds. */
  const toldOf = async (search: string, change: () => Promise<unknown>) => {
    const stream = await live(search)
    await newParts(stream)
    await change()
    return newParts(stream)
  }

  test('the list shows a cancellation, a retry and an attempt that ends', async () => {
    await alert('Backup', answered(503))
    const path = pathOf(await newest())
    const act = (action: string) => toldOf('view=alerts', () => member.post(path, { action }))
    expect(await act('cancel')).toContain('<span id="n-failed"> <b>1</b></span>')
    expect(await act('retry')).toContain('<span id="n-pending"> <b>1</b></span>')
    t.answerWith(answered(418))
    const tried = await toldOf('view=alerts', () => d.deliver())
    expect(tried).toContain('<hx-partial hx-target="#alert-list" hx-swap="outerMorph">')
    expect(tried).toContain('Received status code 418')
  })

  test('an alert shows its next try, and is loaded again when its check is deleted', async () => {
    const check = await alert('Backup', answered(429, { 'retry-after': '3600' }))
    const path = pathOf(await newest())
    const search = `view=alert&alert=${path.split('/').at(-1)}`
    await member.post(path, { action: 'retry' })
    t.answerWith(answered(418))
    const tried = await toldOf(search, () => d.deliver())
    expect(tried).toContain('<hx-partial hx-target="#alert-now" hx-swap="outerMorph">')
    expect(tried).toContain('418')
    const stream = await live(search)
    await newParts(stream)
    await store().by(anAuthor()).checks.delete(check)
    expect((await stream.take()).map(({ event }) => event)).toContain('reload')
  })

  test('there is no stream of an alert of another project, or of none', async () => {
    for (const name of ['', 'x', `${'a'.repeat(12)}-1-${crypto.randomUUID()}`]) {
      expect((await member.get(`/p/${project.slug}/live?view=alert&alert=${name}`)).status).toBe(404)
    }
  })

  test('who may only read gets no button by the stream', async () => {
    await alert('Backup', answered(503))
    const reader = await memberWith(t, 'read-only')
    expect(await newParts(await live('view=alerts'))).toContain('Retry all waiting')
    const seen = await newParts(await live('view=alerts', reader))
    expect(seen).toContain('Received status code 503')
    expect(seen).not.toContain('<form')
  })

  test('the list of integrations follows a new name', async () => {
    await alert('Backup', answered(200), { name: 'Ops' })
    const stream = await live('view=integrations')
    expect(await newParts(stream)).toContain('Ops')
    const [channel] = await store().channels.list(project.id)
    await store()
      .by(anAuthor())
      .channels.change(channel?.id ?? '', (stored) => ({ channel: { ...stored, name: 'Night' } }))
    expect(await newParts(stream)).toContain('Night')
  })
})
