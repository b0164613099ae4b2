/** Pings that arrived and did not count, while a check waits for one that does: alerts, pages, reminders, the log, the rules. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Check, CheckSpec } from '../../../../src/domain/check/check.ts'
import { createChannel } from '../../../../src/services/channels/channels.ts'
import { pauseCheck, upsertCheck } from '../../../../src/services/checks/checks.ts'
import { downSentences } from '../../../../src/services/mail/down-sentences.ts'
import { type Browser, memberWith } from '../../../support/browser.ts'
import { type TestApp, testApp } from '../../../support/test-app.ts'

let t: TestApp
let member: Browser
beforeEach(async () => {
  t = await testApp()
  member = await memberWith(t, 'member')
})
afterEach(() => t.close())

const add = async (spec: CheckSpec = {}) =>
  (await upsertCheck(t.app.deps, t.actor, { name: 'Job', timeout: 3_600, grace: 600, channels: '*', ...spec }, false))
    .check
const ping = async ({ id }: Check, path = '', method = 'POST', body?: string) =>
  (await t.call(method, `/ping/${id}${path}`, body === undefined ? {} : { body })).status
const times = async (count: number, work: () => Promise<unknown>) => {
  for (let n = 0; n < count; n++) await work()
}
const words = (html: string) =>
  html
    .replace(/<\/p>/g, ' ')
    .replace(/<[^>]+>/g, '')
    .replace(/\s+/g, ' ')
const pathOf = ({ publicId }: Check, more = '') => `/p/tests/checks/${publicId}${more}`
const now = async (check: Check) =>
  words(/<section class="card" id="now".*?<dl/s.exec((await member.get(pathOf(check))).text)?.[0] ?? '')
const listed = async () => words((await member.get('/p/tests/checks')).text)
/** Waits until the check is down, and returns the alert. */
async function alertOf(): Promise<string> {
  t.clock.advance({ minutes: 80 })
  await t.app.settle('overdue')
  await t.app.settle('deliveries')
  return t.sent.at(-1)?.body ?? ''
}
const slack = () =>
  createChannel(t.app.deps, t.actor, { kind: 'slack', name: 'Ops', settings: 'https://hooks.slack.test/x' })

describe('a check that only ignored pings reach', () => {
  test('says so in its alert, on its page, in lists and reminders', async () => {
    await slack()
    const check = await add({ filter_http_body: true, success_kw: 'done' })
    await ping(check, '', 'POST', 'done')
    t.clock.advance({ minutes: 5 })
    await times(5, () => ping(check, '/fail', 'POST', 'nothing'))
    const said = '5 pings have arrived since 12:00'
    expect(await alertOf()).toContain(`${said} UTC, but none counted: no keyword was found.`)
    expect(await now(check)).toContain(`${said}, but none counted. No keyword was found.`)
    for (const text of [await listed(), words((await member.get('/')).text)]) {
      expect(text).toContain(`${said}, but none counted: no keyword was found.`)
      expect(text).not.toContain('No ping since')
    }
    const reminder = await downSentences(t.app.deps, [check.id], 'UTC', t.clock.now())
    expect(reminder.get(check.id)).toStartWith(`${said}, but none counted: no keyword was found.`)
  })

  test('because of their method names it', async () => {
    await slack()
    const check = await add({ methods: 'POST' })
    await ping(check)
    await times(2, () => ping(check, '', 'GET'))
    expect(await alertOf()).toContain('none counted: they used GET; this check accepts only POST.')
  })

  test('from the beginning is new, and not without a ping', async () => {
    const check = await add({ filter_http_body: true, success_kw: 'done' })
    expect(await now(check)).toContain('New: no ping yet.')
    await times(6, () => ping(check))
    const text = await now(check)
    expect(text).toContain(
      'New: 6 pings have arrived, but none counted. No keyword was found. Monitoring starts with the first ping that counts.',
    )
    expect(text).not.toContain('no ping yet')
    expect(await listed()).toContain('6 pings have arrived, but none counted: no keyword was found.')
  })

  test('while it is paused says who must resume it', async () => {
    const check = await add({ manual_resume: true })
    await ping(check)
    await pauseCheck(t.app.deps, t.actor, check)
    await times(3, () => ping(check))
    expect(await now(check)).toContain(
      '3 pings have arrived since the check was paused; none will count until somebody resumes it.',
    )
  })

  test('says nothing of those before the last one that counted', async () => {
    await slack()
    const check = await add({ methods: 'POST' })
    await times(3, () => ping(check, '', 'GET'))
    await ping(check)
    expect(await alertOf()).toContain('No ping since 12:00 UTC.')
  })
})

describe('a check whose pings were refused', () => {
  test('says so in its alert, and on its page for a day', async () => {
    await slack()
    const check = await add()
    await ping(check)
    t.clock.advance({ minutes: 12 })
    await times(2, () => ping(check, '/3221225477'))
    await t.app.settle('refused')
    const said = 'for the exit status 3221225477: only 0 to 255 count. Send /fail for it.'
    expect(await now(check)).toContain(`Pings were refused twice, last at 12:12 ${said}`)
    const alert = await alertOf()
    expect(alert).toContain('No ping counted since 12:00 UTC.')
    expect(alert).toContain(`Pings were refused twice, last at 12:12 ${said}`)
    expect(await listed()).toContain(said)
    t.clock.advance({ hours: 24 })
    expect(await now(check)).not.toContain('refused')
  })

  test('shows what was sent as text', async () => {
    const check = await add()
    expect(await ping(check, '/%3Cimg%20src=x%3E')).toBe(404)
    await t.app.settle('refused')
    const { text } = await member.get(pathOf(check))
    expect(text).toContain('of a ping URL was refused')
    expect(text).not.toContain('<img src=x')
  })
})

describe('the log', () => {
  test('says why each ping was ignored', async () => {
    const check = await add({ methods: 'POST', filter_http_body: true, success_kw: 'done', manual_resume: true })
    await ping(check, '', 'GET')
    await ping(check, '', 'POST', 'all well')
    await pauseCheck(t.app.deps, t.actor, check)
    await ping(check)
    const log = words((await member.get(pathOf(check, '/log'))).text)
    for (const reason of ['sent by GET', 'no keyword was found: all well', 'the check was paused']) {
      expect(log).toContain(reason)
    }
    const opened = words((await member.get(pathOf(check, '/log/2'))).text)
    expect(opened).toContain('Ignored #2')
    expect(opened).toContain('Ignoredno keyword was found')
  })
})

describe('where bodies are searched', () => {
  test('the page of the rules and that of the check name the signals that do not count', async () => {
    const check = await add({ filter_http_body: true, success_kw: 'done' })
    const rules = words((await member.get(pathOf(check, '/edit?tab=rules'))).text)
    expect(rules).toContain('A suffix of the URL (/start, /fail, /log or an exit status) is ignored')
    const page = words((await member.get(pathOf(check))).text)
    expect(page).toContain('/start, /fail, /log and exit statuses do not count')
    const other = await add({ name: 'Other' })
    expect(words((await member.get(pathOf(other))).text)).not.toContain('exit statuses do not count')
  })
})
