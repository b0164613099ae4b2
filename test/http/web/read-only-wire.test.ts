/**
 * Answers and streams for a person who may only read. They contain nothing that allows pings, although jobs, emails and clients write their
 * ping URLs everywhere.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Check } from '../../../src/domain/check/check.ts'
import { upsertCheck } from '../../../src/services/checks/checks.ts'
import { createPingReceiver } from '../../../src/services/pings/pings.ts'
import { type Browser, memberWith } from '../../support/browser.ts'
import { aSignal, bytes } from '../../support/builders.ts'
import { openStream } from '../../support/live-stream.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

let t: TestApp
let check: Check
let reader: Browser
let member: Browser
/** path of the page of the check */
let path: string
/** ping URLs as jobs write them */
let urls: string

beforeAll(async () => {
  t = await testApp({ env: { PING_EMAIL_DOMAIN: 'ping.example' } })
  const spec = { name: 'Nightly backup', slug: 'nightly', tags: 'prod' }
  check = (await upsertCheck(t.app.deps, t.actor, spec, false)).check
  path = `/p/tests/checks/${check.publicId}`
  const { siteRoot } = t.app.deps.site.links
  urls = `${siteRoot}/ping/${check.id} ${siteRoot}/ping/${t.keys.pingKey}/nightly`
  await job('', `${urls}\nall is well\n`)
  await job('/start', urls)
  await job('/fail', `first line ${urls}\n${'x'.repeat(120)} ${urls}\ncurl: (22) ${urls}`)
  const body = bytes(email())
  const ua = `Email from ${check.id}@ping.example`
  await createPingReceiver(t.app.deps).receive(
    { kind: 'id', id: check.id },
    aSignal({ scheme: 'email', method: '', ua, body }),
  )
  await job('/fail', `curl: (28) ${urls}`)
  reader = await memberWith(t, 'read-only', { email: 'reader@example.org' })
  member = await memberWith(t, 'member')
})
afterAll(() => t.close())

/** Pings as a job whose output and agent contain the ping URL. */
function job(signal: string, body: string): Promise<Response> {
  return t.call('POST', `/ping/${check.id}${signal}`, { body, headers: { 'user-agent': `curl ${urls}` } })
}

function email(): string {
  const address = `${check.id}@ping.example`
  return [
    'From: cron <cron@example.org>',
    `To: ${address}`,
    `Delivered-To: ${t.keys.pingKey}+nightly@ping.example`,
    `Subject: =?utf-8?B?${btoa(`ping ${check.id}`)}?=`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary=edge',
    '',
    '--edge',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    btoa(`sent to ${address} by ${urls}`),
    '--edge',
    'Content-Type: text/html; charset=utf-8',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    `<p>sent to <b title=3D"${address}">${check.id.slice(0, 20)}=\r\n${check.id.slice(20)}</b> ${urls}</p>`,
    '--edge--',
    '',
  ].join('\r\n')
}

/** Returns everything that is sent, as seen on the wire. */
async function sentTo(browser: Browser, page: string): Promise<string> {
  const { status, headers, text } = await browser.get(page)
  return [page, status, [...headers].flat().join(' '), text].join('\n')
}

/** A UUID with the text around it. */
const AROUND_UUID = /.{0,60}[0-9a-f]{8}(?:-|%2d)(?:[0-9a-f]{4}(?:-|%2d)){3}[0-9a-f]{12}.{0,60}/i

/** @param shown text that must be contained, so that an empty answer proves nothing */
function expectNoSecrets(sent: string, shown: string): void {
  expect(sent).toContain(shown)
  expect(AROUND_UUID.exec(sent)?.[0] ?? null).toBeNull()
  const { id } = check
  const secrets = [...Object.values(t.keys), id, id.replaceAll('-', ''), id.slice(0, 13), id.slice(19)]
  for (const secret of secrets) expect(sent.toLowerCase()).not.toContain(secret.toLowerCase())
}

test.each([
  ['', 'Nightly backup'],
  ['/log', 'Nightly backup'],
  ['/log/1', 'all is well'],
  ['/log/2', 'Nightly backup'],
  ['/log/3', 'first line'],
  ['/log/4', 'sent to'],
  ['/log/1/body', 'all is well'],
  ['/log/3/body', 'first line'],
])('the page of a check%s tells a member how to ping, and a reader not', async (page, shown) => {
  // A start has no other text.
  if (page !== '/log/2') expect(await sentTo(member, path + page)).toContain(check.id)
  expectNoSecrets(await sentTo(reader, path + page), shown)
})

test('the original of an email is not for a reader', async () => {
  const { status } = await reader.get(`${path}/log/4/body`)
  expect(status).toBe(403)
  expectNoSecrets(await sentTo(reader, `${path}/log/4/body`), '403')
})

test.each([
  ['/', 'Last line'],
  ['/p/tests/checks', 'Nightly backup'],
  ['/wall?p=tests', 'Nightly backup'],
  ['/projects', 'Tests'],
])('%s names no secret', async (page, shown) => {
  expectNoSecrets(await sentTo(reader, page), shown)
})

test('a reader is offered nothing to change but the view of the list, which is their own', async () => {
  for (const page of ['/', '/p/tests/checks', path, `${path}/log/1`]) {
    const { text } = await reader.get(page)
    const [, main = ''] = /<main[^>]*>([\s\S]*)<\/main>/.exec(text) ?? []
    expect([
      page,
      main.length > 100,
      /<form(?! id="view")[^>]*method="post"|<input[^>]*name="c"/.exec(main)?.[0],
    ]).toEqual([page, true, undefined])
  }
})

test.each(['edit', 'edit?tab=alerts', 'schedule', 'rules', 'copy', 'transfer', 'clear', 'delete'])(
  'the form "%s" is refused to a reader without a word about it',
  async (form) => {
    expectNoSecrets(await sentTo(reader, `${path}/${form}`), '403')
  },
)

test.each(['wrong', 'checks', 'check', 'log'])(
  'the stream of the view "%s" brings a failure, and no secret',
  async (view) => {
    const word = `failure-of-${view}`
    const place = view === 'wrong' ? '/live' : '/p/tests/live'
    const stream = await openStream(t, reader, `${place}?view=${view}&check=${check.publicId}`)
    await stream.take()
    await job('/fail', `${word} ${urls}`)
    const sent = (await stream.take()).map(({ data }) => data).join('\n')
    await stream.leave()
    expectNoSecrets(sent, word)
  },
)
