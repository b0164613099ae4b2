/** `overdue mail test`: what it prints, and that it ends. */
import { afterEach, describe, expect, test } from 'bun:test'
import { createServer, type Server, type Socket } from 'node:net'
import { type Ran, run } from '../../support/command-line.ts'

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** A mail server with fixed answers by the first word of a command, `250 OK` by default. */
function listen(answers: Readonly<Record<string, string>> = {}): Promise<number> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    let isMail = false
    socket.write('220 mail.test ready\r\n')
    socket.on('data', (data) => {
      for (const line of String(data).split('\r\n').slice(0, -1)) {
        if (isMail && line !== '.') continue
        const [word = ''] = line.split(/[ :]/)
        isMail = word === 'DATA'
        socket.write(`${answers[word] ?? (isMail ? '354 go on' : '250 OK')}\r\n`)
      }
    })
  })
  ends.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : 0)
    })
  })
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
    error: 'recipient refused: 550 5.1.1 <…> unknown',
    lines: expect.arrayContaining(['C: RCPT TO:<ops@example.org>', 'S: 550 5.1.1 <ops@example.org> unknown']),
  })
})

test('hides the credentials of a login that fails, even if they come from a URL', async () => {
  const port = await listen({ EHLO: '250-mail.test\r\n250 AUTH PLAIN', AUTH: '535 5.7.8 no' })
  const { code, out, err } = await mailTest(port, [], { EMAIL_HOST: `smtp://me:hunter2@127.0.0.1:${port}` })
  expect(code).toBe(1)
  expect(out).toContain('C: AUTH PLAIN (hidden)\nS: 535 5.7.8 no\n')
  expect(out).toContain(': login refused: 535 5.7.8 no\n→ the last lines above show')
  for (const secret of ['hunter2', btoa('\0me\0hunter2')]) expect(out + err).not.toContain(secret)
})

test('says that a mail server cannot be reached', async () => {
  const { code, out } = await mailTest(1)
  expect([code, out]).toEqual([
    1,
    'could not send through 127.0.0.1:1: Could not connect to the mail server\n→ check EMAIL_HOST and EMAIL_PORT, and that this machine can reach the mail server\n',
  ])
})

describe('refuses', () => {
  test('to run without EMAIL_HOST', async () => {
    const { code, err } = await run(['mail', 'test', 'ops@example.org'])
    expect(code).toBe(1)
    expect(err).toStartWith(
      'EMAIL_HOST is not set, so no email can be sent\n→ set EMAIL_HOST to the name of your mail server',
    )
  })

  test('an address that is not valid', async () => {
    const { code, err } = await run(['mail', 'test', 'a@b\nBcc: c@d'], { EMAIL_HOST: 'mail.example.org' })
    expect(code).toBe(2)
    expect(err).toContain('is not an email address\n→ use one like ops@example.org')
  })
})
