/** Forms that create, change, move and delete a check. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Check, CheckSpec } from '../../../../../src/domain/check/check.ts'
import { upsertCheck } from '../../../../../src/services/checks/checks.ts'
import { rules } from '../../../../../src/services/common/rules.ts'
import { createProject } from '../../../../../src/services/projects/projects.ts'
import { type Fields, memberWith, setRole } from '../../../../support/browser.ts'
import { OTHER_SETTINGS } from '../../../../support/builders.ts'
import { errorsOf, wordsOf } from '../../../../support/page-words.ts'
import { aChannel, anAuthor } from '../../../../support/store-builders.ts'
import { type TestApp, testApp } from '../../../../support/test-app.ts'

let t: TestApp
let member: Awaited<ReturnType<typeof memberWith>>
beforeEach(async () => {
  t = await testApp()
  member = await memberWith(t, 'member', { tz: 'Europe/Riga', email: 'ann@example.org' })
})
afterEach(() => t.close())

const CHECKS = '/p/tests/checks'
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/

const make = async (spec: CheckSpec = { name: 'Backup', slug: 'backup' }): Promise<Check> =>
  (await upsertCheck(t.app.deps, t.actor, spec, false)).check
const stored = (id: string) => t.app.deps.store.checks.find(id)
const all = async () => (await t.app.deps.store.checks.list(t.project.id, {}, null)).items.map(({ check }) => check)
const channel = async (name: string, project = t.project) => {
  const made = aChannel(project, { name })
  await t.app.deps.store.by(anAuthor()).channels.create(made)
  return made
}
const ping = (check: Check) => t.call('POST', `/ping/${check.id}`)

/** Form that a browser sends when only the name is filled in. */
const FORM: Fields = {
  name: 'Nightly backup',
  slug: '',
  tags: '',
  desc: '',
  kind: 'simple',
  period: '1',
  'period-unit': 'days',
  cron: '',
  oncalendar: '',
  tz: 'Europe/Riga',
  grace: '1',
  'grace-unit': 'hours',
}

describe('a form that is saved as it is opened changes nothing', () => {
  const KINDS = [
    { kind: 'simple', schedule: OTHER_SETTINGS.schedule },
    { kind: 'cron', schedule: '5 * * * *' },
    { kind: 'oncalendar', schedule: 'daily' },
  ] as const
  test.each(['details', 'schedule', 'rules', 'alerts'])('%s', async (tab) => {
    const ops = await channel('Ops')
    await channel('Chat')
    for (const timing of KINDS) {
      const { id, publicId } = await make({ name: `Of kind ${timing.kind}` })
      const settings = { ...OTHER_SETTINGS, ...timing, slug: timing.kind, desc: '<b>&amp;\nx' }
      await t.app.deps.store
        .by(anAuthor())
        .checks.change(id, (check) => ({ check: { ...check, ...settings }, channelIds: [ops.id] }), rules(t.app.deps))
      const before = await stored(id)
      const { status, text } = await member.submit(`${CHECKS}/${publicId}/edit?tab=${tab}`, {})
      expect([status, errorsOf(text)]).toEqual([303, {}])
      expect(await stored(id)).toEqual(before)
    }
  })
})

describe('a new check', () => {
  const PATH = `${CHECKS}/new`
  const create = (fields: Fields = {}) => member.post(PATH, { ...FORM, ...fields })

  test('begins with a day, an hour of grace, the zone of the reader, and all integrations on', async () => {
    await channel('Ops')
    const { status, text } = await member.get(PATH)
    expect(status).toBe(200)
    expect(text).toContain('<title>New check – Tests – Overdue</title>')
    expect(text).toMatch(/name="kind" value="simple" checked/)
    expect(text).toMatch(/name="period"[^>]* value="1".*?<option selected>days/)
    expect(text).toMatch(/name="grace"[^>]* value="1".*?<option selected>hours/)
    expect(text).toMatch(/name="tz"[^>]* value="Europe\/Riga"/)
    expect(text).toMatch(/name="to-[^"]*" value="on" checked>.*Ops/)
    expect(text).toContain('data-slug-of="name"')
  })

  test('gets a slug from its name, and its page opens', async () => {
    const answer = await create()
    const [check] = await all()
    expect(check).toMatchObject({
      name: 'Nightly backup',
      slug: 'nightly-backup',
      kind: 'simple',
      timeoutSeconds: 86_400,
      graceSeconds: 3_600,
      tz: 'UTC',
    })
    expect([answer.status, answer.location]).toEqual([303, `${CHECKS}/${check?.publicId}?done=check-made`])
    expect(answer.location).not.toMatch(UUID)
  })

  test('keeps the slug, tags and description that were typed, tidied', async () => {
    await create({ slug: 'nb', tags: ' db  backup\tdb ', desc: ' one\r\ntwo ' })
    expect(await all()).toMatchObject([{ slug: 'nb', tags: 'db backup', desc: 'one\ntwo' }])
  })

  test('runs by cron or OnCalendar, in the zone that was typed', async () => {
    await create({ kind: 'cron', cron: '0 2 * * 1-5', grace: '90', 'grace-unit': 'minutes' })
    await create({ name: 'b', kind: 'oncalendar', oncalendar: 'Mon..Fri 02:00\r\nSun 04:00', tz: 'Europe/Kiev' })
    expect(await all()).toMatchObject([
      { kind: 'cron', schedule: '0 2 * * 1-5', tz: 'Europe/Riga', graceSeconds: 5_400 },
      { kind: 'oncalendar', schedule: 'Mon..Fri 02:00\nSun 04:00', tz: 'Europe/Kyiv' },
    ])
  })

  test('has the integrations whose switches are on', async () => {
    const [ops] = [await channel('Ops'), await channel('Night')]
    await create({ [`to-${ops.id}`]: 'on' })
    const [check] = await all()
    expect((await stored(check?.id ?? ''))?.channelIds).toEqual([ops.id])
  })

  test('may have an empty form: a check without a name is a check', async () => {
    expect((await create({ name: '' })).status).toBe(303)
    expect(await all()).toMatchObject([{ name: '', slug: '' }])
  })

  test('shows all problems at once, at their fields, with what was typed', async () => {
    const typed = {
      name: 'x'.repeat(101),
      slug: 'Nightly Backup!',
      tags: 'y'.repeat(501),
      desc: '<b>hello</b>',
      kind: 'cron',
      cron: '* * * *',
      tz: 'Europe/Rige',
      grace: '30',
      'grace-unit': 'seconds',
    }
    const { status, text } = await create(typed)
    expect(status).toBe(422)
    expect(errorsOf(text)).toEqual({
      name: 'This is too long: use at most 100 characters.',
      slug: '‘Nightly Backup!’ is not a slug: use only a-z, 0-9, - and _. nightly-backup?',
      tags: 'This is too long: use at most 500 characters.',
      cron: '‘* * * *’ has 4 fields, but cron needs 5.',
      tz: 'Europe/Rige is not a time zone. Europe/Riga?',
      grace: 'Too short: it must be at least 1 minute.',
    })
    for (const name of ['name', 'slug', 'tags', 'cron', 'tz', 'grace'] as const) {
      expect(text).toMatch(
        new RegExp(`id="${name}"[^>]* value="${RegExp.escape(typed[name])}"[^>]* aria-invalid="true"`),
      )
    }
    expect(text).toMatch(/name="kind" value="cron" checked/)
    expect(text).toContain('&lt;b&gt;hello&lt;/b&gt;</textarea>')
    expect(text.match(/ autofocus/g)).toHaveLength(1)
    expect(text).toMatch(/id="name"[^>]* autofocus/)
    expect(await all()).toEqual([])
  })

  test.each([
    [{ kind: 'simple', period: 'often' }, { period: 'Type a whole number, such as 30, and choose its unit.' }],
    [{ kind: 'simple', period: '1.5' }, { period: 'Type a whole number, such as 30, and choose its unit.' }],
    [{ kind: 'simple', 'period-unit': 'years' }, { period: 'Type a whole number, such as 30, and choose its unit.' }],
    [{ kind: 'simple', period: '366' }, { period: 'Too long: it must be at most 365 days.' }],
    [{ kind: 'simple', period: '9'.repeat(400) }, { period: 'Too long: it must be at most 365 days.' }],
    [{ kind: 'cron' }, { cron: 'Type an expression, such as 0 2 * * 1-5 for 02:00 on weekdays.' }],
    [
      { kind: 'cron', cron: 'Mon..Fri 02:00' },
      { cron: '‘Mon..Fri 02:00’ is an OnCalendar expression. Choose OnCalendar, or type a cron expression.' },
    ],
    [{ kind: 'cron', cron: 'often' }, { cron: '‘often’ has 1 field, but cron needs 5.' }],
    [
      { kind: 'cron', cron: '0 0 12 * * ?' },
      { cron: 'A cron expression has five fields and no seconds: leave them out and write &quot;0 12 * * *&quot;.' },
    ],
    [{ kind: 'cron', cron: '0 25 * * *' }, { cron: '&quot;25&quot; is not valid for the hour; allowed: 0-23.' }],
    [{ kind: 'cron', cron: `${'0,'.repeat(60)}0 * * * *` }, { cron: 'This is too long: use at most 100 characters.' }],
    [
      { kind: 'oncalendar', oncalendar: '0 2 * * *' },
      { oncalendar: '‘0 2 * * *’ has 5 words, so it would be read as cron. Choose Cron, or use fewer words.' },
    ],
    [{ kind: 'cron', cron: '0 2 * * *', tz: '' }, { tz: 'Type a time zone, such as Europe/Riga or UTC.' }],
    [{ kind: 'cron', cron: '0 2 * * *', tz: 'Atlantis' }, { tz: 'Atlantis is not a time zone.' }],
    [{ kind: 'cron', cron: '0 2 * * *', tz: 'europe/riga' }, { tz: 'europe/riga is not a time zone. Europe/Riga?' }],
  ])('says what is wrong with %j', async (fields, errors) => {
    const { status, text } = await create(fields as Fields)
    expect([status, errorsOf(text)]).toEqual([422, errors as Record<string, string>])
    expect(await all()).toEqual([])
  })

  test('ignores what was typed for another kind of schedule, and keeps it in the form', async () => {
    const other = { cron: 'rubbish', tz: 'Atlantis', oncalendar: 'rubbish too' }
    expect((await create(other)).status).toBe(303)
    const { text } = await create({ ...other, period: '' })
    expect(text).toMatch(/name="cron"[^>]* value="rubbish"/)
    expect(text).toContain('rubbish too</textarea>')
  })

  test('is asked about once when another check has its slug', async () => {
    await make({ name: 'Old & <good>', slug: 'nightly-backup' })
    const { status, text } = await create()
    expect(status).toBe(422)
    expect(errorsOf(text)).toEqual({
      slug: 'The slug is taken by another check, ‘Old &amp; &lt;good&gt;’; pings by slug would be ambiguous. Change the slug, or save again to keep it.',
    })
    expect(text).toMatch(/id="slug"[^>]* value="nightly-backup"/)
    expect(text).toContain('name="shared-slug" value="nightly-backup"')
    expect(await all()).toHaveLength(1)
    expect((await create({ slug: 'nightly-backup', 'shared-slug': 'nightly-backup' })).status).toBe(303)
    expect(await all()).toHaveLength(2)
  })

  test('is asked about again when the slug is changed to another one that is taken', async () => {
    await make({ slug: 'a' })
    expect((await create({ slug: 'a', 'shared-slug': 'b' })).status).toBe(422)
  })

  test('is in the audit log with who made it', async () => {
    t.clock.advance({ minutes: 1 })
    await create()
    expect(await t.app.deps.store.audit.list(1)).toMatchObject([
      { author: { kind: 'person', name: member.account.email }, action: 'create' },
    ])
  })
})

describe('editing a check', () => {
  const path = (check: Check) => `${CHECKS}/${check.publicId}/edit?tab=details`

  test('changes name, slug, tags and description, and nothing else', async () => {
    const ops = await channel('Ops')
    const check = await make({ name: 'Old', slug: 'old', schedule: '0 2 * * *', tz: 'Europe/Riga', channels: ops.id })
    const { text } = await member.get(path(check))
    expect(text).toMatch(/id="name"[^>]* value="Old"/)
    const fields = { name: 'New', slug: '', tags: 'db', desc: 'Call Ann' }
    const answer = await member.post(path(check), fields)
    expect([answer.status, answer.location]).toEqual([303, `${CHECKS}/${check.publicId}?done=saved`])
    expect(await stored(check.id)).toEqual({
      check: { ...check, name: 'New', slug: '', tags: 'db', desc: 'Call Ann' },
      channelIds: [ops.id],
    })
  })

  test('shows the problems at their fields', async () => {
    const check = await make()
    const { status, text } = await member.post(path(check), { name: 'x'.repeat(101), slug: 'A B' })
    expect(status).toBe(422)
    expect(Object.keys(errorsOf(text))).toEqual(['name', 'slug'])
    expect(await stored(check.id)).toMatchObject({ check })
  })

  test('says that another check has the slug, without asking about it', async () => {
    await make({ name: 'First', slug: 'same' })
    const check = await make({ name: 'Second', slug: 'same' })
    expect((await member.get(path(check))).text).toContain('has the same slug')
    expect((await member.post(path(check), { name: 'Second, renamed', slug: 'same' })).status).toBe(303)
  })

  test('asks about a slug that another check has', async () => {
    await make({ name: 'First', slug: 'same' })
    const check = await make({ name: 'Second', slug: 'other' })
    const { status, text } = await member.post(path(check), { name: 'Second', slug: 'same' })
    expect([status, Object.keys(errorsOf(text))]).toEqual([422, ['slug']])
    expect((await member.post(path(check), { name: 'x', slug: 'same', 'shared-slug': 'same' })).status).toBe(303)
  })

  test('keeps a long description that the API took', async () => {
    const desc = `\n${'ж<'.repeat(40_000)}`
    const check = await make({ name: 'Backup', desc })
    expect((await member.get(path(check))).text).toContain(
      `<textarea id="desc" name="desc" rows="3" aria-describedby="desc-help">\n\n`,
    )
    expect((await member.post(path(check), { name: 'Backup', desc })).status).toBe(303)
    expect((await stored(check.id))?.check.desc).toBe(desc.trim())
  })
})

describe('the alerts of a check', () => {
  const path = (check: Check) => `${CHECKS}/${check.publicId}/edit?tab=alerts`
  const NO_ONE = '<b>This check alerts no one.</b>'

  test('go to the integrations whose switches are on, and nothing else changes', async () => {
    const [ops, night] = [await channel('Ops'), await channel('Night')]
    const check = await make({ name: 'Backup', slug: 'backup', channels: ops.id })
    const { text } = await member.get(path(check))
    expect(text).toMatch(new RegExp(`name="to-${ops.id}" value="on" checked`))
    expect(text).toMatch(new RegExp(`name="to-${night.id}" value="on">`))
    expect(text).toContain('aria-current="page">Alerts <small>1</small>')
    t.clock.advance({ minutes: 1 })
    const answer = await member.post(path(check), { [`to-${night.id}`]: 'on' })
    expect([answer.status, answer.location]).toEqual([303, `${CHECKS}/${check.publicId}?done=integrations-saved`])
    expect(await stored(check.id)).toEqual({ check, channelIds: [night.id] })
    expect(await t.app.deps.store.audit.list(1)).toMatchObject([
      { author: { kind: 'person', name: member.account.email }, action: 'edit' },
    ])
  })

  test('that go to no one are said so, before and while that is chosen', async () => {
    const check = await make({ channels: '' })
    expect((await member.get(path(check))).text).toContain(`${NO_ONE} The project has no integrations.`)
    expect((await member.get(path(check))).text).not.toContain('Save alerts')
    const ops = await channel('Ops')
    const { text } = await member.get(path(check))
    expect(text).toContain(`<div class="note late">`)
    expect(text).toContain(`${NO_ONE}</p>`)
    const chosen = (fields: Fields) => member.post(`${CHECKS}/${check.publicId}/edit/alerts/preview`, fields)
    expect((await chosen({ [`to-${ops.id}`]: 'on' })).text).not.toContain(NO_ONE)
    expect((await chosen({})).text).toContain(NO_ONE)
  })

  test('tells how many messages its alerts would have been, to the integrations that it has and to those that are on', async () => {
    const [ops, night] = [await channel('Ops'), await channel('Night')]
    const check = await make({ timeout: 3_600, grace: 600, channels: '*' })
    const told = async (fields: Fields) =>
      wordsOf((await member.post(`${CHECKS}/${check.publicId}/edit/alerts/preview`, fields)).text)
    expect(await told({ [`to-${ops.id}`]: 'on' })).toBe('')
    await ping(check)
    t.clock.advance({ hours: 2 })
    await ping(check)
    const both = { [`to-${ops.id}`]: 'on', [`to-${night.id}`]: 'on' }
    const words = 'Over the last 2 h only, with 2 runs: 1 alert, 2 messages to 2 integrations'
    expect(await told(both)).toBe(`${words}.`)
    expect((await member.get(path(check))).text).toContain('2 messages to 2 integrations.')
    expect(await told({ [`to-${ops.id}`]: 'on' })).toBe(`${words} → 1 message to 1.`)
  })
})

describe('the schedule of a check', () => {
  const path = (check: Check) => `${CHECKS}/${check.publicId}/edit?tab=schedule`
  const { name: _, slug: __, tags: ___, desc: ____, ...SCHEDULE } = FORM

  test('is shown as it is, in the largest unit that fits', async () => {
    const simple = await make({ timeout: 5_400, grace: 172_800 })
    const { text } = await member.get(path(simple))
    expect(text).toMatch(/name="period"[^>]* value="90".*?<option selected>minutes/)
    expect(text).toMatch(/name="grace"[^>]* value="2".*?<option selected>days/)
    const cron = await make({ schedule: '0 2 * * *', tz: 'Asia/Tokyo' })
    expect((await member.get(path(cron))).text).toMatch(/id="cron"[^>]* value="0 2 \* \* \*"/)
    expect((await member.get(path(cron))).text).toMatch(/id="tz"[^>]* value="Asia\/Tokyo"/)
    const calendar = await make({ schedule: 'Mon 02:00\nTue 03:00' })
    expect((await member.get(path(calendar))).text).toContain('\nMon 02:00\nTue 03:00</textarea>')
  })

  test('changes from one kind to another, and nothing else changes', async () => {
    const check = await make({ name: 'Backup', tags: 'db' })
    const fields = { ...SCHEDULE, kind: 'cron', cron: '*/5 * * * *', grace: '2', 'grace-unit': 'minutes' }
    const answer = await member.post(path(check), fields)
    expect([answer.status, answer.location]).toEqual([303, `${CHECKS}/${check.publicId}?done=schedule-saved`])
    const changed = { kind: 'cron', schedule: '*/5 * * * *', tz: 'Europe/Riga', graceSeconds: 120 } as const
    expect((await stored(check.id))?.check).toEqual({ ...check, ...changed })
    await member.post(path(check), { ...fields, kind: 'simple', period: '10', 'period-unit': 'minutes' })
    expect((await stored(check.id))?.check).toEqual({ ...check, ...changed, kind: 'simple', timeoutSeconds: 600 })
  })

  test.each(['cron', 'oncalendar'])('may be a word of cron in the field %s', async (kind) => {
    const check = await make()
    expect((await member.post(path(check), { ...SCHEDULE, kind, [kind]: '@daily' })).status).toBe(303)
    expect((await stored(check.id))?.check).toMatchObject({ kind: 'cron', schedule: '0 0 * * *' })
  })

  test('does not change the status of a check that it makes overdue, as in the API', async () => {
    const check = await make({ timeout: 86_400 })
    await ping(check)
    t.clock.advance({ hours: 2 })
    await member.post(path(check), {
      ...SCHEDULE,
      period: '1',
      'period-unit': 'minutes',
      grace: '1',
      'grace-unit': 'minutes',
    })
    expect((await stored(check.id))?.check.status).toBe('up')
  })

  test('names the outage that nobody would have heard of, before it is saved', async () => {
    const check = await make({ timeout: 3_600, grace: 600 })
    for (const hours of [1, 1, 1, 3, 1]) {
      t.clock.advance({ hours })
      await ping(check)
    }
    const saving = async (grace: string) => {
      const { text } = await member.post(`${CHECKS}/${check.publicId}/edit/schedule/preview`, {
        ...SCHEDULE,
        period: '60',
        'period-unit': 'minutes',
        grace,
        'grace-unit': 'minutes',
      })
      return wordsOf(
        /<div id="saving" role="status">(.*?)<\/div>\n?/s.exec(text)?.[1]?.replace(/<svg.*<\/svg>/s, '') ?? 'none',
      )
    }
    expect(await saving('10')).toBe('')
    expect(await saving('300')).toStartWith('Save anyway? The outage reported at ')
    expect((await member.get(path(check))).text).toContain('<div id="saving" role="status"></div>')
  })

  test('shows the problems at their fields', async () => {
    const check = await make()
    const { status, text } = await member.post(path(check), { ...SCHEDULE, period: '0', grace: '' })
    expect([status, Object.keys(errorsOf(text))]).toEqual([422, ['period', 'grace']])
    expect((await stored(check.id))?.check).toEqual(check)
  })
})

describe('one page with four tabs', () => {
  const path = ({ publicId }: Check, page = 'edit') => `${CHECKS}/${publicId}/${page}`

  test('shows the details, unless its address names another tab', async () => {
    const check = await make({ name: '<b>x', failure_kw: 'ERROR', methods: 'POST' })
    const here = async (query: string) => {
      const { text } = await member.get(path(check) + query)
      expect(text).toContain('<h1>Edit <bdi>&lt;b&gt;x</bdi></h1>')
      const [, tabs = ''] = /<nav class="tabs"[^>]*>(.*?)<\/nav>/.exec(text) ?? []
      expect(wordsOf(tabs)).toBe('Details Schedule Rules 2 Alerts none')
      return /aria-current="page">(\w+)/.exec(tabs)?.[1]
    }
    expect(await here('')).toBe('Details')
    expect(await here('?tab=nothing')).toBe('Details')
    expect(await here('?tab=schedule')).toBe('Schedule')
    expect(await here('?tab=rules')).toBe('Rules')
    expect(await here('?tab=alerts')).toBe('Alerts')
  })

  test('is where the former addresses lead, with their query', async () => {
    const check = await make()
    const led = async (page: string) => (await member.get(path(check, page))).location
    expect(await led('schedule')).toBe(path(check, 'edit?tab=schedule'))
    expect(await led('schedule?fix=zone.0')).toBe(path(check, 'edit?tab=schedule&fix=zone.0'))
    expect(await led('rules?try=newest&tab=x')).toBe(path(check, 'edit?tab=rules&try=newest'))
    expect((await member.get(`${CHECKS}/nothing/schedule`)).status).toBe(404)
  })

  test('tells the script when it holds what was refused', async () => {
    const check = await make()
    expect((await member.get(path(check))).text).toContain('data-unsaved="false"')
    expect((await member.post(path(check), { name: 'x'.repeat(101) })).text).toContain('data-unsaved="true"')
  })
})

describe('a crontab line in the place of an expression', () => {
  const LINE = '*/5 * * * * /usr/local/bin/backup.sh --all'

  test('gives the schedule and the name of a new check', async () => {
    const { text } = await member.post(`${CHECKS}/new/preview`, { ...FORM, name: '', kind: 'cron', cron: LINE })
    expect(text).toContain('Every 5 minutes, Europe/Riga.')
    const [, fill = ''] = /data-fill="(.*?)"/.exec(text) ?? []
    expect(JSON.parse(fill.replaceAll('&quot;', '"'))).toEqual({ cron: '*/5 * * * *', name: 'backup.sh' })
    await member.post(`${CHECKS}/new`, { ...FORM, name: '', kind: 'cron', cron: LINE })
    expect(await all()).toMatchObject([{ name: 'backup.sh', slug: 'backupsh', schedule: '*/5 * * * *' }])
  })

  test('is filled in by a button without the script', async () => {
    const sent = { ...FORM, name: '', kind: 'cron', cron: LINE, action: 'preview' }
    const { text } = await member.post(`${CHECKS}/new`, sent)
    expect(text).toMatch(/id="cron"[^>]* value="\*\/5 \* \* \* \*"/)
    expect(text).toMatch(/id="name"[^>]* value="backup.sh"/)
    expect(text).not.toContain('This is a crontab line with the schedule')
  })

  test('names a check only if it has no name', async () => {
    const [named, nameless] = [await make({ name: 'Backup' }), await make({ name: '' })]
    const path = ({ publicId }: Check) => `${CHECKS}/${publicId}/edit?tab=schedule`
    expect((await member.get(path(named))).text).not.toContain('id="name"')
    expect((await member.get(path(nameless))).text).toContain('This check has no name yet.')
    for (const check of [named, nameless]) {
      await member.post(path(check), { ...FORM, name: '', kind: 'cron', cron: `@daily root ${LINE.slice(12)}` })
    }
    expect((await stored(named.id))?.check).toMatchObject({ name: 'Backup', schedule: '0 0 * * *' })
    expect((await stored(nameless.id))?.check).toMatchObject({ name: 'backup.sh', schedule: '0 0 * * *' })
  })
})

describe('copying a check', () => {
  test('makes another one with the same settings and integrations, and opens it', async () => {
    const ops = await channel('Ops')
    const check = await make({ name: 'Backup', slug: 'backup', timeout: 600, channels: ops.id })
    await ping(check)
    const path = `${CHECKS}/${check.publicId}/copy`
    expect((await member.get(path)).text).toContain('Its alerts go to the same integration.')
    const { location } = await member.post(path)
    const copy = (await all()).find(({ id }) => id !== check.id)
    expect(location).toBe(`${CHECKS}/${copy?.publicId}?done=check-copied`)
    expect(copy).toMatchObject({ name: 'Backup (copy)', slug: 'backup-copy', timeoutSeconds: 600, nPings: 0 })
  })
})

describe('transferring a check', () => {
  const path = (check: Check) => `${CHECKS}/${check.publicId}/transfer`

  test('offers the projects in which the reader may write, and moves it with its log', async () => {
    const [to, readable, hidden] = await Promise.all(
      ['Other', 'Readable', 'Hidden'].map(async (name) => (await createProject(t.app.deps, name)).project),
    )
    if (!to || !readable || !hidden) throw new Error('no projects')
    await setRole(t, member.account, 'member', to)
    await setRole(t, member.account, 'read-only', readable)
    const [old, target] = [await channel('Old'), await channel('Target', to)]
    const check = await make({ name: 'Backup', channels: old.id })
    await ping(check)
    const { text } = await member.get(path(check))
    const options = [...text.matchAll(/<option value="([^"]*)"/g)].map(([, value]) => value)
    expect(options).toEqual(['', to.slug])
    expect(text).toContain('All integrations of the other project will get its alerts.')
    expect(text).toContain('The integration of <bdi>Tests</bdi> no longer gets them')
    const answer = await member.post(path(check), { to: to.slug })
    expect([answer.status, answer.location]).toEqual([
      303,
      `/p/${to.slug}/checks/${check.publicId}?done=check-transferred`,
    ])
    const moved = await stored(check.id)
    expect(moved).toMatchObject({ check: { projectId: to.id, nPings: 1 }, channelIds: [target.id] })
    expect((await member.get(path(check))).status).toBe(404)
  })

  test('needs a project in which the reader may write', async () => {
    const { project: readable } = await createProject(t.app.deps, 'Readable')
    await setRole(t, member.account, 'read-only', readable)
    const check = await make()
    expect((await member.get(path(check))).text).toContain('There is no other project where you can change checks.')
    for (const to of ['', readable.slug, 'tests', 'nowhere']) {
      expect((await member.post(path(check), { to })).status).toBe(422)
    }
    expect((await stored(check.id))?.check.projectId).toBe(t.project.id)
  })

  test('asks for a project where none was chosen', async () => {
    const { project: other } = await createProject(t.app.deps, 'Other')
    await setRole(t, member.account, 'manager', other)
    const { status, text } = await member.post(path(await make()), { to: '' })
    expect([status, errorsOf(text)]).toEqual([422, { to: 'Choose the project to move the check to.' }])
  })
})

describe.each(['clear', 'delete'])('%s', (word) => {
  const path = (check: Check) => `${CHECKS}/${check.publicId}/${word}`
  const isDone = async ({ id }: Check) => {
    const found = await stored(id)
    return word === 'delete' ? found === null : found?.check.status === 'new' && found.check.lastPingAt === null
  }

  test('asks for the name of a check that has pings, and says how many there are', async () => {
    const check = await make({ name: 'Old  CRM <sync>' })
    await ping(check)
    await ping(check)
    const { text } = await member.get(path(check))
    expect(text).toContain('<bdi>Old  CRM &lt;sync&gt;</bdi>')
    expect(text).toContain('2 pings received so far.')
    expect(text).toContain('Type its name to confirm')
    for (const confirm of ['', 'old crm <sync>', check.publicId]) {
      const answer = await member.post(path(check), { confirm })
      expect([answer.status, errorsOf(answer.text)]).toEqual([422, { confirm: 'That is not its name.' }])
      expect(answer.text).toMatch(/id="confirm"[^>]* aria-invalid="true"/)
      expect(await isDone(check)).toBe(false)
    }
    expect((await member.post(path(check), { confirm: ' Old CRM <sync> ' })).status).toBe(303)
    expect(await isDone(check)).toBe(true)
  })

  test('asks for nothing when no ping has come', async () => {
    const check = await make()
    expect((await member.get(path(check))).text).not.toContain('name="confirm"')
    expect((await member.post(path(check))).status).toBe(303)
    expect(await isDone(check)).toBe(true)
  })

  test.each(['', 'bell\u0007'])('asks for its id when nobody can type the name %j', async (name) => {
    const check = await make({ name })
    await ping(check)
    expect((await member.get(path(check))).text).toContain(`Type ${check.publicId} to confirm`)
    expect((await member.post(path(check), { confirm: name })).status).toBe(422)
    expect((await member.post(path(check), { confirm: check.publicId })).status).toBe(303)
    expect(await isDone(check)).toBe(true)
  })
})

test('a check that was deleted leads to the list, and one that was cleared to its page', async () => {
  const [first, second] = [await make({ name: 'a' }), await make({ name: 'b' })]
  expect((await member.post(`${CHECKS}/${first.publicId}/delete`)).location).toBe(`${CHECKS}?done=checks-deleted`)
  expect((await member.post(`${CHECKS}/${second.publicId}/clear`)).location).toBe(
    `${CHECKS}/${second.publicId}?done=check-cleared`,
  )
})

const TABS = ['details', 'schedule', 'rules', 'alerts'].map((tab) => `edit?tab=${tab}`)
const WORDS = [...TABS, 'copy', 'transfer', 'clear', 'delete']

test('a check of another project, or none, is not found', async () => {
  const { project: other } = await createProject(t.app.deps, 'Other')
  const theirs = await upsertCheck(t.app.deps, { ...t.actor, project: other }, { name: 'Theirs' }, false)
  for (const id of [theirs.check.publicId, theirs.check.id, '00000000', 'x']) {
    for (const word of WORDS) {
      expect((await member.get(`${CHECKS}/${id}/${word}`)).status).toBe(404)
      expect((await member.post(`${CHECKS}/${id}/${word}`, FORM)).status).toBe(404)
    }
  }
})

test('no form has the ping URL of its check in it', async () => {
  const check = await make()
  await ping(check)
  for (const word of WORDS)
    expect((await member.get(`${CHECKS}/${check.publicId}/${word}`)).text).not.toContain(check.id)
})
