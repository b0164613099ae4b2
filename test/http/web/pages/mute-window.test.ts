/** "Plan a window…": the form, its preview, the calendar, and the change of what was planned. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createSilence } from '../../../../src/services/silences/silences.ts'
import { memberWith } from '../../../support/browser.ts'
import { HOSTILE } from '../../../support/hostile-texts.ts'
import { errorsOf, wordsOf } from '../../../support/page-words.ts'
import { type TestApp, testApp } from '../../../support/test-app.ts'

let t: TestApp
let ann: Awaited<ReturnType<typeof memberWith>>
let publicId: string
let check: string
/** path of the project */
let base: string
beforeEach(async () => {
  t = await testApp()
  ann = await memberWith(t, 'member')
  ;[check, publicId] = await addCheck('db-backup', { schedule: '30 22 * * *', tz: 'UTC', grace: 60 })
  base = `/p/${t.project.slug}`
})
afterEach(() => t.close())

async function addCheck(name: string, more: object = {}): Promise<[id: string, publicId: string]> {
  const { uuid } = await t.json<{ uuid: string }>('POST', '/api/v3/checks/', {
    key: t.keys.apiKey,
    json: { name, ...more },
  })
  return [uuid, (await t.app.deps.store.checks.find(uuid))?.check.publicId ?? '']
}

/** Wednesday, 4 March 2026, 12:00 UTC. */
const SATURDAY = { 'start-day': '2026-03-07', 'start-time': '22:00', 'end-day': '2026-03-07', 'end-time': '24:00' }
const WEEKLY = { kind: 'again', 'window-from': 'Sat 22:00', 'window-until': '24:00', 'window-tz': 'Europe/Riga' }
const silences = () => t.app.deps.store.silences.list(t.project.id, t.clock.now())
const plan = (fields: Record<string, string>) => ann.post(`${base}/mute/window`, { c: publicId, ...fields })
const words = async (path: string) => wordsOf((await ann.get(path)).text)
const previewed = async (fields: Record<string, string>, scope: Record<string, string> = { c: publicId }) =>
  wordsOf((await ann.post(`${base}/mute/window/preview`, { ...scope, ...fields })).text)

describe('a window', () => {
  test('is asked for at the foot of the menu, and on the page Mute', async () => {
    const page = await ann.get(`${base}/checks/${publicId}`)
    expect(page.text).toContain(`href="${base}/mute/window?c=${publicId}&amp;back=`)
    expect(await words(`${base}/mute/window?c=${publicId}`)).toContain('Plan a window for db-backup')
    const sent = await ann.post(`${base}/mute/window`, { c: publicId, until: '1h', reason: 'The disk' })
    expect(wordsOf(sent.text)).toContain('Plan a window for db-backup')
    expect(sent.text).toContain('The disk')
  })

  test('is first the coming Saturday evening, as the form says', async () => {
    const { text } = await ann.get(`${base}/mute/window?c=${publicId}`)
    expect(wordsOf(text)).toContain('Sat 7 Mar, 22:00 to 24:00, 2 hours.')
    for (const value of ['2026-03-07', '22:00', '24:00']) expect(text).toContain(`value="${value}"`)
  })

  test('once, is a mute that begins later; the page says so, and its calendar lists it', async () => {
    const { location } = await plan({ kind: 'once', ...SATURDAY, reason: ' Restore ', back: `${base}/checks` })
    expect(location).toStartWith(`${base}/checks/${publicId}/mute?`)
    expect(location).toContain('done=window-planned')
    const [silence] = await silences()
    expect(silence).toMatchObject({ match: { checks: [check], tags: [] }, window: null, reason: 'Restore' })
    expect([silence?.startsAt, silence?.endsAt].map(String)).toEqual(['2026-03-07T22:00:00Z', '2026-03-08T00:00:00Z'])
    const page = await words(location ?? '')
    expect(page).toContain('Window planned. Nobody is alerted during it.')
    expect(page).toContain('db-backup. Muted from 7 Mar 22:00 until 8 Mar 00:00: ‘ Restore ’. Change… Unmute')
    expect(page).toContain('Planned for the next four weeks Sat 7 Mar 22:00 to 24:00 db-backup. ‘ Restore ’')
  })

  test('that is repeated, has a schedule, a zone and an end; the last day is whole', async () => {
    await plan({ ...WEEKLY, 'last-day': '2026-03-21' })
    expect(await silences()).toMatchObject([
      { window: { schedule: 'Sat 22:00', tz: 'Europe/Riga', seconds: 7_200 }, reason: '' },
    ])
    expect(String((await silences())[0]?.endsAt)).toBe('2026-03-21T22:00:00Z')
    const page = await words(`${base}/mute?project=on`)
    expect(page).toContain('Sat 7 Mar 20:00 to 22:00 db-backup. Sat 14 Mar 20:00 to 22:00 db-backup. Sat 21 Mar')
    expect(page).not.toContain('Sat 28 Mar 20:00')
  })

  test('is for tags, for the project, and for several checks', async () => {
    const [, other] = await addCheck('Other')
    await ann.post(`${base}/mute/window`, { tag: 'prod', ...WEEKLY })
    await ann.post(`${base}/mute/window`, { project: 'on', ...WEEKLY })
    const both = new URLSearchParams([...Object.entries(WEEKLY), ['c', publicId], ['c', other]])
    const asked = await words(`${base}/mute/window?${both}`)
    expect(asked).toContain('Plan a window for 2 checks')
    const matched = (await silences()).map(({ match }) => match)
    expect(matched).toHaveLength(2)
    for (const tags of [['prod'], []]) expect(matched).toContainEqual({ checks: [], tags })
    for (const search of ['', '?c=zzzzzzzz', '?project=off']) {
      expect((await ann.get(`${base}/mute/window${search}`)).status).toBe(404)
    }
  })

  test.each([
    [{ kind: 'once', ...SATURDAY, 'start-time': 'late' }, { 'start-day': 'type a time' }],
    [{ kind: 'once', ...SATURDAY, 'start-day': '2026-03-01' }, { 'start-day': 'in the past' }],
    [{ kind: 'once', ...SATURDAY, 'start-day': '2027-06-01', 'end-day': '2027-06-02' }, { 'start-day': '365 days' }],
    [{ kind: 'once', ...SATURDAY, 'end-time': '21:00' }, { 'end-day': 'not after its start' }],
    [{ kind: 'once', ...SATURDAY, 'end-day': '2026-05-01' }, { 'end-day': 'at most 30 days' }],
    [{ ...WEEKLY, 'window-from': 'Saturnday' }, { 'window-from': '' }],
    [{ ...WEEKLY, 'window-until': 'soon' }, { 'window-until': 'Type when it ends' }],
    [{ ...WEEKLY, 'window-tz': 'Riga' }, { 'window-tz': 'time zone' }],
    [{ ...WEEKLY, 'window-from': '*:*', 'window-until': '1 h' }, { 'window-until': 'begin again before it ends' }],
    [{ ...WEEKLY, 'last-day': '2026-03-05' }, { 'last-day': 'not begin' }],
    [{ ...WEEKLY, 'last-day': 'Easter' }, { 'last-day': 'Choose a day' }],
    [{ ...WEEKLY, 'last-day': '+275760-09-13' }, { 'last-day': 'Choose a day' }],
    [{ ...WEEKLY, reason: 'x'.repeat(1_001) }, { reason: 'too long' }],
  ] as const)('is not planned with a mistake, which is beside its field: %#', async (fields, expected) => {
    const answer = await plan({ reason: 'Because', ...fields })
    expect(answer.status).toBe(422)
    const errors = errorsOf(answer.text)
    expect(Object.keys(errors)).toEqual(Object.keys(expected))
    for (const [name, part] of Object.entries(expected)) expect(errors[name]).toContain(part)
    for (const value of Object.values(fields)) expect(answer.text).toContain(value)
    expect(await silences()).toEqual([])
  })

  test('says what it means before it is planned, with the script or without', async () => {
    const means = 'At 22:00 on Saturday (Europe/Riga), for 2 hours. Next, in UTC: Sat 7 Mar, 20:00 to 22:00'
    expect(await previewed(WEEKLY)).toContain(means)
    expect(wordsOf((await plan({ ...WEEKLY, action: 'preview' })).text)).toContain(means)
    const blank = await previewed({ ...WEEKLY, 'window-from': '', 'window-until': '' })
    expect(blank).toContain('Fill in the fields above to see when the window is.')
    expect(blank).not.toContain('Type when')
    expect(await silences()).toEqual([])
  })

  test('shows hostile reasons and fields as text', async () => {
    for (const text of HOSTILE.slice(0, 20)) {
      const answers = [
        await plan({ ...WEEKLY, reason: text.slice(0, 1_000) }),
        await plan({ ...WEEKLY, 'window-from': text, 'window-tz': text, 'last-day': text, reason: text }),
        await ann.get(`${base}/mute?project=on`),
      ]
      for (const answer of answers) {
        expect(answer.text).not.toContain('<script>window.ran')
        expect(answer.text).not.toMatch(/<img src=x/)
      }
    }
  })
})

describe('the warning', () => {
  const NIGHTLY = { ...WEEKLY, 'window-from': '22:00', 'window-tz': 'UTC' }
  const EVERY = 'Every run of db-backup falls into this window: if one fails, nobody is alerted until the window ends.'

  test('is in the preview, on the page Mute, and on the page of the check', async () => {
    expect(await previewed(NIGHTLY)).toContain(EVERY)
    expect(await previewed(WEEKLY)).not.toContain('nobody is alerted')
    const { location } = await plan(NIGHTLY)
    expect(await words(location ?? '')).toContain(EVERY)
    expect(await words(`${base}/checks/${publicId}`)).toContain(
      'Every run falls into planned maintenance, at 22:00 every day (UTC), for 2 hours: if one fails, nobody is alerted until the window ends.',
    )
  })

  test('names the first checks of a window for a tag, and counts the others', async () => {
    for (let n = 1; n <= 7; n++) await addCheck(`Job ${n}`, { schedule: '0 23 * * *', tags: 'night' })
    await addCheck('By day', { schedule: '0 12 * * *', tags: 'night' })
    const shown = await previewed(NIGHTLY, { tag: 'night' })
    expect(shown).toContain('Every run of Job 1, Job 2, Job 3, Job 4, Job 5 and 2 more falls into this window')
  })

  test('is another one where only what is missing is hidden', async () => {
    await addCheck('Evening', { schedule: '30 21 * * *', grace: 3_600, tags: 'late' })
    expect(await previewed(NIGHTLY, { tag: 'late' })).toContain(
      'The grace time of Evening always ends in this window: if a run is missing, nobody is alerted until the window ends.',
    )
  })
})

describe('the calendar', () => {
  test('lists two windows that overlap, each with its checks and its reason', async () => {
    await plan({ ...WEEKLY, reason: 'Restore' })
    await ann.post(`${base}/mute/window`, { project: 'on', ...WEEKLY, 'window-from': 'Sat 23:00', reason: 'Move' })
    const page = await words(`${base}/mute?project=on`)
    expect(page).toContain(
      `Sat 7 Mar 20:00 to 22:00 db-backup. ‘ Restore ’ 21:00 to 22:00 All checks of ${t.project.name}. ‘ Move ’ Sat 14 Mar`,
    )
  })

  test('leaves out mutes that were not planned, and says when it has too many', async () => {
    await ann.post(`${base}/mute`, { c: publicId, until: '1h' })
    expect(await words(`${base}/mute?project=on`)).not.toContain('next four weeks')
    await plan({ ...WEEKLY, 'window-from': '*:0', 'window-until': '5 min', 'window-tz': 'UTC' })
    expect(await words(`${base}/mute?project=on`)).toContain('there are too many for more.')
  })
})

describe('what was planned is changed', () => {
  const formOf = async () => `${base}/mute/window?silence=${(await silences())[0]?.id}`
  const change = async (fields: Record<string, string>) =>
    ann.post(`${base}/mute/window`, { silence: (await silences())[0]?.id ?? '', back: `${base}/mute`, ...fields })

  test('by the same form, filled in', async () => {
    await plan({ ...WEEKLY, 'last-day': '2026-03-21', reason: 'Restore' })
    const { text } = await ann.get(await formOf())
    expect(wordsOf(text)).toContain('Change a window')
    expect(wordsOf(text)).toContain('db-backup.')
    for (const value of ['Sat 22:00', 'Europe/Riga', '2026-03-21']) expect(text).toContain(`value="${value}"`)
    expect(text).toContain('Restore')
    const { location } = await change({ ...WEEKLY, 'window-from': 'Sun 22:00', 'last-day': '', reason: 'Later' })
    expect(location).toBe(`${base}/mute?done=mute-changed`)
    expect(await silences()).toMatchObject([
      { match: { checks: [check] }, window: { schedule: 'Sun 22:00' }, endsAt: null, reason: 'Later' },
    ])
    const owner = await memberWith(t, 'owner')
    expect(wordsOf((await owner.get(`${base}/audit`)).text)).toContain('changed a mute')
  })

  test('and stays as it is, to the second, if the form is sent as it was shown', async () => {
    const times = {
      startsAt: t.clock.now().add({ minutes: 90, seconds: 7 }),
      endsAt: t.clock.now().add({ hours: 9, seconds: 11 }),
    }
    const about = { match: { checks: [check], tags: [] }, upTo: 'warning', reason: '' } as const
    await createSilence(t.app.deps, t.actor, { ...times, untilHealthy: false, window: null, ...about })
    const [before] = await silences()
    t.clock.advance({ hours: 3 })
    const shown = { 'start-day': '2026-03-04', 'start-time': '13:30', 'end-day': '2026-03-04', 'end-time': '21:00' }
    await change({ kind: 'once', ...shown })
    expect(await silences()).toEqual(before === undefined ? [] : [before])
    await change({ kind: 'once', ...shown, 'end-time': '23:00' })
    expect(await silences()).toMatchObject([{ startsAt: times.startsAt, upTo: 'warning' }])
    expect(String((await silences())[0]?.endsAt)).toBe('2026-03-04T23:00:00Z')
  })

  test('but not a mute until healthy, and not one of another project', async () => {
    await ann.post(`${base}/mute`, { c: publicId, until: 'healthy' })
    expect((await ann.get(await formOf())).status).toBe(400)
    expect((await change(WEEKLY)).status).toBe(400)
    expect(await words(`${base}/mute?project=on`)).not.toContain('Change…')
    expect((await ann.get(`${base}/mute/window?silence=7c9e6679-7425-40de-944b-e07fc1f90ae7`)).status).toBe(404)
  })
})

test('who may only read plans nothing', async () => {
  const reader = await memberWith(t, 'read-only')
  expect((await reader.get(`${base}/mute/window?c=${publicId}`)).status).toBe(403)
  expect((await reader.post(`${base}/mute/window`, { c: publicId, ...WEEKLY })).status).toBe(403)
  expect(await silences()).toEqual([])
})
