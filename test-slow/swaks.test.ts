/** Mail pings sent by swaks, a client that nobody here has written (Debian: `swaks`, `libnet-ssleay-perl`). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { freePort } from '../test/support/free-port.ts'
import { type Served, serve } from '../test/support/served.ts'
import { type Client, client } from './support/load.ts'

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

/** @returns the exit status, and what the server has said */
async function swaks(check: string, ...options: readonly string[]): Promise<{ code: number; said: string }> {
  const words = ['--server', `127.0.0.1:${port}`, '--from', 'job@example.org', '--to', `${check}@${DOMAIN}`, ...options]
  const child = Bun.spawn(['swaks', ...words], { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  const [out, code] = await Promise.all([child.stdout.text(), child.exited])
  const said = out.split('\n').filter((line) => line.startsWith('<'))
  return { code, said: said.join('\n') }
}

interface Entry {
  readonly type: string
  readonly scheme: string
  readonly ua: string
}

/** Sends a mail to a new check that looks for keywords. @returns the ping it became */
async function ping(...options: readonly string[]): Promise<Entry | undefined> {
  const check = await c.createCheck({
    filter_subject: true,
    filter_body: true,
    start_kw: 'BEGIN',
    success_kw: 'OK,café,成功',
    failure_kw: 'FAILED',
  })
  const { code, said } = await swaks(check, ...options)
  expect([code, said]).toEqual([0, expect.stringContaining('250 2.6.0 OK')])
  const { pings } = await c.json<{ pings: Entry[] }>(`checks/${check}/pings/`)
  return pings[0]
}

const mime = (...fields: readonly string[]) =>
  ['MIME-Version: 1.0', ...fields].flatMap((field) => ['--add-header', field])
const base64 = (text: string) => Buffer.from(text).toString('base64')

describe('a mail is', () => {
  const mails: readonly [name: string, type: string, options: readonly string[]][] = [
    ['a start, by its subject', 'start', ['--header', 'Subject: BEGIN of backup', '--body', 'x']],
    ['a success, by its body', 'success', ['--header', 'Subject: x', '--body', 'all OK']],
    ['a failure, by its body', 'fail', ['--header', 'Subject: OK', '--body', 'it FAILED']],
    ['ignored without a keyword', 'ign', ['--header', 'Subject: of no', '--body', 'interest']],
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

  test('taken over an encrypted connection', async () => {
    expect(await ping('-tls', '--header', 'Subject: OK', '--body', 'x')).toMatchObject({ type: 'success' })
  })

  test('taken with an attachment, which is not searched', async () => {
    const file = ['--attach-type', 'text/plain', '--attach-name', 'log.txt', '--attach', 'FAILED']
    expect(await ping('--header', 'Subject: OK', '--body', 'x', ...file)).toMatchObject({ type: 'success' })
  })
})

test('a check that does not exist is refused at its name', async () => {
  const { code, said } = await swaks(crypto.randomUUID(), '--body', 'x')
  // swaks: 24 is "no recipient was accepted".
  expect([code, said]).toEqual([24, expect.stringContaining('<** 550 5.1.1 Unknown check')])
})
