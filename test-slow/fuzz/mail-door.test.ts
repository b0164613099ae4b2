/** Dialogues with the mail door that no mail program would hold; what is in a message is `hostile-mail.test.ts`. */
import { expect, test } from 'bun:test'
import { connect } from 'node:net'
import fc, { type Arbitrary } from 'fast-check'
import { freePort } from '../../test/support/free-port.ts'
import { serve } from '../../test/support/served.ts'
import { smtpClient } from '../../test/support/smtp-client.ts'
import { byEffort } from '../support/effort.ts'
import { client } from '../support/load.ts'
import { hostileText } from './support/request.ts'
import { SEED } from './support/seed.ts'
import { createTally, type Tally } from './support/tally.ts'
import { fill } from './support/template.ts'

const DIALOGUES = byEffort(1_000, 20_000)
const CONNECTIONS = 8
const QUIET_MS = 60
const WITHIN_MS = byEffort(200_000, 2_000_000)

test(
  `${DIALOGUES} dialogues leave the mail door as it was`,
  async () => {
    const port = freePort()
    const served = await serve({ SMTPD_PORT: String(port), PING_EMAIL_DOMAIN: 'ping.example', LOG_LEVEL: 'debug' })
    try {
      const c = await client(served.databaseUrl, served.baseUrl)
      const check = await c.createCheck()
      const tally = createTally()
      const workers = Array.from({ length: CONNECTIONS }, (_, n) => converse(port, check, SEED + n, tally))
      await Promise.all(workers)
      process.stdout.write(`seed ${SEED}: ${tally.total()} answers of the mail door\n${tally.report()}`)

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

function converse(port: number, check: string, seed: number, tally: Tally): Promise<void> {
  const property = fc.asyncProperty(dialogue(check), async (lines) => {
    const sent = lines.map((line) => fill(line, (name) => name))
    const answers = await hear(port, Buffer.from(sent.join('')))
    for (const answer of answers) {
      const status = Number(/^[2-5]\d\d(?=[ -]|$)/.exec(answer)?.[0])
      if (!(status >= 200)) throw new Error(`no answer of a mail server: ${JSON.stringify(answer)}`)
      tally.count('mail', status)
    }
    if (answers.length === 0) throw new Error('the mail door did not say anything')
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

/** All that is said in answer to these bytes, by lines, before the door closes or falls silent. */
function hear(port: number, bytes: Uint8Array): Promise<string[]> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    let heard = ''
    let quiet: ReturnType<typeof setTimeout> | undefined
    const finish = () => {
      clearTimeout(quiet)
      socket.destroy()
      resolve(heard.split('\r\n').filter((line) => line !== ''))
    }
    socket.on('data', (chunk: Buffer) => {
      // The greeting comes first, and may take its time.
      if (heard === '') socket.write(bytes)
      heard += chunk.toString('latin1')
      clearTimeout(quiet)
      quiet = setTimeout(finish, QUIET_MS)
    })
    socket.on('error', () => {})
    socket.on('close', finish)
  })
}
