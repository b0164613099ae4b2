/** The log of a check: its list, an opened ping, its body, and parts of them that are hidden from readers. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Check } from '../../../../../src/domain/check/check.ts'
import type { Signal } from '../../../../../src/domain/ping/signal.ts'
import { pauseCheck, upsertCheck } from '../../../../../src/services/checks/checks.ts'
import { createPingReceiver, type PingReceiver } from '../../../../../src/services/pings/pings.ts'
import { type Browser, memberWith } from '../../../../support/browser.ts'
import { aSignal, bytes, RID_A } from '../../../../support/builders.ts'
import { aChannel, anAuthor } from '../../../../support/store-builders.ts'
import { type TestApp, testApp } from '../../../../support/test-app.ts'

let t: TestApp
let pings: PingReceiver
let member: Browser
let check: Check
let path: string
beforeEach(async () => {
  t = await testApp()
  pings = createPingReceiver(t.app.deps)
  member = await memberWith(t, 'member', { tz: 'Europe/Riga' })
  await add({ name: 'Nightly backup', timeout: 3_600, grace: 600 })
})
afterEach(() => t.close())

async function add(spec: Readonly<Record<string, unknown>>): Promise<void> {
  check = (await upsertCheck(t.app.deps, t.actor, spec, false)).check
  path = `/p/tests/checks/${check.publicId}/log`
}
async function ping(given: Partial<Signal> = {}): Promise<void> {
  expect(await pings.receive({ kind: 'id', id: check.id }, aSignal(given))).toBe('ok')
}
const said = (text: string, given: Partial<Signal> = {}) => ping({ body: bytes(text), method: 'POST', ...given })
const wait = async (minutes: number) => {
  t.clock.advance({ minutes })
  await t.app.settle('overdue')
}
const page = async (query = '', browser = member) => (await browser.get(path + query)).text
/** Returns the events of the list. */
const events = (text: string) =>
  Array.from(text.matchAll(/<td class="what"><span>(.*?)<\/span><\/td>/g), ([, cell = '']) =>
    cell.replace(/<[^>]+>/g, ''),
  )
/** Returns the facts of an opened ping. */
const facts = (text: string) =>
  Object.fromEntries(
    Array.from(
      (text.split('<main')[1]?.split('</main>')[0] ?? '').matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g),
      ([, name = '', value = '']) => [name, value.replace(/<br>/g, ' / ').replace(/<[^>]+>/g, '')],
    ),
  )
const linkOf = (text: string, name: string) =>
  new RegExp(`href="([^"]*)"[^>]*(?:aria-label="${name}"|>${name}<)`).exec(text)?.[1]?.replaceAll('&amp;', '&')

const MAIL = (id: string) =>
  [
    `Received: from mx.example.org by mail.test for <${id}@mail.test>; Wed, 4 Mar 2026 12:00:00 +0000`,
    'From: =?utf-8?B?Sm9icyDinJM=?= <jobs@example.org>',
    `To: <${id}@mail.test>`,
    'Subject: =?utf-8?Q?Backup_=E2=9C=93_done?=',
    'Date: Wed, 4 Mar 2026 12:00:00 +0000',
    'Content-Type: multipart/alternative; boundary=b',
    '',
    '--b',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    `See https://overdue.test/ping/${id.slice(0, 20)}=`,
    `${id.slice(20)} =E2=9C=93`,
    '--b',
    'Content-Type: text/html',
    '',
    `<p onclick="x">All <b style="color:red">well</b> ${id}</p><script>alert(1)</script><img src=https://evil.example/>`,
    '--b--',
    '',
  ].join('\r\n')
const mailed = () =>
  ping({ scheme: 'email', method: '', ua: 'Email from jobs@example.org', body: bytes(MAIL(check.id)) })

describe('the list', () => {
  test('without a ping says what to do', async () => {
    const text = await page()
    expect(text).toContain('<h2>No pings yet</h2>')
    expect(text).toContain(`href="/p/tests/checks/${check.publicId}"`)
  })

  test('has the events of each day in the reader’s zone, and what is missing between them', async () => {
    await said('one\ntwo')
    await wait(150)
    await said('three', { action: 'fail', exitStatus: 2 })
    const text = await page()
    expect(events(text)).toEqual(['Failed #2', 'Late', 'Went down', 'Missing', 'Went up', 'OK #1'])
    expect(text).toContain('<th colspan="5" scope="rowgroup">Today, Wednesday 4 March</th>')
    expect(text).toContain('>16:30:00</time>')
    expect(text).toContain('4 events in the log, which keeps the newest 100 pings. Times are in Europe/Riga.')
  })

  test('shows the chosen kinds only; each chip adds or removes one', async () => {
    await ping()
    await ping({ action: 'start' })
    await ping({ action: 'fail' })
    expect(events(await page('?kind=failed&kind=start'))).toEqual(['Failed #3', 'Start #2'])
    expect(events(await page('?kind=up-and-down'))).toEqual(['Went down', 'Went up'])
    const text = await page('?kind=failed')
    expect(text).toContain(`href="${path}?kind=failed&amp;kind=start"`)
    expect(text).toMatch(/href="[^"?]*" aria-current="true"><svg[^>]*>.*?<\/svg>Failed/)
    expect(text).toContain('1 of 5 match failed')
    expect(events(await page('?kind=none&kind='))).toHaveLength(5)
  })

  test('shows what came until a minute of the reader’s zone', async () => {
    await said('before')
    t.clock.advance({ seconds: 59 })
    await said('within')
    t.clock.advance({ seconds: 1 })
    await said('after')
    expect(events(await page('?until=2026-03-04T14:00'))).toEqual(['OK #2', 'Went up', 'OK #1'])
    expect(await page('?until=2026-03-04T14:00')).toContain('Until 4 Mar 2026, 14:00')
    expect(events(await page('?until=yesterday'))).toHaveLength(4)
    expect(events(await page('?until=2026-02-31T14:00'))).toHaveLength(4)
  })

  test('says when nothing matches, and offers to show all', async () => {
    await ping()
    const text = await page('?kind=ignored&kind=log&until=2026-03-04T14:00')
    expect(text).toContain('No events match log or ignored, until 4 Mar 2026, 14:00.')
    expect(linkOf(text, 'Clear filters')).toBe(path)
  })

  test('leads through all that is kept, and back, with its filters', async () => {
    for (let count = 0; count < 120; count++) await ping({ action: count % 2 === 0 ? 'log' : 'start' })
    const seen: string[] = []
    let next: string | undefined = `${path}?kind=log&kind=start`
    let last = ''
    while (next !== undefined) {
      last = (await member.get(next)).text
      seen.push(...events(last))
      next = linkOf(last, 'Older events')
    }
    expect(seen).toEqual(
      Array.from({ length: 100 }, (_, index) => `${index % 2 === 0 ? 'Start' : 'Log'} #${120 - index}`),
    )
    const back = linkOf(last, 'Newer events') ?? ''
    expect(back).toContain('kind=start&kind=log')
    expect(events((await member.get(back)).text)).toContain('Start #120')
  })

  test('has no lines for what was not expected while the check was paused', async () => {
    await ping()
    await pauseCheck(t.app.deps, t.actor, check)
    await wait(600)
    expect(events(await page())).toEqual(['Paused', 'Went up', 'OK #1'])
  })
})

describe('an opened ping', () => {
  test('says when it came in three zones, how long it took, and from where', async () => {
    await add({ name: 'Cron', schedule: '0 12 * * *', tz: 'America/New_York', grace: 3_600 })
    await ping({ action: 'start', rid: RID_A })
    t.clock.advance({ seconds: 19, milliseconds: 408 })
    await said('no', { action: 'fail', exitStatus: 2, rid: RID_A })
    const text = await page('/2')
    expect(facts(text)).toEqual({
      Received:
        'Wed 4 Mar 2026, 14:00:19.408 Europe/Riga, yours / 07:00:19.408 America/New_York, of the check / 12:00:19.408 UTC',
      Took: '19 s since start #1, run aaaaa',
      'Exit status': '2',
      From: '192.0.2.7, HTTPS POST',
      Agent: 'curl/8.5.0',
      Alerts: 'no one was alerted: the check had no integrations',
    })
    expect(text).toContain('<title>(1) Failed #2 – Cron – Tests – Overdue</title>')
    expect(text).toContain(`<a href="${path}/1">start #1</a>`)
    expect(facts(await page('/1')).Run).toBe(RID_A)
  })

  test('of a failure says which keyword made it one, and where that is', async () => {
    await add({ filter_subject: true, filter_http_body: true, failure_kw: 'done, <b>', filter_default_fail: true })
    const mail = { subject: 'Backup ✓ done', body: '' }
    await ping({ scheme: 'email', method: '', mail, body: bytes(MAIL(check.id)) })
    expect(facts(await page('/1')).Reason).toBe('the keyword ‘done’ is in the subject, under the current rules')
    await said('a <b> c', { exitStatus: 0 })
    expect(facts(await page('/2')).Reason).toBe('the keyword ‘&lt;b&gt;’ is in the body, under the current rules')
    await ping()
    expect(facts(await page('/3')).Reason).toBe(
      'the body contains no keyword, which counts as a failure, under the current rules',
    )
  })

  test('says who was told because of it, and whether they know', async () => {
    const deps = t.app.deps
    for (const name of ['ops', 'pager']) await deps.store.by(anAuthor()).channels.create(aChannel(t.project, { name }))
    await add({ name: 'Told', channels: '*' })
    await ping({ action: 'fail' })
    expect(facts(await page('/1')).Alerts).toBe('ops: waiting, pager: waiting')
    await t.app.settle('deliveries')
    expect(facts(await page('/1')).Alerts).toBe('ops: sent, pager: sent')
    t.clock.advance({ seconds: 1 })
    await ping({ action: 'fail' })
    expect(facts(await page('/2')).Alerts).toBeUndefined()
  })

  test('stands beside the list, which keeps its filters and its place', async () => {
    for (let count = 0; count < 90; count++) await ping({ action: count % 2 === 0 ? 'log' : 'start' })
    const text = await page('/3?kind=log&older=10')
    expect(events(text)).toEqual(['Log #9', 'Log #7', 'Log #5', 'Log #3', 'Log #1'])
    expect(text).toContain('aria-current="true">Log #3</a>')
    expect(linkOf(text, 'Close')).toBe(`${path}?kind=log&older=10`)
    expect(linkOf(text, 'Newer ping')).toBe(`${path}/5?kind=log&older=10`)
    expect(linkOf(text, 'Older ping')).toBe(`${path}/1?kind=log&older=10`)
    const first = await page('/9?kind=log&older=10')
    expect(linkOf(first, 'Newer ping')).toBe(`${path}/11?kind=log`)
    expect(linkOf(await page('/90'), 'Newer ping')).toBeUndefined()
  })

  test('without a place opens the page of the list that has it', async () => {
    for (let count = 0; count < 90; count++) await ping({ action: 'log' })
    expect(await page('/10')).toContain('aria-current="true">Log #10</a>')
  })

  test('that is not kept, or is no number, is not found', async () => {
    await ping()
    for (const n of ['2', '0', '-1', 'x', '1e0', '99999999999999999999']) {
      expect([n, (await member.get(`${path}/${n}`)).status]).toEqual([n, 404])
      expect([n, (await member.get(`${path}/${n}/body`)).status]).toEqual([n, 404])
    }
    for (let count = 0; count < 100; count++) await ping()
    expect((await member.get(`${path}/1`)).status).toBe(404)
    expect((await member.get('/p/tests/checks/aaaaaaaa/log')).status).toBe(404)
  })
})

describe('a body', () => {
  const shownBody = (text: string) => /<pre[^>]*>([\s\S]*?)<\/pre>/.exec(text)?.[1]

  test('is text: escaped, with control characters as pictures', async () => {
    await said('<script>alert(1)</script>\r\n\tx\u0000\u001b[31m\u007f\u202e"\'')
    const text = await page('/1')
    expect(shownBody(text)).toBe('&lt;script&gt;alert(1)&lt;/script&gt;\n\tx␀␡\u202e&quot;&#39;')
    expect(text).toContain('bytes, not text</span>')
    expect(text).toContain(`href="${path}/1/body">Original</a>`)
  })

  test('of nothing, or that was dropped, says so', async () => {
    await ping()
    expect(await page('/1')).toContain('No body.')
    await t.close()
    t = await testApp({ env: { PING_LOG_BYTES: '1000' } })
    pings = createPingReceiver(t.app.deps)
    member = await memberWith(t, 'member')
    await add({ name: 'Full' })
    for (let count = 0; count < 3; count++) await said('x'.repeat(900))
    await t.app.settle('retention')
    const text = await page('/1')
    expect(text).toContain(
      'The body (900 bytes) was dropped, because the bodies in a check’s log are limited to 1,000 bytes.',
    )
    expect(await page()).toContain('the body was dropped')
    expect((await member.get(`${path}/1/body`)).status).toBe(404)
  })

  test('of more than a hundred kilobytes is cut, between characters', async () => {
    await said(`${'x'.repeat(99_999)}✓ and the end`)
    const text = await page('/1')
    expect(shownBody(text)).toBe('x'.repeat(99_999))
    expect(text).toContain('Only the first 99,999 characters are shown. The original contains the rest.')
    expect((await member.get(`${path}/1/body`)).text).toEndWith('✓ and the end')
  })

  test('is had as it came as an attachment, which no browser takes for a page', async () => {
    const raw = Uint8Array.of(0xff, 0x00, 0x3c, 0x68, 0x31, 0x3e)
    await ping({ body: raw })
    const answer = await member.ask('GET', `${path}/1/body`)
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="nightly-backup-1.txt"')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(raw)
  })

  test('of an email is shown in its parts, its HTML in a frame that may do nothing', async () => {
    await mailed()
    const text = await page('/1')
    expect(events(text)).toContain('OK #1')
    expect(text).toContain('<bdi>Backup ✓ done</bdi>')
    expect(facts(text)).toMatchObject({
      Subject: 'Backup ✓ done',
      From: 'Jobs ✓ &lt;jobs@example.org&gt;',
      Date: 'Wed, 4 Mar 2026 12:00:00 +0000',
    })
    expect(shownBody(text)).toContain(`See https://overdue.test/ping/${check.id} ✓`)
    const frame = /<iframe class="mail" sandbox srcdoc="([^"]*)"/.exec(text)?.[1] ?? ''
    expect(frame).toContain('&lt;p&gt;All &lt;b&gt;well&lt;/b&gt;')
    expect(frame).toContain(
      'http-equiv=&quot;Content-Security-Policy&quot; content=&quot;default-src &#39;none&#39;&quot;',
    )
    expect(frame).not.toMatch(/script|onclick|style|img|evil/)
    expect(text).toContain('<th scope="row">To</th>')
    const answer = await member.ask('GET', `${path}/1/body`)
    expect(answer.headers.get('content-type')).toBe('message/rfc822')
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="nightly-backup-1.eml"')
    expect(await answer.text()).toBe(MAIL(check.id))
  })
})

describe('who may only read', () => {
  test('gets no UUID and no ping key, in bodies, headers, agents and originals', async () => {
    const reader = await memberWith(t, 'read-only')
    await said(`curl https://overdue.test/ping/${check.id}/fail\n${check.id.toUpperCase()}`)
    await said('hello', { ua: `job ${check.id}` })
    await mailed()
    await said(`${'x'.repeat(99_980)} ${check.id}`)
    await said(`POST /ping/${t.keys.pingKey}/nightly-backup`)
    const secrets = [check.id, check.id.toUpperCase(), check.id.slice(0, 18), t.keys.pingKey, check.badgeKey]
    for (const query of ['', '/1', '/2', '/3', '/4', '/5', '/1/body', '/4/body', '/5/body']) {
      const { status, text } = await reader.get(path + query)
      expect([query, status, secrets.filter((secret) => text.includes(secret))]).toEqual([query, 200, []])
    }
    expect(await page('/1', reader)).toContain('curl https://overdue.test/ping/…/fail')
    const refused = await reader.get(`${path}/3/body`)
    expect([refused.status, refused.text.includes(check.id)]).toEqual([403, false])
    expect(await page('/3', reader)).toContain(
      'Only members can open the original, because it contains the address of the check.',
    )
    expect(await page('/1')).toContain(check.id)
  })
})
