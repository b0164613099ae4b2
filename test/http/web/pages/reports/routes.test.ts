/** The reports and reminders of email integrations: in a project, and those to one's own address. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { operatorIn } from '../../../../../src/domain/actor.ts'
import type { Channel } from '../../../../../src/domain/channel/channel.ts'
import type { Check } from '../../../../../src/domain/check/check.ts'
import type { Project } from '../../../../../src/domain/project.ts'
import { createChannel } from '../../../../../src/services/channels/channels.ts'
import { upsertCheck } from '../../../../../src/services/checks/checks.ts'
import { sendMailings } from '../../../../../src/services/mail/mailings.ts'
import { createProject } from '../../../../../src/services/projects/projects.ts'
import { memberWith, setRole } from '../../../../support/browser.ts'
import { type TestApp, testApp } from '../../../../support/test-app.ts'

const PATH = '/p/tests/reports'
const OWN = '/account/reports'

let t: TestApp
let ann: Awaited<ReturnType<typeof memberWith>>
let ops: Channel
beforeEach(async () => {
  t = await testApp({ env: { EMAIL_HOST: 'mail.example.org' } })
  ann = await memberWith(t, 'member', { email: 'ann@example.org' })
  ops = await add('Ops', { value: 'ops@example.org', tz: 'Europe/Riga' })
})
afterEach(() => t.close())

const add = (name: string, settings: unknown, project: Project = t.project) =>
  createChannel(t.app.deps, operatorIn(project), { kind: 'email', name, settings })
const settingsOf = async ({ id }: Channel) => (await t.app.deps.store.channels.find(id))?.settings
const fieldsOf = ({ id }: Channel, report: string, reminder: string) => ({
  channel: id,
  [`report-${id}`]: report,
  [`reminder-${id}`]: reminder,
})
const addCheck = async (name = 'Backup'): Promise<Check> =>
  (await upsertCheck(t.app.deps, operatorIn(t.project), { name }, false)).check
const isChosen = (text: string, words: string) => text.includes(`selected>${words}</option>`)

test('a member sets what an integration gets, and sees when it is due', async () => {
  expect((await ann.get(PATH)).text).not.toContain('Next report')
  const answer = await ann.post(PATH, fieldsOf(ops, 'weekly', 'hourly'))
  expect([answer.status, answer.location]).toEqual([303, `${PATH}?done=reports-saved`])
  expect(await settingsOf(ops)).toEqual({
    value: 'ops@example.org',
    tz: 'Europe/Riga',
    report: 'weekly',
    reminder: 'hourly',
  })
  const { text } = await ann.get(PATH)
  expect(isChosen(text, 'Weekly') && isChosen(text, 'Hourly')).toBe(true)
  expect(text).toMatch(/<dt>Next report<\/dt><dd><time[^>]*>Mon \d+ \w+, \d\d:\d\d<\/time>/)
  expect(text).toContain('<dt>Next reminder</dt><dd>while a check is down</dd>')
  expect(await t.app.deps.store.mailings.nextAt()).not.toBeNull()
})

test('the audit log says who changed which setting', async () => {
  t.clock.advance({ minutes: 1 })
  await ann.post(PATH, fieldsOf(ops, 'weekly', 'off'))
  expect(await t.app.deps.store.audit.list(1)).toMatchObject([
    {
      author: { kind: 'person', name: 'ann@example.org' },
      action: 'edit',
      after: { changed_settings: ['report'] },
    },
  ])
  const entries = (await t.app.deps.store.audit.list(100)).length
  await ann.post(PATH, fieldsOf(ops, 'weekly', 'off'))
  expect(await t.app.deps.store.audit.list(100)).toHaveLength(entries)
})

test('an address alone gets options, and stays one while it asks for nothing', async () => {
  const plain = await add('Plain', 'plain@example.org')
  await ann.post(PATH, fieldsOf(plain, 'off', 'off'))
  expect(await settingsOf(plain)).toBe('plain@example.org')
  await ann.post(PATH, fieldsOf(plain, 'daily', 'off'))
  expect(await settingsOf(plain)).toEqual({ value: 'plain@example.org', report: 'daily' })
  await ann.post(PATH, fieldsOf(plain, 'off', 'off'))
  expect(await settingsOf(plain)).toEqual({ value: 'plain@example.org', report: 'off' })
})

test('a channel that is disabled stays so, and the page says why nothing is sent', async () => {
  await t.app.deps.store.channels.change(ops.id, (channel) => ({
    channel: { ...channel, disabledReason: 'no such <b>mailbox' },
  }))
  await ann.post(PATH, fieldsOf(ops, 'weekly', 'off'))
  expect(await t.app.deps.store.channels.find(ops.id)).toMatchObject({ disabledReason: 'no such <b>mailbox' })
  expect((await ann.get(PATH)).text).toContain('Nothing is sent: no such &lt;b&gt;mailbox.')
})

test('an integration of another project or kind is not found', async () => {
  const { project } = await createProject(t.app.deps, 'Neighbours')
  const theirs = await add('Theirs', 'theirs@example.org', project)
  const hook = await createChannel(t.app.deps, operatorIn(t.project), {
    kind: 'webhook',
    name: 'Hook',
    settings: { url: 'https://hooks.example.org/x' },
  })
  for (const channel of [theirs, hook]) {
    expect((await ann.post(PATH, fieldsOf(channel, 'weekly', 'off'))).status).toBe(404)
    expect((await ann.get(`${PATH}/${channel.id}`)).status).toBe(404)
    expect((await ann.get(`${PATH}/${channel.id}/email`)).status).toBe(404)
  }
  expect(await settingsOf(theirs)).toBe('theirs@example.org')
})

test('a reader sees what is sent, but no address, no form and no link that unsubscribes', async () => {
  await ann.post(PATH, fieldsOf(ops, 'weekly', 'daily'))
  const check = await addCheck()
  await t.call('POST', `/ping/${check.id}/fail`)
  const reader = await memberWith(t, 'read-only')
  const previews = [`${PATH}/${ops.id}`, `${PATH}/${ops.id}/email`]
  const pages = [PATH, ...previews.flatMap((path) => [`${path}?kind=report`, `${path}?kind=reminder`])]
  for (const path of pages) {
    const { status, text } = await reader.get(path)
    expect(status).toBe(200)
    for (const secret of ['ops@example.org', '/unsub/', check.id, `action="${PATH}"`])
      expect(text).not.toContain(secret)
  }
  expect((await reader.get(PATH)).text).toContain('<dt>Report</dt><dd>Weekly</dd><dt>Reminder</dt><dd>Daily</dd>')
})

test('the preview is the report that is sent', async () => {
  const check = await addCheck('Backup <b>of</b> the shop')
  await t.call('POST', `/ping/${check.id}`)
  await ann.post(PATH, fieldsOf(ops, 'daily', 'off'))
  t.clock.advance({ hours: 24 })
  await t.call('POST', `/ping/${check.id}`)
  const due = await t.app.deps.store.mailings.nextAt()
  if (due === null) throw new Error('no report is planned')
  t.clock.set(due.toString())
  const { text } = await ann.get(`${PATH}/${ops.id}`)
  await sendMailings(t.app.deps)
  const [mail] = t.mails
  expect(mail?.subject).toStartWith('Daily Report: Tests')
  expect(text).toContain(mail?.subject ?? '?')
  const line = mail?.text.split('\n').find((each) => each.startsWith('Project Tests.')) ?? '?'
  expect(text).toContain(line)
  expect(text).not.toContain('<b>of</b>')
  // Everything except the targets of links.
  const pattern = /<a href="[^"]*"/g
  const source = / src="([^"]+)"/.exec(text.slice(text.indexOf('<iframe')))?.[1]?.replaceAll('&amp;', '&') ?? '?'
  const shown = await ann.get(source)
  expect(shown.text).toBe((mail?.html ?? '?').replaceAll(pattern, '<a href="#"'))
  expect(shown.text.match(pattern)?.length).toBeGreaterThan(1)
})

test('the email in a preview has its colours, and can neither load nor run nor send anything, nor be framed by others', async () => {
  await t.call('POST', `/ping/${(await addCheck()).id}`)
  const page = await ann.get(`${PATH}/${ops.id}?kind=report&period=weekly`)
  expect(page.text).toContain(`sandbox src="${PATH}/${ops.id}/email?kind=report&amp;period=weekly"`)
  expect(page.headers.get('content-security-policy')).toEndWith("frame-src 'self'; frame-ancestors 'none'")
  const { headers, text } = await ann.get(`${PATH}/${ops.id}/email?kind=report&period=weekly`)
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none'; style-src 'unsafe-inline'; sandbox; form-action 'none'; base-uri 'none'; frame-ancestors 'self'",
  )
  expect([headers.get('x-frame-options'), headers.get('content-type')]).toEqual([
    'SAMEORIGIN',
    'text/html; charset=utf-8',
  ])
  expect(text).toContain('style="')
  expect(text).toContain('>Unsubscribe</a>')
  expect(text).not.toContain('/unsub/')
})

test('a preview says why nothing would be sent', async () => {
  await addCheck()
  expect((await ann.get(`${PATH}/${ops.id}?kind=report`)).text).toContain('has been pinged in the last 180 days')
  expect((await ann.get(`${PATH}/${ops.id}?kind=reminder`)).text).toContain('no check of this project is down')
  expect((await ann.get(`${PATH}/${ops.id}/email?kind=report`)).status).toBe(404)
})

test('any period can be previewed', async () => {
  await t.call('POST', `/ping/${(await addCheck()).id}`)
  for (const [period, title] of [
    ['daily', 'Daily Report'],
    ['weekly', 'Weekly Report'],
    ['monthly', 'Monthly Report'],
  ]) {
    expect((await ann.get(`${PATH}/${ops.id}?kind=report&period=${period}`)).text).toContain(`${title}: Tests`)
  }
})

test('the error of the last report is told to members', async () => {
  await t.call('POST', `/ping/${(await addCheck()).id}`)
  await ann.post(PATH, fieldsOf(ops, 'daily', 'off'))
  t.answerMailWith({ kind: 'refused', stage: 'recipient', status: 550, response: '550 no <i>mailbox</i>' })
  const due = await t.app.deps.store.mailings.nextAt()
  if (due === null) throw new Error('no report is planned')
  t.clock.set(due.toString())
  await sendMailings(t.app.deps)
  const { text } = await ann.get(PATH)
  expect(text).toContain('<dt>Last report</dt>')
  expect(text).toContain('550 no &lt;i&gt;mailbox&lt;/i&gt;')
  const reader = await memberWith(t, 'read-only')
  expect((await reader.get(PATH)).text).toContain('<dt>Last report</dt><dd>could not be sent</dd>')
})

test('long lists are shown in pages', async () => {
  for (let number = 1; number <= 100; number++) await add(`Team ${number}`, `team${number}@example.org`)
  const first = (await ann.get(PATH)).text
  expect(first).toContain(`href="${PATH}?from=100">Next 1<`)
  expect(first).not.toContain('Team 100<')
  expect((await ann.get(`${PATH}?from=100`)).text).toContain('Team 100<')
})

test('an account sees and sets what goes to its own address, in all projects', async () => {
  const { project } = await createProject(t.app.deps, 'Harbour')
  await setRole(t, ann.account, 'member', project)
  const mine = await add('Mine', { value: 'Ann@Example.org', report: 'monthly' }, project)
  const { text } = await ann.get(OWN)
  expect(text).toContain('<bdi>Harbour</bdi>: <bdi>Mine</bdi>')
  expect(text).not.toContain('ops@example.org')
  const answer = await ann.post(OWN, fieldsOf(mine, 'daily', 'off'))
  expect(answer.location).toBe(`${OWN}?done=reports-saved`)
  expect(await settingsOf(mine)).toMatchObject({ report: 'daily' })
})

test('an account sets neither what goes to others nor where its role does not let it', async () => {
  const { project } = await createProject(t.app.deps, 'Harbour')
  await setRole(t, ann.account, 'read-only', project)
  const mine = await add('Mine', { value: 'ann@example.org', report: 'monthly' }, project)
  expect((await ann.post(OWN, fieldsOf(ops, 'daily', 'off'))).status).toBe(404)
  expect((await ann.post(OWN, fieldsOf(mine, 'daily', 'off'))).status).toBe(403)
  await ann.post(OWN, { action: 'all-off' })
  expect(await settingsOf(mine)).toMatchObject({ report: 'monthly' })
  const { text } = await ann.get(OWN)
  expect(text).toContain('can only be changed by members of the project')
  expect(text).not.toContain('Turn all off')
})

test('one button turns all of them off', async () => {
  const channels = [
    await add('One', { value: 'ann@example.org', report: 'monthly' }),
    await add('Two', { value: 'ann@example.org', reminder: 'daily' }),
  ]
  const others = await settingsOf(ops)
  expect((await ann.get(OWN)).text).toContain('Turn all off')
  const answer = await ann.post(OWN, { action: 'all-off' })
  expect(answer.location).toBe(`${OWN}?done=reports-off`)
  expect(await Promise.all(channels.map(settingsOf))).toEqual([
    { value: 'ann@example.org', report: 'off' },
    { value: 'ann@example.org', reminder: 'off' },
  ])
  expect(await settingsOf(ops)).toEqual(others)
  expect((await ann.get(answer.location ?? '')).text).not.toContain('Turn all off')
})

test('what goes to an address is found over many projects, and shown in pages', async () => {
  for (let number = 1; number <= 51; number++) {
    t.clock.advance({ seconds: 1 })
    const { project } = await createProject(t.app.deps, `Shop ${number}`)
    await setRole(t, ann.account, number === 51 ? 'member' : 'read-only', project)
    await add('Others', 'others@example.org', project)
    await add(`Mine ${number}`, { value: 'ann@example.org', report: 'weekly' }, project)
  }
  const first = (await ann.get(OWN)).text
  expect(first).toContain('<bdi>Shop 1</bdi>: <bdi>Mine 1</bdi>')
  expect(first).toContain('<dt>Next report</dt>')
  expect(first).not.toContain('<bdi>Mine 51</bdi>')
  expect(first).not.toContain('Others')
  // For all of them, not only for the listed ones.
  expect(first).toContain('Turn all off')
  expect(first).toContain(`href="${OWN}?from=50">Next 1<`)
  const second = (await ann.get(`${OWN}?from=50`)).text
  expect(second).toContain('<bdi>Shop 51</bdi>: <bdi>Mine 51</bdi>')
  expect(second).not.toContain('<bdi>Mine 50</bdi>')
})
