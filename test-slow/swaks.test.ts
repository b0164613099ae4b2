/** Email pings sent by swaks, an independent SMTP client (Debian: `swaks`, `libnet-ssleay-perl`). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { freePort } from '../test/support/free-port.ts'
import { type Served, serve } from '../test/support/served.ts'
import { type Client, client } from './support/client.ts'

const DOMAIN = 'ping.example'
const pem = (name: string) => join(import.meta.dir, `../test/delivery/localhost-${name}.pem`)

let served: Served
let port: number
let c: Client
beforeAll(async () => {
  port = freePort()
  served = await serve({
    SMTPD_PORT: String(port),
    PING_EMAIL_DOMAIN: DOMAIN,
    SMTPD_TLS_CERT: pem('cert'),
    SMTPD_TLS_KEY: pem('key'),
  })
  c = await client(served.databaseUrl, served.baseUrl)
})
afterAll(() => served.stop())

/** @returns the exit status and the lines that the server sent */
async function swaks(check: string, ...options: readonly string[]): Promise<{ code: number; replies: string }> {
  const words = ['--server', `127.0.0.1:${port}`, '--from', 'job@example.org', '--to', `${check}@${DOMAIN}`, ...options]
  const child = Bun.spawn(['swaks', ...words], { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  const [out, code] = await Promise.all([child.stdout.text(), child.exited])
  const replies = out.split('\n').filter((line) => line.startsWith('<'))
  return { code, replies: replies.join('\n') }
}

interface Entry {
  readonly type: string
  readonly scheme: string
  readonly ua: string
}

/** Sends an email to a new check with keyword filters. @returns the ping that it logged */
async function ping(...options: readonly string[]): Promise<Entry | undefined> {
  const check = await c.createCheck({
    filter_subject: true,
    filter_body: true,
    start_kw: 'BEGIN',
    success_kw: 'OK,café,成功',
    failure_kw: 'FAILED',
  })
  const { code, replies } = await swaks(check, ...options)
  expect([code, replies]).toEqual([0, expect.stringContaining('250 2.6.0 OK')])
  const { pings } = await c.json<{ pings: Entry[] }>(`checks/${check}/pings/`)
  return pings[0]
}

const mime = (...fields: readonly string[]) =>
  ['MIME-Version: 1.0', ...fields].flatMap((field) => ['--add-header', field])
const base64 = (text: string) => Buffer.from(text).toString('base64')

describe('an email is', () => {
  const mails: readonly [name: string, type: string, options: readonly string[]][] = [
    ['a start because of its subject', 'start', ['--header', 'Subject: BEGIN of backup', '--body', 'x']],
    ['a success because of its body', 'success', ['--header', 'Subject: x', '--body', 'all OK']],
    ['a failure because of its body', 'fail', ['--header', 'Subject: OK', '--body', 'it FAILED']],
    ['ignored without a keyword', 'ign', ['--header', 'Subject: nothing', '--body', 'here']],
    ['read in UTF-8', 'success', [...mime('Content-Type: text/plain; charset=utf-8'), '--body', 'le café']],
    ['read in base64', 'success', [...base64Mail('成功')]],
    ['read in quoted-printable', 'success', [...quotedMail('caf=C3=\n=A9')]],
    ['read in HTML only', 'fail', [...mime('Content-Type: text/html'), '--body', '<p><b>F</b>AILED</p>']],
    ['read with an encoded subject', 'success', ['--header', `Subject: =?utf-8?B?${base64('成功')}?=`, '--body', 'x']],
  ]
  test.each(mails)('%s', async (_, type, options) => {
    expect(await ping(...options)).toMatchObject({ type, scheme: 'email', ua: 'Email from job@example.org' })
  })

  test('read in ISO-8859-1', async () => {
    const body = join(import.meta.dir, 'support/latin1-body.txt')
    expect(await ping(...mime('Content-Type: text/plain; charset=iso-8859-1'), '--body', `@${body}`)).toMatchObject({
      type: 'success',
    })
  })

  function base64Mail(text: string) {
    const fields = mime('Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: base64')
    return [...fields, '--body', base64(text)]
  }

  function quotedMail(body: string) {
    const fields = mime('Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: quoted-printable')
    return [...fields, '--body', body]
  }

  test('accepted over an encrypted connection', async () => {
    expect(await ping('-tls', '--header', 'Subject: OK', '--body', 'x')).toMatchObject({ type: 'success' })
  })

  test('accepted with an attachment, which is not searched', async () => {
    const file = ['--attach-type', 'text/plain', '--attach-name', 'log.txt', '--attach', 'FAILED']
    expect(await ping('--header', 'Subject: OK', '--body', 'x', ...file)).toMatchObject({ type: 'success' })
  })
})

test('a recipient that names no check is rejected', async () => {
  const { code, replies } = await swaks(crypto.randomUUID(), '--body', 'x')
  // Exit status 24 of swaks: no recipient was accepted.
  expect([code, replies]).toEqual([24, expect.stringContaining('<** 550 5.1.1 Unknown check')])
})
