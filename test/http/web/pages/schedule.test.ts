/** Preview of a schedule while it is typed: on the tab Schedule of a check, and on the page of a new check. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Check, CheckSpec } from '../../../../src/domain/check/check.ts'
import { upsertCheck } from '../../../../src/services/checks/checks.ts'
import { type Browser, type Fields, memberWith, signedIn } from '../../../support/browser.ts'
import { errorsOf } from '../../../support/page-words.ts'
import { type TestApp, testApp } from '../../../support/test-app.ts'

let t: TestApp
let account: Awaited<ReturnType<typeof memberWith>>['account']
let member: Browser
beforeEach(async () => {
  t = await testApp()
  const made = await memberWith(t, 'member', { tz: 'Europe/Riga' })
  account = made.account
  member = made
})
afterEach(() => t.close())

const CHECKS = '/p/tests/checks'
const make = async (spec: CheckSpec = {}): Promise<Check> =>
  (await upsertCheck(t.app.deps, t.actor, { name: 'Backup', ...spec }, false)).check
const stored = (id: string) => t.app.deps.store.checks.find(id)
const all = async () => (await t.app.deps.store.checks.list(t.project.id, {}, null)).items.map(({ check }) => check)

/** Schedule fields that a browser sends. */
const SCHEDULE: Fields = {
  kind: 'simple',
  period: '1',
  'period-unit': 'days',
  cron: '',
  oncalendar: '',
  tz: 'Europe/Riga',
  grace: '1',
  'grace-unit': 'hours',
}
const NEW: Fields = { name: 'Nightly backup', slug: '', tags: '', desc: '' }
const CRON: Fields = {
  ...SCHEDULE,
  kind: 'cron',
  cron: '0 2 * * 1-5',
  tz: 'America/New_York',
  grace: '30',
  'grace-unit': 'minutes',
}
const path = (check: Check, page = 'edit/schedule/preview') => `${CHECKS}/${check.publicId}/${page}`
const TAB = 'edit?tab=schedule'
const PARTS = [
  'mistake',
  'means',
  'next-runs',
  'judged',
  'saving',
  'period-below',
  'cron-below',
  'oncalendar-below',
  'tz-below',
  'grace-below',
]
const partOf = (text: string, id: string) => text.split(`id="${id}"`)[1]?.split('\n')[0] ?? ''
/** Sends punctual pings, daily at noon. */
const pingDaily = async (check: Check, count: number) => {
  for (let day = 0; day < count; day++) {
    t.clock.advance({ hours: 24 })
    await t.call('POST', `/ping/${check.id}`)
  }
  // Sessions end meanwhile.
  member = await signedIn(t, account)
}

test('is a fragment with the parts of the page that change, and saves nothing', async () => {
  const check = await make({ timeout: 3_600 })
  const { status, text, headers } = await member.post(path(check), CRON)
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(text).not.toContain('<html')
  const { text: page } = await member.get(path(check, TAB))
  for (const id of PARTS) {
    expect([...text.matchAll(new RegExp(` id="${id}"`, 'g'))]).toHaveLength(1)
    expect(page).toContain(` id="${id}"`)
  }
  const [, into = ''] = /data-preview-into="(.*?)"/.exec(page) ?? []
  expect(into.split(',')).toEqual(PARTS.map((id) => `#${id}`))
  expect(page).toContain(`data-preview="${path(check)}"`)
  expect(partOf(text, 'means')).toContain('Weekdays at 02:00, America/New_York. Alerts are sent at 02:30.')
  expect(text).toContain('<th scope="col">New York</th><th scope="col">UTC</th><th scope="col">You, Riga</th>')
  expect(text).toContain('<b>1-5</b>weekday')
  expect((await stored(check.id))?.check).toEqual(check)
})

test('of a new check has no past', async () => {
  const { text } = await member.post(`${CHECKS}/new/preview`, { ...NEW, ...CRON })
  expect(partOf(text, 'means')).toContain('Weekdays at 02:00')
  expect(text).toMatch(/ id="judged"[^>]*><\/section>/)
  expect(await all()).toEqual([])
})

test('judges the last runs by what is typed', async () => {
  const check = await make({ schedule: '0 12 * * *', tz: 'UTC', grace: 3_600 })
  await pingDaily(check, 14)
  const fields = { ...CRON, cron: '0 12 * * 1-5', tz: 'UTC' }
  const { text } = await member.post(path(check), fields)
  expect(text).toContain('Your last 13 runs against this schedule')
  expect(text).toContain('10 of 14 runs went as expected, 4 on days on which none is expected.')
  expect(text).toContain('<b>4 weekend pings</b> would be extra')
  const { text: late } = await member.post(path(check), { ...fields, cron: '0 9 * * *' })
  expect(late).toMatch(/<svg class="rhythm half"[^>]*aria-label="With this schedule: /)
  expect(late).toContain('Each arrived about 3 h late: is the time zone right?')
})

test.each([
  [{ cron: '0 25 * * *' }, 'cron', '<bdi>0 25 * * *</bdi>\n<b>  ^^</b>'],
  [{ cron: '0 2 * *' }, 'cron', '<bdi>0 2 * *</bdi>\n<b>       ^</b>'],
  [{ cron: '0 2 * * * 7 8' }, 'cron', '<bdi>0 2 * * * 7 8</bdi>\n<b>^</b>'],
  [{ kind: 'oncalendar', oncalendar: 'Mon 02:00\r\nTue 2x:00' }, 'oncalendar', '<bdi>Tue 2x:00</bdi>\n<b>    ^'],
  [{ cron: `${'0,'.repeat(15)}99 * * * *` }, 'cron', '…<bdi>0,0,0,0,0,0,99 * * * *</bdi>\n<b>             ^^</b>'],
])('marks the mistake in %j', async (fields, name, marked) => {
  const check = await make()
  const { status, text } = await member.post(path(check), { ...CRON, ...fields } as Fields)
  expect([status, Object.keys(errorsOf(text))]).toEqual([200, [name]])
  expect(text).toContain(marked)
  expect(text).not.toContain(' id="next-runs"')
  expect(partOf(text, 'mistake')).toContain(name === 'cron' ? 'Cron expression: ' : 'OnCalendar expressions: ')
})

test('says what is wrong with zones and spans, and escapes all of it', async () => {
  const check = await make()
  const hostile = '<img src=x onerror=1>'
  const { text } = await member.post(path(check), { ...CRON, cron: hostile, tz: hostile, grace: hostile })
  expect(Object.keys(errorsOf(text))).toEqual(['cron', 'tz', 'grace'])
  expect(text).not.toContain('<img')
  const simple = { ...SCHEDULE, period: hostile, cron: hostile, oncalendar: hostile, tz: hostile }
  const typed = await member.post(path(check), simple)
  expect(Object.keys(errorsOf(typed.text))).toEqual(['period'])
  expect(typed.text).not.toContain('<img')
})

test('draws the runs beside what is typed, with those that would be missing', async () => {
  const check = await make({ schedule: '0 12 * * *', tz: 'Europe/Berlin', grace: 1_800 })
  await pingDaily(check, 8)
  t.clock.advance({ hours: 24 })
  await pingDaily(check, 8)
  const drawn = async (fields: Fields) => {
    const { text } = await member.post(path(check), { ...CRON, ...fields })
    return /<figure class="fig">.*?<\/figure>/s.exec(text)?.[0] ?? ''
  }
  const now = t.clock.now().toZonedDateTimeISO('UTC')
  const asIs = await drawn({ cron: `${now.minute} ${now.hour} * * *`, tz: 'UTC' })
  expect(asIs).toContain('16 of 17 runs went as expected, 1 is missing.')
  expect(asIs.match(/<path class="ms"/g)?.length).toBeGreaterThan(0)
  expect(asIs).toContain('Times in UTC.')
  expect(asIs).not.toContain('class="tri"')
  const early = now.subtract({ hours: 2 })
  expect(await drawn({ cron: `${early.minute} ${early.hour} * * *`, tz: 'UTC' })).toContain('class="tri"')
})

test('is shown by a button without the script, with what was typed, and nothing is saved', async () => {
  const check = await make({ timeout: 3_600 })
  for (const page of [path(check, TAB), `${CHECKS}/new`]) {
    const { status, text } = await member.post(page, { ...NEW, ...CRON, action: 'preview' })
    expect(status).toBe(200)
    expect(text).toContain('Weekdays at 02:00, America/New_York.')
    expect(text).toMatch(/id="cron"[^>]* value="0 2 \* \* 1-5"/)
    expect((await member.post(page, { ...NEW, ...CRON, cron: '0 2', action: 'preview' })).status).toBe(422)
  }
  expect(await all()).toEqual([check])
})

test('proposes what the pings show, and the button fills it in without the script', async () => {
  const check = await make({ timeout: 604_800 })
  await pingDaily(check, 20)
  const { text } = await member.get(path(check, TAB))
  expect(text).toContain('<b>Runs every day, expected every week: ')
  const [, fill = ''] = /data-fill="(.*?)"/.exec(text) ?? []
  const proposed = JSON.parse(fill.replaceAll('&quot;', '"')) as Fields
  const used = await member.post(path(check, TAB), { ...SCHEDULE, period: '7', action: 'use-suggestion' })
  expect(used.status).toBe(200)
  expect(used.text).toMatch(new RegExp(`name="kind" value="${proposed.kind}" checked`))
  expect(used.text).not.toContain('Runs every day, expected ')
  expect((await stored(check.id))?.check.timeoutSeconds).toBe(604_800)
  expect((await member.post(path(check, TAB), { ...SCHEDULE, ...proposed })).status).toBe(303)
  expect((await stored(check.id))?.check).toMatchObject({ kind: proposed.kind ?? '' })
})

test('a proposal that has gone since shows what was typed', async () => {
  const check = await make()
  const { status, text } = await member.post(path(check, TAB), { ...CRON, action: 'use-suggestion' })
  expect(status).toBe(200)
  expect(text).toMatch(/id="cron"[^>]* value="0 2 \* \* 1-5"/)
})
