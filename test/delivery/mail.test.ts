/**
 * Emails over real connections to a real server on this machine, where a parser reads them. The library of the server waits a tenth
 * of a second before it greets, so tests run beside each other, each with its own server.
 */
import { afterAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Socket, TCPSocketListener } from 'bun'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { createFollowedMail } from '../../src/delivery/followed-mail.ts'
import { createMailSender, type MailClient, type MailSenderOptions } from '../../src/delivery/mail.ts'
import type { Mail, MailAnswer } from '../../src/domain/carrier/mail.ts'
import type { MailServer } from '../../src/domain/mail/mail-server.ts'
import { bytes } from '../support/builders.ts'

/** Key and certificate for localhost and 127.0.0.1, valid until 2126; trusted only by these tests. */
const [key, cert] = ['key', 'cert'].map((name) => readFileSync(join(import.meta.dir, `localhost-${name}.pem`), 'utf8'))
const [trustedCertificates = ''] = [cert]

interface Arrived {
  readonly from: string
  readonly to: readonly string[]
  readonly source: Uint8Array
  readonly isEncrypted: boolean
}

interface MailHost {
  readonly port: number
  readonly arrived: Arrived[]
  /** number of connections so far */
  readonly connections: () => number
}

const ends: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const end of ends.reverse()) await end()
})

/** Starts a server, without TLS and login by default. */
function listen(given: SMTPServerOptions = {}): Promise<MailHost> {
  const arrived: Arrived[] = []
  let connections = 0
  const server = new SMTPServer({
    disabledCommands: given.key ? [] : ['STARTTLS'],
    authOptional: true,
    allowInsecureAuth: true,
    logger: false,
    onConnect: (_, next) => {
      connections++
      next()
    },
    onData(stream, { envelope, secure }, done) {
      const chunks: Uint8Array[] = []
      stream.on('data', (chunk: Uint8Array) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = envelope
        const to = rcptTo.map(({ address }) => address)
        const from = mailFrom ? mailFrom.address : ''
        arrived.push({ from, to, source: Buffer.concat(chunks), isEncrypted: secure })
        done()
      })
    },
    ...given,
  })
  // Some tests hang up in the middle.
  server.on('error', () => {})
  ends.push(() => new Promise<void>((resolve) => server.close(resolve)))
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.server.address()
      const port = typeof address === 'object' && address ? address.port : 0
      resolve({ port, arrived, connections: () => connections })
    })
  })
}

function sender(given: Partial<MailServer>, options: MailSenderOptions = {}): MailClient {
  const from = { name: 'Overdue, at home', address: 'alerts@overdue.test' }
  const server: MailServer = { host: '127.0.0.1', port: 1, encryption: 'none', login: null, from, ...given }
  const line = createMailSender({ server, source: 'environment' }, { timeoutSeconds: 5, ...options })
  ends.push(() => line.close())
  return line
}

const MAIL: Mail = {
  id: 'dddddddd-0000-4000-8000-000000000001',
  to: 'ops@example.org',
  subject: 'DOWN | Nightly backup',
  text: 'It is down.',
  html: '<p>It is <b>down</b>.</p>',
  unsubscribeUrl:
    'https://overdue.test/integrations/cccccccc-0000-4000-8000-000000000001/unsub/0123456789abcdef0123456789abcdef/',
}

async function sendOnce(given: Partial<MailServer>, mail = MAIL, options?: MailSenderOptions): Promise<MailAnswer> {
  return sender(given, options).send(mail)
}

/** Parses the email that arrived. */
async function read({ arrived }: MailHost) {
  const [first, ...others] = arrived
  if (!first || others.length > 0) throw new Error(`one mail expected, not ${arrived.length}`)
  const parsed = await PostalMime.parse(first.source, { attachmentEncoding: 'arraybuffer', rfc822Attachments: true })
  const header = (name: string) => parsed.headers.find((found) => found.key === name)?.value
  // The parser adds the line end before a boundary, which belongs to the boundary (RFC 2046, 5.1.1).
  const [text, html] = [parsed.text, parsed.html].map((part) => part?.replace(/\n$/, ''))
  return { ...first, parsed: { ...parsed, text, html }, header }
}

describe('a mail', () => {
  test.concurrent('arrives with both parts and every header', async () => {
    const host = await listen()
    expect(await sendOnce({ port: host.port })).toMatchObject({
      kind: 'accepted',
      response: expect.stringMatching(/^250 /),
    })
    const { from, to, parsed, header } = await read(host)
    expect([from, to]).toEqual(['alerts@overdue.test', ['ops@example.org']])
    expect(parsed).toMatchObject({
      from: { name: 'Overdue, at home', address: 'alerts@overdue.test' },
      to: [{ name: '', address: 'ops@example.org' }],
      subject: MAIL.subject,
      text: MAIL.text,
      html: MAIL.html,
      messageId: `<${MAIL.id}@overdue.test>`,
      attachments: [],
    })
    expect(Math.abs(Date.parse(parsed.date ?? '') - Date.now())).toBeLessThan(60_000)
    expect(header('list-unsubscribe')).toBe(`<${MAIL.unsubscribeUrl}>`)
    expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
    expect(header('auto-submitted')).toBe('auto-generated')
    expect(header('content-type')).toStartWith('multipart/alternative')
  })

  test.concurrent('that was asked for has no unsubscribe link', async () => {
    const host = await listen()
    await sendOnce({ port: host.port }, { ...MAIL, unsubscribeUrl: null })
    const { header } = await read(host)
    expect([header('list-unsubscribe'), header('list-unsubscribe-post')]).toEqual([undefined, undefined])
  })

  test.concurrent('that goes nowhere is made all the same, and no server hears of it', async () => {
    const host = await listen()
    const line = sender({ port: host.port })
    expect(await line.send({ ...MAIL, goesNowhere: true })).toEqual({ kind: 'accepted', response: '' })
    expect(host.connections()).toBe(0)
    await line.send(MAIL)
    expect((await read(host)).to).toEqual([MAIL.to])
  })

  test.concurrent('keeps every line and space of its text, however long a line is', async () => {
    const host = await listen()
    const text = `.\n..\nFrom here\n> x\ntrailing \n\ttab\n${'é🦆'.repeat(3000)}\n-- \nend\n`
    await sendOnce({ port: host.port }, { ...MAIL, text, html: `<pre>${text}</pre>\n` })
    const { parsed, source } = await read(host)
    expect([parsed.text, parsed.html]).toEqual([text, `<pre>${text}</pre>\n`])
    const longest = Math.max(
      ...new TextDecoder()
        .decode(source)
        .split('\r\n')
        .map(({ length }) => length),
    )
    expect(longest).toBeLessThan(999)
  })

  test.concurrent('gets no extra headers or receivers from its subject and sender', async () => {
    const host = await listen()
    const injected = 'x\r\nBcc: evil@evil.test\r\n\r\nbody\u0000 "é" <b>'
    const from = { name: injected.replaceAll('\u0000', ''), address: 'alerts@overdue.test' }
    await sendOnce({ port: host.port, from }, { ...MAIL, subject: injected })
    const { to, parsed } = await read(host)
    expect(to).toEqual(['ops@example.org'])
    expect(parsed.bcc ?? []).toEqual([])
    expect([parsed.to?.[0]?.address, parsed.from?.address, parsed.text]).toEqual([
      'ops@example.org',
      'alerts@overdue.test',
      MAIL.text,
    ])
  })

  test.concurrent('reaches an address of any script', async () => {
    const host = await listen()
    await sendOnce({ port: host.port }, { ...MAIL, to: 'jösé@example.org' })
    expect((await read(host)).to).toEqual(['jösé@example.org'])
  })

  test.concurrent('has headers of ASCII, also where sender and site are in another script', async () => {
    const host = await listen()
    const from = { name: 'Wächter', address: 'alerts@wächter.test' }
    const mail = { ...MAIL, subject: 'DOWN | Prüfung', unsubscribeUrl: 'https://wächter.test/ü/' }
    await sendOnce({ port: host.port, from }, mail)
    const { parsed, header, source } = await read(host)
    const [head = ''] = new TextDecoder().decode(source).split('\r\n\r\n')
    expect(head).toMatch(/^[\t\r\n\x20-\x7e]*$/)
    expect(parsed).toMatchObject({ subject: mail.subject, messageId: `<${MAIL.id}@xn--wchter-bua.test>` })
    expect(header('list-unsubscribe')).toBe('<https://xn--wchter-bua.test/%C3%BC/>')
  })

  const carry = async (contentType: string, content: Uint8Array) => {
    const host = await listen()
    await sendOnce({ port: host.port }, { ...MAIL, attachments: [{ filename: 'last-ping.eml', contentType, content }] })
    const { parsed, source } = await read(host)
    expect([parsed.text, parsed.html]).toEqual([MAIL.text, MAIL.html])
    expect(parsed.attachments).toHaveLength(1)
    const [attachment] = parsed.attachments
    expect(attachment).toMatchObject({ filename: 'last-ping.eml', mimeType: contentType, disposition: 'attachment' })
    return { attachment, source: new TextDecoder().decode(source) }
  }

  test.concurrent.each([
    ['Subject: Done\r\nMIME-Version: 1.0\r\n\r\n.\r\n..x\r\n--b\r\nFrom me\r\n'],
    [`Subject: long\r\n\r\n${'x'.repeat(998)}\r\nno end`],
  ])('carries an attached email unencoded', async (attached) => {
    const { source } = await carry('message/rfc822', bytes(attached))
    expect(source).toContain(`\r\nContent-Transfer-Encoding: 7bit\r\n`)
    expect(source).toContain(`\r\n\r\n${attached}\r\n--`)
  })

  test.concurrent('carries bytes unchanged', async () => {
    const content = bytes(`Subject: é\r\n\r\na\nb\rc\u0000\r\n${'y'.repeat(5000)}`)
    const { attachment } = await carry('application/octet-stream', content)
    expect([...new Uint8Array(attachment?.content as ArrayBuffer)]).toEqual([...content])
  })
})

describe('connections', () => {
  test.concurrent('are kept between emails, so that the second opens none', async () => {
    const host = await listen()
    const line = sender({ port: host.port })
    await line.send(MAIL)
    await line.send(MAIL)
    expect([host.arrived.length, host.connections()]).toEqual([2, 1])
  })

  test.concurrent('are few, however many emails there are at once', async () => {
    const host = await listen()
    const line = sender({ port: host.port })
    const answers = await Promise.all(Array.from({ length: 20 }, () => line.send(MAIL)))
    expect(answers.filter(({ kind }) => kind === 'accepted')).toHaveLength(20)
    expect(host.connections()).toBeLessThanOrEqual(4)
  })

  test.concurrent("are waited for outside an email's time-out", async () => {
    const onData: SMTPServerOptions['onData'] = (stream, _, done) => {
      stream.resume()
      stream.on('end', () => setTimeout(done, 300))
    }
    const host = await listen({ onData })
    // Five rounds at four connections: the last ones wait longer than one email may take.
    const line = sender({ port: host.port }, { timeoutSeconds: 1.4 })
    const answers = await Promise.all(Array.from({ length: 20 }, () => line.send(MAIL)))
    expect(new Set(answers.map(({ kind }) => kind))).toEqual(new Set(['accepted']))
  })

  test.concurrent('refuse waiting emails when they are closed', async () => {
    const silent = listenSilently()
    const line = sender({ port: silent.port })
    const mails = Array.from({ length: 6 }, () => line.send(MAIL))
    await silent.called
    await line.close()
    for (const answer of await Promise.all([...mails, line.send(MAIL)])) expect(answer.kind).toBe('unreachable')
  })

  test.concurrent('can be used again after an email was rejected', async () => {
    const host = await listen({
      onRcptTo: ({ address }, _, done) => done(address.startsWith('no') ? refusal(550) : null),
    })
    const line = sender({ port: host.port })
    expect((await line.send({ ...MAIL, to: 'nobody@example.org' })).kind).toBe('refused')
    expect((await line.send(MAIL)).kind).toBe('accepted')
    expect(host.arrived.map(({ to }) => to)).toEqual([['ops@example.org']])
  })

  test.concurrent('leave nothing open when closed, and emails under way are aborted', async () => {
    const silent = listenSilently()
    const line = sender({ port: silent.port })
    const under = line.send(MAIL)
    await silent.called
    await line.close()
    expect(await under).toMatchObject({ kind: 'unreachable' })
  })
})

function refusal(responseCode: number, message = 'no'): Error {
  return Object.assign(new Error(message), { responseCode })
}

/** Starts a server that answers each line by the next one of the script, beginning with its greeting; `close` ends the connection. */
function listenTo(script: readonly string[]) {
  const say = (socket: Socket<{ said: number }>) => {
    const line = script[socket.data.said++]
    if (line === 'close') socket.end()
    else if (line !== undefined) socket.write(`${line}\r\n`)
  }
  const listener = Bun.listen<{ said: number }>({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      open: (socket) => {
        socket.data = { said: 0 }
        say(socket)
      },
      data: say,
      error() {},
    },
  })
  ends.push(async () => listener.stop(true))
  return { port: listener.port }
}

/** Starts a server that accepts connections and never sends anything. */
function listenSilently() {
  const { promise: called, resolve } = Promise.withResolvers<void>()
  const sockets: Socket<unknown>[] = []
  const listener: TCPSocketListener<unknown> = Bun.listen<unknown>({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      open(socket) {
        sockets.push(socket)
        resolve()
      },
      data() {},
    },
  })
  ends.push(async () => {
    for (const socket of sockets) socket.end()
    listener.stop(true)
  })
  return { port: listener.port, called }
}

describe('a server that refuses', () => {
  test.concurrent.each([
    [550, '5.1.1 <ops@example.org>: no such user'],
    [451, '4.7.1 greylisted, ask ops@example.org'],
  ])('the receiver with %d is quoted, without the address', async (status, words) => {
    const host = await listen({ onRcptTo: (_, __, done) => done(refusal(status, words)) })
    expect(await sendOnce({ port: host.port })).toEqual({
      kind: 'refused',
      stage: 'recipient',
      status,
      response: `${status} ${words.replace('ops@example.org', '…')}`,
    })
  })

  test.concurrent('the sender is distinguished', async () => {
    const host = await listen({ onMailFrom: (_, __, done) => done(refusal(553, 'not from you')) })
    expect(await sendOnce({ port: host.port })).toMatchObject({ kind: 'refused', stage: 'sender', status: 553 })
  })

  test.concurrent('the email itself is distinguished', async () => {
    const onData: SMTPServerOptions['onData'] = (stream, _, done) => {
      stream.resume()
      stream.on('end', () => done(refusal(554, 'looks like spam')))
    }
    const host = await listen({ onData })
    expect(await sendOnce({ port: host.port })).toEqual({
      kind: 'refused',
      stage: 'message',
      status: 554,
      response: '554 looks like spam',
    })
  })

  test.concurrent('a client that does not log in', async () => {
    const host = await listen({ authOptional: false })
    expect(await sendOnce({ port: host.port })).toMatchObject({ kind: 'refused', stage: 'sender', status: 530 })
  })
})

describe('a login', () => {
  const onAuth: SMTPServerOptions['onAuth'] = ({ username, password }, _, done) =>
    username === 'me' && password === 'pa:ss wörd' ? done(null, { user: 'me' }) : done(refusal(535, 'Bad credentials'))

  test.concurrent('is made with the name and the password', async () => {
    const host = await listen({ authOptional: false, onAuth })
    const login = { user: 'me', password: 'pa:ss wörd' }
    expect(await sendOnce({ port: host.port, login })).toMatchObject({ kind: 'accepted' })
  })

  test.concurrent('that fails is reported without name and password', async () => {
    const host = await listen({ authOptional: false, onAuth })
    const answer = await sendOnce({ port: host.port, login: { user: 'me', password: 'hunter2' } })
    expect(answer).toEqual({ kind: 'refused', stage: 'login', status: 535, response: '535 Bad credentials' })
  })
})

describe('encryption', () => {
  const tls: SMTPServerOptions = { key: key ?? '', cert: cert ?? '' }

  test.concurrent.each([
    ['by STARTTLS', 'starttls', {}],
    ['from the first byte', 'tls', { secure: true }],
  ] as const)('%s is used when the settings ask for it', async (_, encryption, options) => {
    const host = await listen({ ...tls, ...options })
    expect(await sendOnce({ port: host.port, encryption }, MAIL, { trustedCertificates })).toMatchObject({
      kind: 'accepted',
    })
    expect((await read(host)).isEncrypted).toBe(true)
  })

  test.concurrent.each([
    ['starttls', {}],
    ['tls', { secure: true }],
  ] as const)('with %s, an untrusted certificate is rejected', async (encryption, options) => {
    const host = await listen({ ...tls, ...options })
    const answer = await sendOnce({ port: host.port, encryption })
    expect(answer).toEqual({
      kind: 'unreachable',
      error: expect.stringMatching(/^The mail server's certificate is not valid: /),
    })
    expect(host.arrived).toEqual([])
  })

  test.concurrent('that the server does not offer stops the email', async () => {
    const host = await listen()
    expect(await sendOnce({ port: host.port, encryption: 'starttls' })).toEqual({
      kind: 'unreachable',
      error:
        'The mail server does not offer STARTTLS: set EMAIL_USE_SSL=True if its port expects TLS from the first byte, or EMAIL_USE_TLS=False to send without encryption',
    })
    expect(host.arrived).toEqual([])
  })

  test.concurrent('is not used when it is disabled', async () => {
    const host = await listen(tls)
    await sendOnce({ port: host.port })
    expect((await read(host)).isEncrypted).toBe(false)
  })
})

describe('an unreachable server', () => {
  test.concurrent('because nobody listens', async () => {
    expect(await sendOnce({ port: 1 })).toEqual({
      kind: 'unreachable',
      error:
        'The mail server refused the connection, so nothing is listening on this port: check EMAIL_HOST, EMAIL_PORT and firewalls',
    })
  })

  const GREETED = '220 mail.test ESMTP'
  const OFFERS = '250-mail.test\r\n250 STARTTLS'

  test.concurrent.each<[string, readonly string[], 'none' | 'starttls' | 'tls', string]>([
    [
      'is silent',
      [],
      'none',
      'accepted the connection, then sent no greeting within 500 ms: set EMAIL_USE_SSL=True if its port expects TLS from the first byte',
    ],
    ['greets and stops', [GREETED], 'none', 'sent its greeting, then did not answer EHLO within 500 ms'],
    ['stops at STARTTLS', [GREETED, OFFERS], 'starttls', 'answered EHLO, then did not answer STARTTLS within 500 ms'],
    [
      'stops after STARTTLS',
      [GREETED, OFFERS, '220 go on'],
      'starttls',
      'agreed to STARTTLS, then sent nothing more within 500 ms',
    ],
    ['stops at the sender', [GREETED, '250 ok'], 'none', 'answered EHLO, then did not answer MAIL FROM within 500 ms'],
    [
      'stops after the email',
      [GREETED, '250 ok', '250 ok', '250 ok', '354 go on'],
      'none',
      'answered DATA, then did not confirm the email, which may have arrived, within 500 ms',
    ],
    ['closes at once', ['close'], 'none', 'accepted the connection, then closed the connection without a greeting'],
    [
      'closes after its greeting',
      [GREETED, 'close'],
      'none',
      'sent its greeting, then closed the connection without an answer to EHLO',
    ],
    [
      'closes after STARTTLS',
      [GREETED, OFFERS, '220 go on', 'close'],
      'starttls',
      'agreed to STARTTLS, then closed the connection',
    ],
    [
      'closes at the sender',
      [GREETED, '250 ok', 'close'],
      'none',
      'answered EHLO, then closed the connection without an answer to MAIL FROM',
    ],
    [
      'closes after the email',
      [GREETED, '250 ok', '250 ok', '250 ok', '354 go on', 'close'],
      'none',
      'answered DATA, then closed the connection without confirming the email, which may have arrived',
    ],
  ])('because it %s is told apart', async (_, script, encryption, words) => {
    const { port } = listenTo(script)
    expect(await sendOnce({ port, encryption }, MAIL, { timeoutSeconds: 0.5 })).toEqual({
      kind: 'unreachable',
      error: `The mail server ${words}`,
    })
  })

  test.concurrent('because it never ends the handshake of TLS', async () => {
    const { port } = listenTo([])
    expect(await sendOnce({ port, encryption: 'tls' }, MAIL, { timeoutSeconds: 0.5 })).toEqual({
      kind: 'unreachable',
      error:
        'Could not open a TLS connection to the mail server within 500 ms: check EMAIL_HOST, EMAIL_PORT and firewalls',
    })
  })

  test.concurrent('because it does not speak TLS at that port', async () => {
    const { port } = listenTo([GREETED])
    expect(await sendOnce({ port, encryption: 'tls' }, MAIL, { timeoutSeconds: 2 })).toEqual({
      kind: 'unreachable',
      error:
        'The mail server does not use TLS from the first byte on this port: set EMAIL_USE_SSL=False and EMAIL_USE_TLS=True for STARTTLS, or another EMAIL_PORT',
    })
  })

  test.concurrent('because it rejects the connection is quoted', async () => {
    const host = await listen({ onConnect: (_, done) => done(refusal(554, 'go away')) })
    expect(await sendOnce({ port: host.port })).toEqual({
      kind: 'unreachable',
      error: 'The mail server rejected the connection: 554 go away',
    })
  })

  test.concurrent('because none is configured', async () => {
    const line = createFollowedMail(() => null)
    expect(await line.send(MAIL)).toEqual({
      kind: 'unreachable',
      error: 'No mail server is set up on this server',
    })
    await line.close()
  })
})

test.concurrent('the dialogue can be watched, and contains no credentials', async () => {
  const onAuth: SMTPServerOptions['onAuth'] = (_, __, done) => done(null, { user: 'me' })
  for (const authMethods of [['PLAIN'], ['LOGIN'], ['CRAM-MD5']]) {
    const host = await listen({ authOptional: false, onAuth, authMethods })
    const lines: string[] = []
    const login = { user: 'the-user', password: 'hunter2' }
    await sendOnce({ port: host.port, login }, MAIL, { onLine: (line) => lines.push(line) })
    expect(lines[0]).toMatch(/^S: 220 /)
    expect(lines).toContain('C: EHLO overdue.test')
    expect(lines).toContain('C: RCPT TO:<ops@example.org>')
    expect(lines.every((line) => /^[CS]: [^\r\n]*$/.test(line))).toBe(true)
    const said = lines.filter((line) => line.startsWith('C: ')).join('\n')
    expect(said).toMatch(new RegExp(`AUTH ${authMethods[0]}`))
    expect(said).toContain('(hidden)')
    for (const secret of ['the-user', 'hunter2']) {
      expect(said).not.toContain(secret)
      expect(said).not.toContain(btoa(secret))
      expect(said).not.toContain(btoa(`\0the-user\0${secret}`))
    }
  }
})
