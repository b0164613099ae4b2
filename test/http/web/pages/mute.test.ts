/** "Mute until…": the page, the menu on other pages, and pages of a muted check. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { silenceChecks } from '../../../../src/services/silences/silence-checks.ts'
import { createSilence } from '../../../../src/services/silences/silences.ts'
import { type CourierFixture, courierFixture } from '../../../services/courier/courier-fixture.ts'
import { memberWith } from '../../../support/browser.ts'
import { HOSTILE } from '../../../support/hostile-texts.ts'
import { openStream } from '../../../support/live-stream.ts'
import { errorsOf, wordsOf } from '../../../support/page-words.ts'
import { refusalOf } from '../../../support/store-builders.ts'
import { answered, type TestApp, testApp } from '../../../support/test-app.ts'

let t: TestApp
let d: CourierFixture
let ann: Awaited<ReturnType<typeof memberWith>>
let check: string
let publicId: string
/** path of the project */
let base: string
beforeEach(async () => {
  t = await testApp()
  d = courierFixture(t)
  ann = await memberWith(t, 'member')
  await d.addChannel({ name: 'Pager' })
  check = await d.addCheck('*', 'Backup')
  await d.ping(check)
  publicId = (await t.app.deps.store.checks.find(check))?.check.publicId ?? ''
  base = `/p/${t.project.slug}`
})
afterEach(() => t.close())

const silences = () => t.app.deps.store.silences.list(t.project.id, t.clock.now())
const mute = (fields: Record<string, string>) => ann.post(`${base}/mute`, { c: publicId, ...fields })
const today = () => t.clock.now().toString().slice(0, 10)
const words = async (path: string) => wordsOf((await ann.get(path)).text)

describe('a check is muted', () => {
  test.each([
    ['1h', 1, false],
    ['morning', 20, false],
    ['healthy', 168, true],
  ])('until %s', async (until, hours, untilHealthy) => {
    const { location } = await mute({ until, back: `${base}/checks/${publicId}` })
    expect(location).toBe(`${base}/checks/${publicId}?done=muted`)
    const [silence] = await silences()
    expect(silence).toMatchObject({ match: { checks: [check], tags: [] }, untilHealthy, reason: '' })
    expect(silence?.endsAt).toEqual(t.clock.now().add({ hours }))
  })

  test('until a day and a time, with a reason', async () => {
    await mute({ until: 'at', day: today(), time: '23:15', reason: ' The disk is changed. ' })
    const [silence] = await silences()
    expect(silence?.endsAt?.toString()).toBe(`${today()}T23:15:00Z`)
    expect(silence?.reason).toBe('The disk is changed.')
  })

  test('by nothing that is no time, in the past, or too far ahead; what was typed stays', async () => {
    const asked = async (day: string, time: string) => {
      const answer = await mute({ until: 'at', day, time, reason: 'Because of the move' })
      expect(answer.status).toBe(422)
      expect(answer.text).toContain('Because of the move')
      return errorsOf(answer.text).day
    }
    expect(await asked(today(), 'noon')).toContain('type a time')
    expect(await asked(today(), '00:01')).toContain('in the past')
    expect(await asked('2026-06-30', '08:00')).toContain('at most 30 days')
    expect((await mute({ until: '1h', reason: 'x'.repeat(1001) })).status).toBe(422)
    expect((await mute({ until: 'ever' })).status).toBe(400)
    expect(await silences()).toEqual([])
  })

  test('and nobody is alerted until then; what is still wrong is alerted when somebody unmutes it', async () => {
    await mute({ until: '1h', reason: 'Upgrade' })
    await d.ping(check, '/fail')
    t.answerWith(answered(200))
    await d.deliver()
    expect(t.sent).toHaveLength(0)
    const page = await words(`${base}/checks/${publicId}`)
    expect(page).toContain('Muted until 13:00: ‘ Upgrade ’.')
    expect(page).toContain('Nobody is on it. Open the incident')
    const unmuted = await ann.post(`${base}/mute`, { action: 'unmute', silence: (await silences())[0]?.id ?? '' })
    expect(unmuted.location).toContain('done=unmuted')
    expect(await silences()).toEqual([])
    await t.app.settle('incidents')
    await d.deliver()
    expect(t.sent).toHaveLength(1)
    expect(await words(`${base}/checks/${publicId}`)).not.toContain('Muted until')
  })
})

test('checks that were deleted after they were found are no reason to mute the whole project', async () => {
  const { now } = t.clock
  const times = { startsAt: now(), endsAt: now().add({ hours: 1 }), untilHealthy: false, window: null }
  const scope = { checks: [], tags: [], isProject: false }
  expect(await refusalOf(silenceChecks(t.app.deps, t.actor, scope, times, ''))).toMatchObject({ kind: 'not-found' })
  expect((await mute({ c: 'gone', until: '1h' })).status).toBe(404)
  expect(await silences()).toEqual([])
  await silenceChecks(t.app.deps, t.actor, { ...scope, isProject: true }, times, '')
  expect(await silences()).toMatchObject([{ match: { checks: [], tags: [] } }])
})

describe('the page', () => {
  test('asks for a check, for several, for tags and for the project, and says which', async () => {
    await d.addCheck('*', 'Other')
    const other = (await t.app.deps.store.checks.list(t.project.id, {}, null)).items.find(
      ({ check: { name } }) => name === 'Other',
    )
    expect(await words(`${base}/mute?c=${publicId}`)).toContain('Mute Backup')
    expect(await words(`${base}/mute?c=${publicId}&c=${other?.check.publicId}`)).toContain('Mute 2 checks')
    expect(await words(`${base}/mute?tag=prod`)).toContain('Mute all checks with prod')
    expect(await words(`${base}/mute?project=on`)).toContain(`Mute all checks of ${t.project.name}`)
    for (const search of ['', '?c=zzzzzzzz', '?project=off']) {
      expect((await ann.get(`${base}/mute${search}`)).status).toBe(404)
    }
  })

  test('mutes tags and the project, and never more than it has said', async () => {
    await ann.post(`${base}/mute`, { tag: 'prod', until: '1h' })
    await ann.post(`${base}/mute`, { project: 'on', until: 'morning' })
    // A check that is gone leaves nothing to mute.
    expect((await ann.post(`${base}/mute`, { c: 'zzzzzzzz', project: 'on', until: '1h' })).status).toBe(404)
    expect((await silences()).map(({ match }) => match)).toEqual([
      { checks: [], tags: ['prod'] },
      { checks: [], tags: [] },
    ])
    const page = await words(`${base}/mute?c=${publicId}`)
    expect(page).toContain('All checks with prod.')
    expect(page).toContain(`All checks of ${t.project.name}.`)
    // A silence that mutes other checks too is ended on the page that says so.
    expect((await ann.get(`${base}/checks/${publicId}`)).text).toContain('Unmute…')
  })

  test('takes what is selected in the list, and names it', async () => {
    const { status, text } = await ann.post(`${base}/mute`, { c: publicId, match: '' })
    expect([status, wordsOf(text).includes('Mute Backup')]).toEqual([200, true])
    const all = await ann.post(`${base}/mute`, { all: '1', match: '' })
    expect(wordsOf(all.text)).toContain('Mute Backup')
    const none = await ann.post(`${base}/mute`, { match: '' })
    expect(none.location).toContain('done=nothing-selected')
  })

  test('leads back to where somebody came from, and nowhere else', async () => {
    expect((await mute({ until: '1h', back: 'https://evil.example/' })).location).toBe(`${base}/checks?done=muted`)
  })

  test('shows hostile reasons as text', async () => {
    for (const text of HOSTILE.slice(0, 30)) await mute({ until: '1h', reason: text.slice(0, 1000) })
    for (const path of [`${base}/mute?c=${publicId}`, `${base}/checks/${publicId}`]) {
      const { text } = await ann.get(path)
      expect(text).not.toContain('<script>window.ran')
      expect(text).not.toMatch(/<img src=x/)
    }
  })
})

describe('who may only read', () => {
  test('sees that it is muted, and changes nothing', async () => {
    await mute({ until: '1h', reason: `See ${check}` })
    const reader = await memberWith(t, 'read-only')
    const { text } = await reader.get(`${base}/checks/${publicId}`)
    expect(wordsOf(text)).toContain('Muted until 13:00')
    expect(text).not.toContain(check)
    expect(text).not.toContain('Unmute')
    expect(text).not.toContain('popover')
    expect((await reader.get(`${base}/mute?c=${publicId}`)).status).toBe(403)
    expect((await reader.post(`${base}/mute`, { c: publicId, until: '1h' })).status).toBe(403)
  })
})

describe('the list', () => {
  const row = async () => wordsOf(/<tr id=c[\s\S]*?\n/.exec((await ann.get(`${base}/checks`)).text)?.[0] ?? '')

  test('shows until when a check is muted beside its name, live too, also when the time is over', async () => {
    const stream = await openStream(t, ann, `${base}/live?view=checks`)
    const shown = async () => wordsOf((await stream.take()).map(({ data }) => data).join(''))
    await shown()
    await mute({ until: 'at', day: today(), time: '12:01' })
    expect(await row()).toContain('Backup Muted until 12:01')
    t.clock.advance({ seconds: 1 })
    expect(await shown()).toContain('Backup Muted until 12:01')
    await ann.post(`${base}/mute`, { project: 'on', until: 'at', day: today(), time: '12:02' })
    expect(await shown()).toContain('Backup Muted until 12:02')
    t.clock.advance({ minutes: 1 })
    expect(await shown()).toContain('Backup Muted until 12:02')
    t.clock.advance({ minutes: 1 })
    const over = await shown()
    expect(over).toContain('Backup')
    expect(over).not.toContain('Muted')
    expect(await row()).not.toContain('Muted')
    await stream.leave()
  })

  test('shows when a window of planned maintenance begins and ends', async () => {
    const stream = await openStream(t, ann, `${base}/live?view=checks`)
    const shown = async () => wordsOf((await stream.take()).map(({ data }) => data).join(''))
    const window = { schedule: '1-59/5 * * * *', tz: 'UTC', seconds: 60 }
    const times = { startsAt: t.clock.now(), endsAt: null, untilHealthy: false, window }
    const about = { match: { checks: [check], tags: [] }, upTo: 'down', reason: '' } as const
    await createSilence(t.app.deps, t.actor, { ...times, ...about })
    t.clock.advance({ seconds: 1 })
    expect(await shown()).not.toContain('Muted')
    t.clock.advance({ seconds: 59 })
    expect(await shown()).toContain('Backup Muted until 12:02')
    t.clock.advance({ minutes: 1 })
    const over = await shown()
    expect(over).toContain('Backup')
    expect(over).not.toContain('Muted')
    t.clock.advance({ minutes: 4 })
    expect(await shown()).toContain('Backup Muted until 12:07')
    await stream.leave()
  })

  test('shows a check that its own job mutes by its ping URL', async () => {
    const stream = await openStream(t, ann, `${base}/live?view=checks`)
    await stream.take()
    await t.call('GET', `/ping/${check}/silence?for=1m`)
    t.clock.advance({ seconds: 1 })
    await stream.take()
    t.clock.advance({ minutes: 1 })
    const over = wordsOf((await stream.take()).map(({ data }) => data).join(''))
    expect(over).toContain('Backup')
    expect(over).not.toContain('Muted')
    await stream.leave()
  })
})

test('the page Mute lists planned maintenance: when it is next, and when again', async () => {
  const window = { schedule: '0 22 * * 6', tz: 'Europe/Riga', seconds: 7_200 }
  const times = { startsAt: t.clock.now(), endsAt: null, untilHealthy: false, window }
  const about = { match: { checks: [], tags: [] }, upTo: 'down', reason: 'Restore.' } as const
  await createSilence(t.app.deps, t.actor, { ...times, ...about })
  const page = await words(`${base}/mute?project=on`)
  expect(page).toContain('Muted from 7 Mar 20:00 until 7 Mar 22:00: ‘ Restore. ’')
  expect(page).toContain('Repeats at 22:00 on Saturday (Europe/Riga), for 2 hours. Change… Unmute for good')
  expect(await words(`${base}/checks/${publicId}`)).not.toContain('Muted')
  t.clock.set('2026-03-07T20:30:00Z')
  expect(await words(`${base}/checks/${publicId}`)).toContain('Muted until 22:00: ‘ Restore. ’ Unmute…')
})
