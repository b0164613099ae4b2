/** `overdue mail test` and `show`: their output, and that they end. */
import { afterEach, describe, expect, test } from 'bun:test'
import { personOf } from '../../../src/services/accounts/sign-in/sessions.ts'
import { saveMailServer } from '../../../src/services/mail/mail-server.ts'
import { administrator } from '../../support/browser.ts'
import { type Ran, run } from '../../support/command-line.ts'
import { openMailHost } from '../../support/mail-host.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

async function listen(answers?: Readonly<Record<string, string>>): Promise<number> {
  const { port, close } = await openMailHost(answers)
  ends.push(close)
  return port
}

const mailTest = async (port: number, words: readonly string[] = [], settings = {}): Promise<Ran> =>
  run(['mail', 'test', 'ops@example.org', ...words], {
    EMAIL_HOST: '127.0.0.1',
    EMAIL_PORT: String(port),
    EMAIL_USE_TLS: 'False',
    ...settings,
  })

test('prints the whole dialogue until the mail server accepts the email', async () => {
  const port = await listen()
  const { code, out, err } = await mailTest(port)
  expect([code, err]).toEqual([0, ''])
  expect(out.split('\n')).toEqual([
    'S: 220 mail.test ready',
    'C: EHLO localhost',
    'S: 250 OK',
    'C: MAIL FROM:<overdue@localhost>',
    'S: 250 OK',
    'C: RCPT TO:<ops@example.org>',
    'S: 250 OK',
    'C: DATA',
    'S: 354 go on',
    'S: 250 OK',
    `127.0.0.1:${port} accepted the email`,
    '',
  ])
})

test('with --json, prints lines and error as one object', async () => {
  const port = await listen({ RCPT: '550 5.1.1 <ops@example.org> unknown' })
  const { code, out } = await mailTest(port, ['--json'])
  expect(code).toBe(1)
  expect(JSON.parse(out)).toEqual({
    server: `127.0.0.1:${port}`,
    set_in: 'environment',
    error: 'recipient refused: 550 5.1.1 <…> unknown',
    lines: expect.arrayContaining(['C: RCPT TO:<ops@example.org>', 'S: 550 5.1.1 <ops@example.org> unknown']),
  })
})

test('hides the credentials of a login that fails, even if they come from a URL', async () => {
  const port = await listen({ EHLO: '250-mail.test\r\n250 AUTH PLAIN', AUTH: '535 5.7.8 no' })
  const { code, out, err } = await mailTest(port, [], { EMAIL_HOST: `smtp://me:hunter2@127.0.0.1:${port}` })
  expect(code).toBe(1)
  expect(out).toContain('C: AUTH PLAIN (hidden)\nS: 535 5.7.8 no\n')
  expect(out).toContain(': login refused: 535 5.7.8 no\n→ Check user and password.')
  for (const secret of ['hunter2', btoa('\0me\0hunter2')]) expect(out + err).not.toContain(secret)
})

test('says that a mail server cannot be reached', async () => {
  const { code, out } = await mailTest(1)
  expect([code, out]).toEqual([
    1,
    'could not send through 127.0.0.1:1: The mail server refused the connection, so nothing is listening on this port: check EMAIL_HOST, EMAIL_PORT and firewalls\n',
  ])
})

describe('the mail server that administrators have set', () => {
  let t: TestApp
  afterEach(() => t.close())

  const save = async (port: number) => {
    t = await testApp({ isShared: true })
    const { account } = await administrator(t)
    const typed = { host: '127.0.0.1', encryption: 'none', port: String(port), from: 'Ops <ops@example.org>' }
    await saveMailServer(t.app.deps, personOf(account, null), { ...typed, user: 'me', password: 'hunter2' })
  }

  test('is shown without its password, with where it is set', async () => {
    await save(2525)
    const { out } = await run(['mail', 'show'], { DATABASE_URL: t.databaseUrl })
    expect(out).toBe(
      'server    127.0.0.1:2525\nsecurity  none, not encrypted\nuser      me\nsender    Ops <ops@example.org>\nset in    Administration › Mail; environment variables take precedence\n',
    )
    const json = await run(['mail', 'show', '--json'], { DATABASE_URL: t.databaseUrl, EMAIL_PORT: '26' })
    expect(JSON.parse(json.out)).toEqual({
      ...{ host: '127.0.0.1', port: 26, security: 'none', user: 'me', sender: 'Ops <ops@example.org>' },
      set_in: 'page',
    })
  })

  test('sends the test', async () => {
    await save(await listen({ EHLO: '250-mail.test\r\n250 AUTH PLAIN', AUTH: '235 welcome' }))
    const { code, out } = await run(['mail', 'test', 'ops@example.org'], { DATABASE_URL: t.databaseUrl })
    expect([code, out.includes('accepted the email')]).toEqual([0, true])
    expect(out).not.toContain('hunter2')
  })
})

test('that the environment names the server is shown', async () => {
  const { out } = await run(['mail', 'show'], { EMAIL_HOST: 'mail.example.org' })
  expect(out).toContain('server    mail.example.org:587\nsecurity  STARTTLS\nuser      none, no login\n')
  expect(out).toContain('set in    the environment, because EMAIL_HOST is set\n')
})

describe('refuses', () => {
  test('to run without a mail server', async () => {
    const t = await testApp({ isShared: true })
    for (const words of [
      ['mail', 'test', 'ops@example.org'],
      ['mail', 'show'],
    ]) {
      const { code, err } = await run(words, { DATABASE_URL: t.databaseUrl })
      expect([code, err]).toEqual([
        1,
        'no mail server is set up, so no email can be sent\n→ enter the mail server at Administration › Mail, or set EMAIL_HOST to its name or to an SMTP URL; see docs/settings.md\n',
      ])
    }
    await t.close()
  })

  test('an address that is not valid', async () => {
    const { code, err } = await run(['mail', 'test', 'a@b\nBcc: c@d'], { EMAIL_HOST: 'mail.example.org' })
    expect(code).toBe(2)
    expect(err).toContain('is not an email address\n→ use one like ops@example.org')
  })
})
