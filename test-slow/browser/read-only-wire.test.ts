/**
 * Two readers of different roles look at the same checks. What the server sends to the one who may only read is recorded, streams
 * too: nothing in it allows pings, although jobs, emails and clients write their ping URLs everywhere.
 */
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { freePort } from '../../test/support/free-port.ts'
import { smtpClient } from '../../test/support/smtp-client.ts'
import { openSiteWithAdministrator, plainSlugs, type Site } from './support/site.ts'

interface Made {
  readonly uuid: string
  readonly ping_key: string
}

let site: Site
let wire: Wire
let made: Made
let reader: Page
let member: Page
/** of the page of the check */
let path: string

beforeAll(async () => {
  const [port, mailPort] = [freePort(), freePort()]
  site = await openSiteWithAdministrator({
    SITE_ROOT: `http://127.0.0.1:${port}`,
    SMTPD_PORT: String(mailPort),
    PING_EMAIL_DOMAIN: 'ping.example',
  })
  const { server } = site
  wire = tap(port, server.baseUrl)
  made = await makeCheck()
  await writeSecretsEverywhere(mailPort)
  const [jane, joe] = await Promise.all([site.person('reader@example.org'), site.person('member@example.org')])
  await server.overdue('project', 'member', 'add', 'Harbour Books', jane.email, '--role', 'read-only')
  await server.overdue('project', 'member', 'add', 'Harbour Books', joe.email)
  const baseURL = wire.url
  reader = await site.tab({ as: jane, baseURL })
  member = await site.tab({ as: joe })
  await member.goto('/p/harbour-books/checks')
  path = `/p/harbour-books/${await member.getByRole('link', { name: 'Nightly backup' }).getAttribute('href')}`
})
afterEach(() => expect(site.troubles()).toEqual([]))
afterAll(async () => {
  await site.close()
  await wire.close()
})

async function makeCheck(): Promise<Made> {
  const { server } = site
  const keys = await server.overdue<{ api_key: string; ping_key: string }>('project', 'create', 'Harbour Books')
  await plainSlugs(server)
  const answer = await fetch(`${server.baseUrl}/api/v3/checks/`, {
    method: 'POST',
    headers: { 'X-Api-Key': keys.api_key },
    body: JSON.stringify({ name: 'Nightly backup', slug: 'nightly', tags: 'prod' }),
  })
  return { ...((await answer.json()) as Made), ping_key: keys.ping_key }
}

/** A job whose output, agent and emails name the URL that it pings. */
async function writeSecretsEverywhere(mailPort: number): Promise<void> {
  const { baseUrl } = site.server
  const { uuid, ping_key } = made
  const urls = `${baseUrl}/ping/${uuid} ${baseUrl}/ping/${ping_key}/nightly`
  const job = (signal: string, body: string) =>
    fetch(`${baseUrl}/ping/${uuid}${signal}`, { method: 'POST', body, headers: { 'user-agent': `curl ${urls}` } })
  await job('', `${urls}\nall is well\n`)
  await job('/start', urls)
  await job('/fail', `first line ${urls}\n${'x'.repeat(120)} ${urls}\ncurl: (22) ${urls}`)
  const client = await smtpClient(mailPort)
  const address = `${uuid}@ping.example`
  const boundary = 'edge'
  const message = [
    `From: cron <cron@example.org>`,
    `To: ${address}`,
    `Delivered-To: ${ping_key}+nightly@ping.example`,
    `Subject: =?utf-8?B?${btoa(`ping ${uuid}`)}?=`,
    'MIME-Version: 1.0',
    `Content-Type: multipart/alternative; boundary=${boundary}`,
    '',
    `--${boundary}`,
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    btoa(`sent to ${address} by ${urls}`),
    `--${boundary}`,
    'Content-Type: text/html; charset=utf-8',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    `<p>sent to <b title=3D"${address}">${uuid.slice(0, 20)}=\r\n${uuid.slice(20)}</b> ${urls}</p>`,
    `--${boundary}--`,
    '',
  ]
  expect(await client.mail(message.join('\r\n'), address)).toStartWith('250')
  client.close()
  await job('/fail', `curl: (28) ${urls}`)
}

interface Wire {
  readonly url: string
  /** all that was sent through it, since the last call */
  take(): string
  close(): Promise<void>
}

/** Stands before the server and keeps what it answers, not packed. */
function tap(port: number, to: string): Wire {
  let sent = ''
  const proxy = Bun.serve({
    port,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      const headers = new Headers(request.headers)
      headers.set('accept-encoding', 'identity')
      const { method, body, signal } = request
      const answer = await fetch(to + pathname + search, { method, headers, body, redirect: 'manual', signal })
      sent += `${pathname}${search} ${[...answer.headers].flat().join(' ')}\n`
      const decoder = new TextDecoder()
      const kept = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          sent += decoder.decode(chunk, { stream: true })
          controller.enqueue(chunk)
        },
      })
      return new Response(answer.body?.pipeThrough(kept), { status: answer.status, headers: answer.headers })
    },
  })
  return {
    url: proxy.url.origin,
    take() {
      const all = sent
      sent = ''
      return all
    },
    close: () => proxy.stop(true),
  }
}

/** With what stands around it. */
const AROUND_UUID = /.{0,60}[0-9a-f]{8}(?:-|%2d)(?:[0-9a-f]{4}(?:-|%2d)){3}[0-9a-f]{12}.{0,60}/i

/** @param shown what must be in it, so that silence proves nothing */
function expectNoSecrets(sent: string, shown: string): void {
  expect(sent).toContain(shown)
  expect(AROUND_UUID.exec(sent)?.[0] ?? null).toBeNull()
  const secrets = [made.ping_key, made.uuid, made.uuid.replaceAll('-', ''), made.uuid.slice(0, 13), made.uuid.slice(19)]
  for (const secret of secrets) expect(sent.toLowerCase()).not.toContain(secret.toLowerCase())
}

const PAGES = ['', '/log', '/log/1', '/log/2', '/log/3', '/log/4', '/log/1/body', '/log/3/body'] as const

test.each(PAGES)('the page of a check%s tells a member how to ping, and a reader not', async (page) => {
  const isFile = page.endsWith('body')
  const get = async (tab: Page) => (await tab.request.get(path + page)).text()
  if (page === '' || page !== '/log/2') expect(await get(member)).toContain(made.uuid)
  wire.take()
  if (isFile) await get(reader)
  else await reader.goto(path + page)
  expectNoSecrets(wire.take(), isFile ? '…' : 'Nightly backup')
})

test('the original of an email is not for a reader', async () => {
  const answer = await reader.request.get(`${path}/log/4/body`)
  expect(answer.status()).toBe(403)
  expectNoSecrets(wire.take(), '/log/4/body')
})

test.each(['/', '/p/harbour-books/checks', '/projects'])('%s names no secret', async (page) => {
  wire.take()
  await reader.goto(page)
  await reader
    .getByText(page === '/projects' ? 'Harbour Books' : 'Nightly backup')
    .first()
    .waitFor()
  expectNoSecrets(wire.take(), page === '/projects' ? 'Harbour Books' : 'Last line')
})

test('a reader is offered nothing to change', async () => {
  for (const page of ['/', '/p/harbour-books/checks', path, `${path}/log/1`]) {
    await reader.goto(page)
    expect([page, await reader.locator('main form[method="post"], main input[name="c"]').count()]).toEqual([page, 0])
  }
})

test('what a reader may not change is refused without a word about it', async () => {
  for (const form of ['/edit', '/schedule', '/rules', '/copy', '/transfer', '/clear', '/delete', '/first-ping']) {
    wire.take()
    const answer = await reader.request.get(path + form)
    expect([form, answer.status() === 403 || answer.status() === 404]).toEqual([form, true])
    expectNoSecrets(wire.take(), form)
  }
})

/** What changes on a page when a ping comes, by its id. */
const LIVE = [
  ['/', '#wrong'],
  ['/p/harbour-books/checks', '#list'],
  ['', '#latest'],
] as const

test.each(LIVE)('the stream of the page "%s" brings a failure, and no secret', async (page, part) => {
  await reader.goto(page || path)
  await reader.locator('#live', { hasText: 'Live' }).waitFor({ state: 'attached' })
  wire.take()
  const { baseUrl } = site.server
  const pingUrl = `${baseUrl}/ping/${made.uuid}`
  const urls = `${pingUrl} ${baseUrl}/ping/${made.ping_key}/nightly`
  const word = `failure-of-${part.slice(1)}`
  await fetch(`${pingUrl}/fail`, { method: 'POST', body: `${word} ${urls}`, headers: { 'user-agent': urls } })
  await reader.locator(part).getByText(word).first().waitFor()
  expectNoSecrets(wire.take(), word)
})
