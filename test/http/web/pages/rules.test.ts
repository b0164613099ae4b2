/** The page of a check's rules, and the box to try them in. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Check, CheckSpec } from '../../../../src/domain/check/check.ts'
import { pauseCheck, upsertCheck } from '../../../../src/services/checks/checks.ts'
import { type Fields, memberWith } from '../../../support/browser.ts'
import { wordsOf } from '../../../support/page-words.ts'
import { type TestApp, testApp } from '../../../support/test-app.ts'

let t: TestApp
let member: Awaited<ReturnType<typeof memberWith>>
beforeAll(async () => {
  t = await testApp()
  member = await memberWith(t, 'member')
})
afterAll(() => t.close())

const make = async (spec: CheckSpec = {}): Promise<Check> =>
  (await upsertCheck(t.app.deps, t.actor, { name: 'Backup', ...spec }, false)).check
const stored = async ({ id }: Check) => (await t.app.deps.store.checks.find(id))?.check
const pathOf = ({ publicId }: Check, page = '/edit?tab=rules') => `/p/tests/checks/${publicId}${page}`

/** Form fields that a browser sends for a check with default settings. */
const FORM: Fields = {
  failure_kw: '',
  success_kw: '',
  start_kw: '',
  filter_default_fail: 'ignore',
  methods: '',
  manual_resume: 'no',
  via: 'http',
  method: 'POST',
  end: '',
  subject: '',
  text: '',
}
const KEYWORDS: Fields = { failure_kw: 'ERROR, FATAL', success_kw: 'complete', start_kw: 'begin' }

describe('the fields', () => {
  const ALL: CheckSpec = {
    filter_subject: true,
    filter_body: true,
    filter_http_body: true,
    failure_kw: 'a, b',
    success_kw: '"c"',
    start_kw: 'd',
    filter_default_fail: true,
    methods: 'POST',
    manual_resume: true,
  }

  test('show what the check has', async () => {
    const check = await make(ALL)
    const { status, text } = await member.get(pathOf(check))
    expect(status).toBe(200)
    expect(text).toContain('<title>Edit rules – Backup – Tests – Overdue</title>')
    for (const name of ['filter_subject', 'filter_body', 'filter_http_body']) {
      expect(text).toContain(`name="${name}" value="on" checked`)
    }
    expect(text).toMatch(/name="failure_kw"[^>]* value="a, b"/)
    expect(text).toMatch(/name="success_kw"[^>]* value="&quot;c&quot;"/)
    expect(text).toMatch(/name="start_kw"[^>]* value="d"/)
    for (const field of ['name="filter_default_fail" value="fail"', 'name="methods" value="POST"'])
      expect(text).toContain(`${field} checked`)
    expect(text).toContain('name="manual_resume" value="yes" checked')
    expect(text).not.toContain(check.id)
  })

  test('are all saved, and nothing else of the check changes', async () => {
    const check = await make({ desc: 'mine', timeout: 600 })
    const form = { ...FORM, ...KEYWORDS, filter_subject: 'on', filter_body: 'on', filter_http_body: 'on' }
    const more = { filter_default_fail: 'fail', methods: 'POST', manual_resume: 'yes', success_kw: ' complete ' }
    const answer = await member.post(pathOf(check), { ...form, ...more })
    expect([answer.status, answer.location]).toEqual([303, `${pathOf(check, '')}?done=rules-saved`])
    expect(await stored(check)).toEqual({
      ...check,
      ...{ filterSubject: true, filterBody: true, filterHttpBody: true, filterDefaultFail: true },
      ...{ failureKw: 'ERROR, FATAL', successKw: 'complete', startKw: 'begin', methods: 'POST', manualResume: true },
    })
  })

  test('are taken back by a form without them', async () => {
    const check = await make(ALL)
    await member.post(pathOf(check), FORM)
    expect(await stored(check)).toMatchObject({
      ...{ filterSubject: false, filterBody: false, filterHttpBody: false, filterDefaultFail: false },
      ...{ failureKw: '', successKw: '', startKw: '', methods: '', manualResume: false },
    })
  })

  test('keep what was typed when it is too long to save', async () => {
    const check = await make()
    const { status, text } = await member.post(pathOf(check), { ...FORM, success_kw: 'x'.repeat(201), text: '<b>mine' })
    expect(status).toBe(422)
    expect(text).toContain('id="success_kw-error"')
    expect(text).toMatch(/name="success_kw"[^>]* aria-invalid="true"[^>]* autofocus/)
    expect(text).toContain('&lt;b&gt;mine</textarea>')
    expect(await stored(check)).toEqual(check)
  })

  test('explain what the deprecated fields of the API have left, until keywords change', async () => {
    const check = await make({ subject: '', subject_fail: 'ERR' })
    const words = 'an email without a keyword is a success'
    expect((await member.get(pathOf(check))).text).toContain(words)
    const form = { ...FORM, failure_kw: 'ERR', filter_subject: 'on' }
    const email = { via: 'email', subject: 'all well' }
    expect((await member.post(pathOf(check, '/edit/rules/preview'), { ...form, ...email })).text).toContain(
      'would be a success',
    )
    const other = { ...form, ...email, failure_kw: 'ERROR' }
    expect((await member.post(pathOf(check, '/edit/rules/preview'), other)).text).toContain('would be ignored')
    await member.post(pathOf(check), form)
    expect((await stored(check))?.mailDefaultSuccess).toBe(true)
    await member.post(pathOf(check), { ...form, failure_kw: 'ERROR' })
    expect((await member.get(pathOf(check))).text).not.toContain(words)
  })
})

describe('the box to try', () => {
  /** Returns the text of the answer. */
  const tried = async (fields: Fields, spec: CheckSpec = {}) => {
    const { status, text } = await member.post(pathOf(await make(spec), '/edit/rules/preview'), { ...FORM, ...fields })
    expect(status).toBe(200)
    expect(text).toStartWith('<div id="tried" role="status">')
    return text
      .replace(/<svg.*?<\/svg>/g, '')
      .replace(/<mark>(.*?)<\/mark>/g, '[$1]')
      .replace(/<\/p>\n?|<pre/g, ' $&')
      .replace(/<[^>]*>/g, '')
      .replace(/\s+/g, ' ')
      .trim()
  }
  const http = { ...KEYWORDS, filter_http_body: 'on' }
  const email = { ...KEYWORDS, filter_subject: 'on', filter_body: 'on', via: 'email' }
  const IGNORED = 'This would be ignored: logged without changing the status.'

  test.each([
    [
      { ...http, text: '3 files\r\nERROR: disk full\r\ncomplete' },
      'This would be a failure. ‘ERROR’ is in line 2 of the body. Success and start keywords are then not searched for. [ERROR]: disk full',
    ],
    [
      { ...email, subject: 'now complete', text: 'begin' },
      'This would be a success. ‘complete’ is in the subject. There is no failure keyword. Start keywords are then not searched for. now [complete]',
    ],
    [
      { ...email, text: 'begin' },
      'This would be a start. ‘begin’ is in line 1 of the text. There is no failure or success keyword. [begin]',
    ],
    [{ ...http, text: 'nothing' }, `${IGNORED} The body contains no keyword.`],
    [{ ...http, text: '', filter_default_fail: 'fail' }, 'This would be a failure. The body contains no keyword.'],
    [{ ...email, text: 'x' }, `${IGNORED} The subject or the text contains no keyword.`],
    [
      { ...http, end: '/fail', text: 'complete' },
      'This would be a success. ‘complete’ is in line 1 of the body. There is no failure keyword. Start keywords are then not searched for. The URL suffix /fail is ignored, because request bodies are searched. [complete]',
    ],
    [
      { ...http, text: `${'.'.repeat(10_000)}ERROR` },
      `${IGNORED} The body contains no keyword. Only its first 10,000 bytes are searched.`,
    ],
    [{}, 'This would be a success. The URL has no suffix.'],
    [
      { ...KEYWORDS, text: 'ERROR' },
      'This would be a success. The URL has no suffix. Request bodies are not searched for keywords.',
    ],
    [{ end: '/start' }, 'This would be a start. The URL ends in /start.'],
    [{ end: '/log' }, 'This would be logged without changing the status. The URL ends in /log.'],
    [{ end: '/0' }, 'This would be a success. The URL ends in the exit status 0.'],
    [{ end: '/1' }, 'This would be a failure. The URL ends in an exit status other than 0.'],
    [{ methods: 'POST', method: 'GET' }, `${IGNORED} Only POST requests count, and this is a GET request.`],
    [
      { ...KEYWORDS, via: 'email', methods: 'POST', subject: 'ERROR' },
      'This would be a success. Emails are not searched for keywords, so every email is a success.',
    ],
    [
      { paused: 'on', manual_resume: 'yes' },
      `${IGNORED} The check is paused, and stays paused until someone resumes it.`,
    ],
    [{ paused: 'on', end: '/fail' }, 'This would be a failure. The URL ends in /fail. It would resume the check.'],
    [{ paused: 'on', end: '/log' }, 'This would be logged without changing the status. The URL ends in /log.'],
  ] as [Fields, string][])('%j', async (fields, expected) => {
    expect(await tried(fields)).toBe(expected)
  })

  test('takes the rules as they are typed, and saves nothing', async () => {
    const check = await make({ filter_http_body: true, failure_kw: 'old' })
    const { text } = await member.post(pathOf(check, '/edit/rules/preview'), { ...FORM, ...http, text: 'old ERROR' })
    expect(text).toContain('<mark><bdi>ERROR</bdi></mark>')
    expect(await stored(check)).toEqual(check)
  })

  test('says which rule could not be saved, and tries nothing', async () => {
    expect(await tried({ start_kw: 'x,'.repeat(150) })).toBe(
      'Start keywords: This is too long: use at most 200 characters.',
    )
  })

  test('shows what surrounds the keyword of a long line, escaped', async () => {
    const text = `${'a'.repeat(200)}<i>ERROR<script>${'b'.repeat(200)}`
    const answer = await member.post(pathOf(await make(), '/edit/rules/preview'), { ...FORM, ...http, text })
    expect(answer.text).toContain(
      `<bdi>…${'a'.repeat(77)}&lt;i&gt;</bdi><mark><bdi>ERROR</bdi></mark><bdi>&lt;script&gt;${'b'.repeat(72)}…</bdi>`,
    )
  })

  test('takes only methods and ends of URLs that it offers, and the beginning of a long text', async () => {
    expect(await tried({ method: 'PATCH', end: '/../x', via: 'fax', methods: 'POST' })).toContain('would be a success')
    expect(await tried({ ...email, text: `${'.'.repeat(30_000)}ERROR` })).toContain('contains no keyword')
  })

  test('begins with an email when keywords are looked for in emails alone, and paused when the check is', async () => {
    const emails = await make({ filter_subject: true })
    expect((await member.get(pathOf(emails))).text).toContain('name="via" value="email" checked')
    const paused = await make({ filter_subject: true, filter_http_body: true })
    await pauseCheck(t.app.deps, t.actor, paused)
    const { text } = await member.get(pathOf(paused))
    expect(text).toContain('name="via" value="http" checked')
    expect(text).toContain('name="paused" value="on" checked')
  })

  test('answers a browser without scripts with the page', async () => {
    const check = await make()
    const fields = { ...FORM, ...http, text: 'an ERROR', action: 'try' }
    const { status, text } = await member.post(pathOf(check), fields)
    expect(status).toBe(200)
    expect(text).toMatch(/<noscript><button[^>]* name="action" value="try">Try rules<\/button><\/noscript>/)
    expect(text).toContain('an ERROR</textarea>')
    expect(text).toContain('<mark><bdi>ERROR</bdi></mark>')
    expect(text).toMatch(/name="failure_kw"[^>]* value="ERROR, FATAL"/)
    expect(await stored(check)).toEqual(check)
  })
})

describe('the pings of the log', () => {
  const SENT = { method: 'POST' } as const
  /** Makes an hourly check with these bodies in its log. */
  async function withLog(bodies: readonly string[]): Promise<Check> {
    const check = await make({ timeout: 3_600, grace: 600 })
    for (const body of bodies) {
      t.clock.advance({ hours: 1 })
      await t.call('POST', `/ping/${check.id}`, { body })
    }
    return check
  }
  const past = async (check: Check, fields: Fields) => {
    const { text } = await member.post(pathOf(check, '/edit/rules/preview'), { ...FORM, ...SENT, ...fields })
    const [, part = ''] = /<div id="past" role="status">(.*?)<\/div>\n?<div id="saving"/s.exec(text) ?? []
    const [, saving = ''] = /<div id="saving" role="status">(.*)<\/div>/s.exec(text) ?? []
    return { past: wordsOf(part.replace(/<svg.*?<\/svg>/gs, '')), saving: wordsOf(saving) }
  }

  test('are read again by the rules as they are typed', async () => {
    const check = await withLog(['copied 3', 'copied 4', 'disk full', 'copied 5'])
    const { past: words, saving } = await past(check, {
      filter_http_body: 'on',
      success_kw: 'copied',
      failure_kw: 'full',
    })
    expect(words).toStartWith(
      'Your pings against these rules 1 of the last 4 pings would count differently: 1 as a failure. Over the last 3 h only, with 4 runs: 1 alert instead of 0.',
    )
    expect(saving).toBe('')
  })

  test('name an outage that nobody would hear of', async () => {
    const check = await withLog(['a', 'b', 'c'])
    await t.call('POST', `/ping/${check.id}/fail`, { body: 'fine' })
    const found = await past(check, {
      filter_http_body: 'on',
      success_kw: 'a, b, c, fine',
      filter_default_fail: 'fail',
    })
    expect(found.past).toContain('0 alerts instead of 1.')
    expect(found.saving).toStartWith('Save anyway? The current outage')
  })

  test('stay as they are where the log does not keep what decides', async () => {
    const check = await withLog(['a', 'b'])
    await member.post(pathOf(check), { ...FORM, methods: 'POST' })
    await t.call('GET', `/ping/${check.id}`)
    const { past: words } = await past(check, { methods: '' })
    expect(words).toContain('None of the last 3 pings would count differently. 1 could not be tried, and count')
  })

  test('are not read for the rules that the check has, nor for a mistake', async () => {
    const check = await withLog(['a'])
    expect((await past(check, {})).past).toBe('')
    expect((await past(check, { failure_kw: 'x'.repeat(1_000) })).past).toBe('')
  })
})

describe('the page of a check', () => {
  test('leads to the rules for members, and shows them to everybody', async () => {
    const check = await make({ filter_http_body: true, failure_kw: 'ERROR' })
    const reader = await memberWith(t, 'read-only')
    const [own, theirs] = [(await member.get(pathOf(check, ''))).text, (await reader.get(pathOf(check, ''))).text]
    for (const text of [own, theirs]) expect(text).toContain('Keywords in request bodies')
    expect(own).toContain(`href="${pathOf(check)}"`)
    expect(theirs).not.toContain('/edit')
  })
})
