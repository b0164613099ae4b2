/** SMTP dialogues that no email program would hold. Hostile messages are tested in `hostile-mail.test.ts`. */
import { expect, test } from 'bun:test'
import { connect } from 'node:net'
import fc, { type Arbitrary } from 'fast-check'
import { freePort } from '../../test/support/free-port.ts'
import { serve } from '../../test/support/served.ts'
import { smtpClient } from '../../test/support/smtp-client.ts'
import { client } from '../support/client.ts'
import { byEffort } from '../support/effort.ts'
import { SEED } from '../support/seed.ts'
import { hostileText } from './support/generated-request.ts'
import { createStatusCounts, type StatusCounts } from './support/status-counts.ts'
import { fill } from './support/template.ts'

const DIALOGUES = byEffort({ short: 200, full: 1_000, long: 20_000 })
const CONNECTIONS = 8
const QUIET_MS = 60
const WITHIN_MS = byEffort({ short: 200_000, long: 2_000_000 })

test(
  `${DIALOGUES} malformed dialogues do not disturb the SMTP server`,
  async () => {
    const port = freePort()
    const served = await serve({ SMTPD_PORT: String(port), PING_EMAIL_DOMAIN: 'ping.example', LOG_LEVEL: 'debug' })
    try {
      const c = await client(served.databaseUrl, served.baseUrl)
      const check = await c.createCheck()
      const counts = createStatusCounts()
      const workers = Array.from({ length: CONNECTIONS }, (_, n) => converse(port, check, SEED + n, counts))
      await Promise.all(workers)
      process.stdout.write(`${counts.total()} answers of the SMTP server\n${counts.report()}`)

      const last = await smtpClient(port)
      expect(await last.mail('Subject: s\r\n\r\n', `${check}@ping.example`)).toBe('250 2.6.0 OK')
      last.close()
      expect(served.logs()).not.toContain('unexpected error')
      expect(served.logs()).not.toContain(check)
      expect(served.logs()).not.toContain('a@example.org')
    } finally {
      await served.stop()
    }
  },
  WITHIN_MS,
)

function converse(port: number, check: string, seed: number, counts: StatusCounts): Promise<void> {
  const property = fc.asyncProperty(dialogue(check), async (lines) => {
    const sent = lines.map((line) => fill(line, (name) => name))
    const answers = await readAnswer(port, Buffer.from(sent.join('')))
    for (const answer of answers) {
      const status = Number(/^[2-5]\d\d(?=[ -]|$)/.exec(answer)?.[0])
      if (!(status >= 200)) throw new Error(`not an SMTP reply: ${JSON.stringify(answer)}`)
      counts.count('mail', status)
    }
    if (answers.length === 0) throw new Error('the SMTP server did not answer')
  })
  return fc.assert(property, { seed, numRuns: Math.ceil(DIALOGUES / CONNECTIONS) })
}

function dialogue(check: string): Arbitrary<string[]> {
  const recipient = `${check}@ping.example`
  const right = fc.constantFrom(
    ...['EHLO x', 'HELO x', 'MAIL FROM:<a@example.org>', `RCPT TO:<${recipient}>`, 'DATA', '.', 'RSET', 'NOOP', 'QUIT'],
    ...[
      'Subject: s\r\n\r\nbody\r\n.',
      `RCPT TO:<${recipient}> NOTIFY=NEVER`,
      'MAIL FROM:<> SIZE=10 BODY=8BITMIME SMTPUTF8',
    ],
  )
  const odd = fc.constantFrom(
    ...[
      'STARTTLS',
      'AUTH PLAIN AGEAYg==',
      'AUTH LOGIN',
      'VRFY x',
      'EXPN x',
      'HELP',
      'XCLIENT ADDR=1.2.3.4',
      'BDAT 5 LAST',
    ],
    ...[
      'MAIL FROM:<a',
      'MAIL FROM:a@b@c',
      'MAIL FROM:<a@example.org> SIZE=99999999999',
      'RCPT TO:<@>',
      'RCPT TO:',
      'rcpt to: x',
    ],
    ...[
      'EHLO',
      'EHLO \0',
      'GET / HTTP/1.1',
      '{{long:600}}',
      'EHLO {{long:5000}}',
      'RCPT TO:<{{long:5000}}@ping.example>',
    ],
    ...[`RCPT TO:<"${check}"@ping.example>`, `RCPT TO:<${check}+x@ping.example>`, 'RCPT TO:<é@ping.example>'],
  )
  const commands = fc.oneof({ weight: 4, arbitrary: right }, { weight: 2, arbitrary: odd }, hostileText)
  const end = fc.constantFrom('\r\n', '\r\n', '\r\n', '\r\n', '\n', '\r', '')
  const opening = fc.constantFrom('', `EHLO x\r\nMAIL FROM:<a@example.org>\r\nRCPT TO:<${recipient}>\r\n`)
  return fc
    .tuple(opening, fc.array(fc.tuple(commands, end), { minLength: 1, maxLength: 8 }))
    .map(([start, lines]) => [start, ...lines.map((parts) => parts.join(''))])
}

/** Sends the bytes. @returns the lines of the answer, until the server closes the connection or sends nothing for a while */
function readAnswer(port: number, bytes: Uint8Array): Promise<string[]> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    let received = ''
    let quiet: ReturnType<typeof setTimeout> | undefined
    const finish = () => {
      clearTimeout(quiet)
      socket.destroy()
      resolve(received.split('\r\n').filter((line) => line !== ''))
    }
    socket.on('data', (chunk: Buffer) => {
      // Waits for the greeting before it sends.
      if (received === '') socket.write(bytes)
      received += chunk.toString('latin1')
      clearTimeout(quiet)
      quiet = setTimeout(finish, QUIET_MS)
    })
    socket.on('error', () => {})
    socket.on('close', finish)
  })
}
