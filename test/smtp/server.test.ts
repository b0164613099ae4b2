/** Mail pings from end to end: a client on a real socket, as mail servers and jobs send. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '../../src/domain/errors.ts'
import { storedKey } from '../../src/domain/project.ts'
import { courierFixture } from '../services/courier/courier-fixture.ts'
import { bytes } from '../support/builders.ts'
import { type SmtpClient, stuffed } from '../support/smtp-client.ts'
import { after, anAuthor, SECRET } from '../support/store-builders.ts'
import { SETTINGS } from '../transports/kinds.ts'
import { DOMAIN, type Given, type OpenDoor, openDoor } from './door.ts'

const pem = (name: string) => readFileSync(join(import.meta.dir, `../delivery/localhost-${name}.pem`), 'utf8')
const TLS = { cert: pem('cert'), key: pem('key') }
const UNKNOWN = '11111111-2222-4333-8444-555555555555'
const MAIL = 'Subject: Backup OK\r\n\r\ndone\r\n'

/** A shared server and a client with one connection: greetings take time, and each email starts anew. */
let usual: OpenDoor
let client: SmtpClient
/** The server of the current test: the shared one unless it opens its own. */
let o: OpenDoor
let closes: (() => Promise<void>)[]
beforeAll(async () => {
  usual = await openDoor()
  client = await usual.client()
})
afterAll(() => usual.close())
beforeEach(() => {
  o = usual
  closes = []
})
afterEach(async () => {
  for (const close of closes) await close()
})

async function open(given: Given): Promise<void> {
  o = await openDoor(given)
  closes.push(o.close)
}

const types = async (check: string) => (await o.pings(check)).map(({ type }) => type)

const OTHER_DOMAIN = `550 5.1.1 Recipient rejected: the addresses of checks end with @${DOMAIN}`
const INVALID = `550 5.1.1 Invalid mailbox: write <uuid>@${DOMAIN} or <ping key>+<slug>@${DOMAIN} with nothing else; keywords in the subject mark starts and failures`
const NOT_FOUND = '550 5.1.1 Unknown check: no check has this address, copy it from the check page'

describe('an email to a check', () => {
  test('is a ping with the whole message as its body', async () => {
    const check = await o.check()
    expect(await client.mail(MAIL, o.address(check))).toBe('250 2.6.0 OK')
    const [entry] = await o.pings(check)
    expect(entry).toMatchObject({
      type: 'success',
      n: 1,
      scheme: 'email',
      method: '',
      ua: 'Email from job@example.org',
      rid: null,
      remote_addr: '127.0.0.1',
    })
    expect(entry?.body_url).toEndWith(`/checks/${check}/pings/1/body`)
    expect(await o.body(check, 1)).toEqual(bytes(MAIL))
    const key = o.t.keys.apiKey
    expect(await o.t.json('GET', `/api/v3/checks/${check}`, { key })).toMatchObject({ status: 'up', n_pings: 1 })
  })

  test.each([
    ['without brackets', (check) => [`RCPT TO:${check}@ping.example`]],
    ['with blanks', (check) => [`RCPT TO: < ${check}@ping.example > `]],
    ['in small letters, without a colon', (check) => [`rcpt to <${check}@ping.example>`]],
    ['with a name', (check) => [`RCPT TO:"Over > due" <${check}@ping.example>`]],
    ['with one bracket', (check) => [`RCPT TO:<${check}@ping.example`]],
    ['as a URL', (check) => [`RCPT TO:<mailto:${check}@ping.example>`]],
    ['by a source route', (check) => [`RCPT TO:<@a.example,@b.example:${check}@ping.example>`]],
    ['in quotes', (check) => [`RCPT TO:<"${check}"@ping.example>`]],
    ['with parameters', (check) => [`RCPT TO:<${check}@ping.example> NOTIFY=NEVER X-OTHER=1`]],
  ] satisfies readonly (readonly [string, (check: string) => string[]])[])('may name it %s', async (_, lines) => {
    const check = await o.check()
    await client.say('EHLO x')
    await client.say('MAIL FROM:<>')
    for (const line of [...lines(check), 'DATA']) await client.say(line)
    client.write(stuffed(MAIL))
    expect(await client.answer()).toBe('250 2.6.0 OK')
    expect(await types(check)).toEqual(['success'])
  })

  test.each([
    ['MAIL FROM:<root>', 'root'],
    ['MAIL FROM:root SIZE=100', 'root'],
    ['MAIL FROM: <job@example.org>  ', 'job@example.org'],
    ['mail from:<a@b@c> BODY=8BITMIME SMTPUTF8', 'a@b@c'],
    ['MAIL FROM:<@a.example:"My Job"@nas>', '"My Job"@nas'],
    ['MAIL FROM:', ''],
    ['MAIL FROM:<> ', ''],
  ])('may come with %j', async (line, sender) => {
    const check = await o.check()
    await client.say('EHLO')
    expect(await client.say(line)).toStartWith('250')
    await client.say(`RCPT TO:<${o.address(check)}>`)
    await client.say('DATA')
    client.write(stuffed(MAIL))
    await client.answer()
    expect((await o.pings(check)).map(({ ua }) => ua)).toEqual([`Email from ${sender}`])
  })

  test.each(['HELO', 'EHLO', 'helo my nas', 'EHLO -'])(
    'may come from a client that greets with %j',
    async (greeting) => {
      const stranger = await o.client()
      expect(await stranger.say(greeting)).toStartWith('250')
      expect(await stranger.say('MAIL FROM:<>')).toStartWith('250')
    },
  )

  test('finds a ping key with capitals that was written small, if it is the only one', async () => {
    await open({})
    const client = await o.client()
    const check = await o.check({ slug: 'backup' })
    const { store } = o.t.app.deps
    const keep = (pingKey: string) =>
      store.by(anAuthor()).keys.create(storedKey(o.t.project, 'ping', pingKey, SECRET, after(0)))
    await keep('Ab3-EFGHIJ_0123456789x')
    const address = o.address('ab3-efghij_0123456789x+Backup')
    expect(await client.mail(MAIL, address)).toBe('250 2.6.0 OK')
    expect(await types(check)).toEqual(['success'])
    await keep('AB3-EFGHIJ_0123456789X')
    expect(await client.begin(address)).toBe(NOT_FOUND)
  })

  test('goes to each of its recipients at once, except rejected ones', async () => {
    const [first, second, third] = [await o.check(), await o.check(), await o.check()]
    await client.mail(MAIL, o.address(first), o.address(UNKNOWN), o.address(second))
    expect([await types(first), await types(second), await types(third)]).toEqual([['success'], ['success'], []])
  })

  test('goes to each of its recipients as it came, also when it is too large for one transaction', async () => {
    const [first, second, third] = [await o.check(), await o.check(), await o.check()]
    const lines = Array.from({ length: 3_000 }, (_, n) => `${n} ${'x'.repeat(990)}`)
    const message = `Subject: large\r\n\r\n${lines.join('\r\n')}\r\n`
    expect(await client.mail(message, ...[first, second, third].map(o.address))).toBe('250 2.6.0 OK')
    for (const check of [first, second, third]) expect(Buffer.from(message).equals(await o.body(check, 1))).toBe(true)
  })

  test('may be pipelined', async () => {
    const check = await o.check()
    const lines = [
      'EHLO x',
      'MAIL FROM:<>',
      `RCPT TO:<${o.address(check)}>`,
      `RCPT TO:<${o.address(UNKNOWN)}>`,
      'DATA',
      '',
    ]
    client.write(lines.join('\r\n'))
    const answers = [await client.answer(), await client.answer(), await client.answer(), await client.answer()]
    expect(answers.map((answer) => answer.slice(0, 3))).toEqual(['250', '250', '250', '550'])
    expect(await client.answer()).toStartWith('354')
    client.write(Buffer.concat([stuffed(MAIL), bytes('NOOP\r\nRSET\r\n')]))
    expect([await client.answer(), await client.answer(), await client.answer()]).toEqual([
      '250 2.6.0 OK',
      '250 2.0.0 OK',
      '250 2.0.0 Flushed',
    ])
    expect((await o.pings(check)).map(({ ua }) => ua)).toEqual(['Email from '])
  })

  test('keeps every byte: dots at the start of lines, eight bits, zeros, endless lines', async () => {
    const check = await o.check()
    const all = Uint8Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => byte !== 0x0a && byte !== 0x0d)
    const message = Buffer.concat([
      bytes('.first\r\n..second\r\n.\r\n...\r\n\r\n'),
      all,
      bytes(`\r\n${'x'.repeat(100_000)}\r\nbare\nfeed\r\n`),
    ])
    expect(await client.mail(message, o.address(check))).toBe('250 2.6.0 OK')
    expect(Buffer.from(await o.body(check, 1)).equals(message)).toBe(true)
  })

  test('is kept whole beyond the body limit of HTTP pings, and has no body when it is empty', async () => {
    const check = await o.check()
    const message = `Subject: long\r\n\r\n${`${'x'.repeat(98)}\r\n`.repeat(3_000)}`
    await client.mail(message, o.address(check))
    await client.mail('', o.address(check))
    expect((await o.body(check, 1)).length).toBe(message.length)
    expect((await o.pings(check)).map(({ body_url }) => typeof body_url)).toEqual(['string', 'object'])
  })

  test('may have an odd or a long sender, which is cut at 200 characters with its prefix', async () => {
    const check = await o.check()
    const senders = [`${'x'.repeat(300)}@example.org`, 'user.@printer', 'jürgen@exämple.org']
    for (const sender of senders) {
      await client.say('EHLO x')
      await client.say(`MAIL FROM:<${sender}> SMTPUTF8`)
      await client.say(`RCPT TO:<${o.address(check)}>`)
      await client.say('DATA')
      client.write(stuffed(MAIL))
      expect(await client.answer()).toBe('250 2.6.0 OK')
    }
    const agents = (await o.pings(check)).map(({ ua }) => ua)
    expect(agents).toEqual([
      `Email from ${'x'.repeat(189)}`,
      'Email from user.@printer',
      'Email from jürgen@exämple.org',
    ])
  })
})

describe('settings of a check', () => {
  const send = async (check: string, subject: string, body: string) => {
    expect(await client.mail(`Subject: ${subject}\r\n\r\n${body}\r\n`, o.address(check))).toBe('250 2.6.0 OK')
    return (await types(check)).at(-1)
  }
  const keywords = { start_kw: 'BEGIN', success_kw: 'OK', failure_kw: 'FAILED' }

  test('let keywords decide, in the places that are searched', async () => {
    const check = await o.check({ ...keywords, filter_subject: true })
    expect(await send(check, 'BEGIN', 'FAILED')).toBe('start')
    expect(await send(check, '=?utf-8?b?T0s=?=', 'x')).toBe('success')
    expect(await send(check, 'OK, but FAILED', 'x')).toBe('fail')
    expect(await send(check, 'x', 'OK')).toBe('ign')
    expect(await types(check)).toHaveLength(4)
  })

  test('without keywords leave an email unread, even next to others with them', async () => {
    const [searching, other] = [await o.check({ ...keywords, filter_subject: true }), await o.check(keywords)]
    expect(await client.mail('Subject: FAILED\r\n\r\n', o.address(other), o.address(searching))).toBe('250 2.6.0 OK')
    expect([await types(searching), await types(other)]).toEqual([['fail'], ['success']])
  })
})

test('an email with only dots costs about as much as any other of its size', async () => {
  await open({})
  const check = await o.check()
  const client = await o.client()
  const cpuMsOf = async (line: string) => {
    const message = Buffer.from(`Subject: s\r\n\r\n${line.repeat(1_000_000 / line.length)}`)
    const before = process.cpuUsage()
    expect(await client.mail(message, o.address(check))).toBe('250 2.6.0 OK')
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
  await cpuMsOf(`${'x'.repeat(98)}\r\n`)
  const usual = await cpuMsOf(`${'x'.repeat(98)}\r\n`)
  // On the wire, each of these lines begins with two dots.
  expect(await cpuMsOf('.\r\n')).toBeLessThan(20 * usual + 500)
})

test('reading an email alternates with long work of the store, one step at a time', async () => {
  await open({})
  const { eventLoop } = o.t.app.deps
  const gate = Promise.withResolvers<void>()
  const haveAsked = Promise.withResolvers<void>()
  const held = eventLoop.step(() => gate.promise)
  const step = eventLoop.step.bind(eventLoop)
  let asked = 0
  eventLoop.step = (work) => {
    asked += 1
    if (asked === 2) haveAsked.resolve()
    return step(work)
  }
  const check = await o.check({ filter_subject: true, success_kw: 'OK' })
  const client = await o.client()
  const ended: string[] = []
  const both = [
    client.mail('Subject: OK\r\n\r\n', o.address(check)).then(() => ended.push('mail')),
    o.t.app.settle('retention').then(() => ended.push('retention')),
  ]
  await haveAsked.promise
  expect(ended).toEqual([])
  gate.resolve()
  await Promise.all([held, ...both])
  expect(ended.toSorted()).toEqual(['mail', 'retention'])
  expect(await types(check)).toEqual(['success'])
})

test('an email that fails a check is told with its subject, the keyword and where that is', async () => {
  await open({})
  const client = await o.client()
  const alerts = courierFixture(o.t)
  await alerts.addChannel({ kind: 'gotify', settings: SETTINGS.gotify })
  const check = await o.check({ filter_subject: true, filter_body: true, failure_kw: 'Failed', channels: '*' })
  await client.mail('Subject: =?utf-8?Q?[Failed]_N=C3=A4chtlich?=\r\n\r\nbye\r\n', o.address(check))
  await alerts.deliver()
  const { message } = JSON.parse(o.t.sent[0]?.body ?? '')
  expect(message).toStartWith('Failed: ‘\\[Failed\\] Nächtlich’. The keyword ‘Failed’ is in the subject.')
})

describe('a recipient is rejected', () => {
  test.each([
    ['of another domain', `${UNKNOWN}@elsewhere.example`, OTHER_DOMAIN],
    ['by an address in brackets', `${UNKNOWN}@[127.0.0.1]`, OTHER_DOMAIN],
    ['that is the postmaster', 'postmaster', OTHER_DOMAIN],
    ['of no form', `backup@${DOMAIN}`, INVALID],
    ['with an action behind the UUID', `${UNKNOWN}+fail@${DOMAIN}`, INVALID],
    ['whose UUID is of version 1', `11111111-2222-1333-8444-555555555555@${DOMAIN}`, INVALID],
    ['that no check has', `${UNKNOWN}@${DOMAIN}`, NOT_FOUND],
    ['with an unknown ping key', `${'x'.repeat(22)}+backup@${DOMAIN}`, NOT_FOUND],
  ])('%s, with what to write', async (_, recipient, answer) => {
    expect(await client.begin(recipient)).toBe(answer)
  })

  test.each([
    ['+fail', `+fail@${DOMAIN}`, 'mailto:+fail'],
    ['.start', `.start@${DOMAIN}`, 'mailto:.start'],
    ['another domain', '@elsewhere.example', 'mailto:@elsewhere.example'],
  ])('of a check that is there with %s, and counted', async (_, behind, lastTail) => {
    const check = await o.check()
    expect(await client.begin(check + behind)).toStartWith('550 5.1.1')
    await o.refusedNotes.write()
    const { now, store } = o.t.app.deps
    expect((await store.uncounted.listRefused([check], now())).get(check)).toMatchObject({ n: 1, lastTail })
  })

  test('with an unknown or ambiguous slug, and no check is created', async () => {
    await o.check({ slug: 'twice' })
    await o.check({ slug: 'twice' })
    expect(await client.begin(o.address(`${o.t.keys.pingKey}+new`))).toBe(NOT_FOUND)
    expect(await client.say(`RCPT TO:<${o.address(`${o.t.keys.pingKey}+twice`)}>`)).toBe(
      `550 5.1.1 Ambiguous slug: several checks have it, write <uuid>@${DOMAIN}`,
    )
    expect(await client.say('DATA')).toStartWith('503')
    const key = o.t.keys.apiKey
    expect(await o.t.json('GET', '/api/v3/checks/?slug=new', { key })).toEqual({ checks: [] })
  })

  test('when a message has too many', async () => {
    await open({ limits: { recipients: 2 } })
    const client = await o.client()
    const [first, second, third] = [await o.check(), await o.check(), await o.check()]
    expect(await client.begin(o.address(first), o.address(second))).toStartWith('354')
    client.write(stuffed(MAIL))
    await client.answer()
    await client.say('MAIL FROM:<job@example.org>')
    for (const check of [first, second]) expect(await client.say(`RCPT TO:<${o.address(check)}>`)).toStartWith('250')
    expect(await client.say(`RCPT TO:<${o.address(third)}>`)).toBe('452 4.5.3 Error: too many recipients')
  })
})

/** Sends an email that arrives, but is not written before `commit` is called. */
async function sendHeld() {
  const arrived = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  await open({
    beforeCommit: () => {
      arrived.resolve()
      return gate.promise
    },
  })
  const check = await o.check()
  const client = await o.client()
  await client.begin(o.address(check))
  client.write(stuffed(MAIL))
  await arrived.promise
  return { check, client, commit: gate.resolve }
}

describe('250 is said', () => {
  test('only after the commit', async () => {
    const { check, client, commit } = await sendHeld()
    let answer = 'none'
    const answered = client.answer().then((given) => (answer = given))
    // Another connection is served meanwhile, so an answer would have had time to arrive.
    await (await o.client()).say('NOOP')
    expect([answer, await types(check)]).toEqual(['none', []])
    commit()
    await answered
    expect([answer, await types(check)]).toEqual(['250 2.6.0 OK', ['success']])
  })

  test('when at least one recipient is left, and 550 when none is', async () => {
    const [gone, left] = [await o.check(), await o.check()]
    const remove = (check: string) => o.t.call('DELETE', `/api/v3/checks/${check}`, { key: o.t.keys.apiKey })
    await client.begin(o.address(gone), o.address(left))
    await remove(gone)
    client.write(stuffed(MAIL))
    expect(await client.answer()).toBe('250 2.6.0 OK')
    expect(await types(left)).toEqual(['success'])
    await client.begin(o.address(left))
    await remove(left)
    client.write(stuffed(MAIL))
    expect(await client.answer()).toBe('550 5.1.1 Unknown check')
  })
})

describe('while the database is unusable', () => {
  const unavailable = new Refusal('unavailable', 'please try again', { reason: 'the disk is full' })
  let isDown = false
  const refuse = async () => {
    if (isDown) throw unavailable
  }
  beforeEach(() => {
    isDown = false
  })

  test('email is deferred with 451, nothing of it is kept, and later it is accepted', async () => {
    await open({ beforeCommit: refuse })
    const check = await o.check()
    const client = await o.client()
    isDown = true
    expect(await client.mail(MAIL, o.address(check))).toBe('451 4.3.0 please try again')
    expect(await types(check)).toEqual([])
    isDown = false
    expect(await client.mail(MAIL, o.address(check))).toBe('250 2.6.0 OK')
    expect(o.t.log).toEqual([{ level: 'error', message: 'mail refused', details: { reason: 'the disk is full' } }])
  })

  test('recipients are deferred too', async () => {
    await open({ beforeFind: refuse })
    const check = await o.check()
    isDown = true
    expect(await (await o.client()).begin(o.address(check))).toBe('451 4.3.0 please try again')
  })

  test('an internal error is logged and does not make a sender give up', async () => {
    await open({ beforeFind: () => Promise.reject(new Error('a mistake')) })
    expect(await (await o.client()).begin(o.address(UNKNOWN))).toBe('451 4.3.0 internal error, it has been logged')
    expect(o.t.log[0]).toMatchObject({ level: 'error', message: 'unexpected error', details: { door: 'mail' } })
  })
})

describe('a message that is too large', () => {
  test('is rejected before it is sent when its size is declared', async () => {
    expect(await client.say('EHLO x')).toContain('SIZE 33554432')
    expect(await client.say('MAIL FROM:<a@example.org> SIZE=33554433')).toStartWith('552 5.3.4 ')
    expect(await client.say('MAIL FROM:<a@example.org> SIZE=33554432')).toStartWith('250 ')
  })

  test('is rejected after it was sent, even by one byte, and one that just fits is accepted', async () => {
    await open({ limits: { messageBytes: 300_000 } })
    const check = await o.check()
    const client = await o.client()
    const message = (length: number) => `${'x'.repeat(length - 2)}\r\n`
    expect(await client.mail(message(300_001), o.address(check))).toStartWith('552 5.3.4 ')
    expect(await types(check)).toEqual([])
    expect(await client.mail(message(300_000), o.address(check))).toBe('250 2.6.0 OK')
    expect((await o.body(check, 1)).length).toBe(300_000)
  })
})

describe('more than the limits', () => {
  test('large messages are deferred while others have their slots, small ones never', async () => {
    await open({ limits: { smallMessageBytes: 1_000, largeMessages: 1 } })
    const check = await o.check()
    const [first, second] = [await o.client(), await o.client()]
    const large = `${'x'.repeat(98)}\r\n`.repeat(20)
    await first.begin(o.address(check))
    first.write(large)
    const putOff = '451 4.3.0 too many large messages at once, try again later'
    await untilPutOff(second, large, putOff, o.address(check))
    expect(await second.mail(MAIL, o.address(check))).toBe('250 2.6.0 OK')
    first.write('.\r\n')
    expect(await first.answer()).toBe('250 2.6.0 OK')
    expect(await second.mail(large, o.address(check))).toBe('250 2.6.0 OK')
  })

  test('an incomplete large message releases its slot, and is no ping', async () => {
    await open({ limits: { smallMessageBytes: 1_000, largeMessages: 1 } })
    const check = await o.check()
    const [first, second] = [await o.client(), await o.client()]
    const large = `${'x'.repeat(98)}\r\n`.repeat(20)
    await first.begin(o.address(check))
    first.write(large)
    await untilPutOff(second, large, '451 4.3.0 too many large messages at once, try again later', o.address(check))
    const pingsBefore = (await types(check)).length
    first.close()
    let answer = ''
    while (!answer.startsWith('250')) answer = await second.mail(large, o.address(check))
    expect((await types(check)).length).toBe(pingsBefore + 1)
    expect(o.t.log.filter(({ level }) => level === 'error')).toEqual([])
  })

  /** Sends the large email until it is put off: bytes of the other connection may still be on their way. */
  async function untilPutOff(client: SmtpClient, large: string, putOff: string, recipient: string): Promise<void> {
    let answer = ''
    while (answer !== putOff) answer = await client.mail(large, recipient)
  }

  test('connections beyond the limit are closed', async () => {
    await open({ limits: { connections: 1 } })
    const first = await o.client()
    const second = await o.client()
    await second.closed
    expect(await first.say('NOOP')).toBe('250 2.0.0 OK')
  })

  test("connections beyond a client's limit are closed, and those that end make space", async () => {
    await open({ limits: { connectionsOfClient: 1 } })
    const first = await o.client()
    await expect((await o.client()).say('NOOP')).rejects.toThrow('the server hung up')
    expect(await first.say('QUIT')).toStartWith('221 ')
    await first.closed
    expect(await (await o.client()).say('NOOP')).toBe('250 2.0.0 OK')
  })

  test('a client that names no check is disconnected, whatever else it sends', async () => {
    await open({ limits: { identifyWithinMs: 100 } })
    const client = await o.client()
    const answers = [await client.say('EHLO x')]
    while (!answers.at(-1)?.startsWith('421 ')) answers.push(await client.say('NOOP'))
    await client.closed
  })

  test('a client that has named a check stays connected', async () => {
    await open({ limits: { identifyWithinMs: 1_000 } })
    const check = await o.check()
    const client = await o.client()
    expect(await client.mail(MAIL, o.address(check))).toBe('250 2.6.0 OK')
    // Another connection is opened later and closed, so this one's time would be over.
    expect(await (await o.client()).answer()).toStartWith('421 ')
    expect(await client.say('NOOP')).toBe('250 2.0.0 OK')
  })

  test('a message may not have too many recipients for its size', async () => {
    await open({ limits: { copiedBytes: 1_000 } })
    const [first, second] = [await o.check(), await o.check()]
    const client = await o.client()
    await client.say('EHLO x')
    await client.say('MAIL FROM:<job@example.org> SIZE=501')
    expect(await client.say(`RCPT TO:<${o.address(first)}>`)).toStartWith('250 ')
    const refusal = await client.say(`RCPT TO:<${o.address(second)}>`)
    expect(refusal).toStartWith('452 ')
    expect(refusal).toEndWith('too many recipients for a message of this size')

    const message = (length: number) => `${'x'.repeat(length - 2)}\r\n`
    expect(await client.mail(message(501), o.address(first), o.address(second))).toStartWith('552 ')
    expect(await types(first)).toEqual([])
    expect(await client.mail(message(500), o.address(first), o.address(second))).toBe('250 2.6.0 OK')
    expect([await types(first), await types(second)]).toEqual([['success'], ['success']])
  })

  test('a client that is silent, and one that sends for too long, are disconnected', async () => {
    await open({ limits: { silenceMs: 500 } })
    expect(await (await o.client()).answer()).toStartWith('421 ')
    await open({ limits: { messageMs: 1 } })
    const client = await o.client()
    await client.begin(o.address(await o.check()))
    client.write('Subject: slow')
    expect(await client.answer()).toStartWith('421 ')
  })
})

describe('the server closes', () => {
  test('at once for clients that idle', async () => {
    await open({})
    const client = await o.client()
    await o.door.close(10_000)
    expect(await client.answer()).toStartWith('421 ')
    await client.closed
  })

  test('for a message under way when it is answered', async () => {
    const { check, client, commit } = await sendHeld()
    const closing = o.door.close(10_000)
    commit()
    expect(await client.answer()).toBe('250 2.6.0 OK')
    await closing
    await client.closed
    expect(await types(check)).toEqual(['success'])
  })

  test('during an endless message, when its time is over', async () => {
    await open({})
    const client = await o.client()
    await client.begin(o.address(await o.check()))
    client.write('Subject: never')
    await o.door.close(1)
    expect(await client.answer()).toStartWith('421 ')
  })
})

describe('STARTTLS', () => {
  test('is offered with a certificate, and email is accepted over it', async () => {
    await open({ tls: TLS })
    const check = await o.check()
    const plain = await o.client()
    expect(await plain.say('EHLO x')).toContain('STARTTLS')
    expect(await plain.say('STARTTLS')).toStartWith('220 ')
    const secure = await plain.secured()
    expect(await secure.say('MAIL FROM:<a@example.org>')).toStartWith('503 ')
    expect(await secure.say('EHLO x')).not.toContain('STARTTLS')
    const dots = `${MAIL}.\r\n..\r\n`
    expect(await secure.mail(dots, o.address(check))).toBe('250 2.6.0 OK')
    expect(await types(check)).toEqual(['success'])
    expect(Buffer.from(await o.body(check, 1)).toString()).toBe(dots)
    secure.close()
  })

  test('is unknown without one', async () => {
    expect(await client.say('EHLO x')).not.toContain('STARTTLS')
    expect(await client.say('STARTTLS')).toStartWith('500 ')
  })

  test('that is followed by anything but TLS ends only this connection', async () => {
    await open({ tls: TLS })
    const [broken, sound] = [await o.client(), await o.client()]
    await broken.say('EHLO x')
    await broken.say('STARTTLS')
    broken.write('EHLO again\r\nMAIL FROM:<a@example.org>\r\n')
    await broken.closed
    expect(await sound.mail(MAIL, o.address(await o.check()))).toBe('250 2.6.0 OK')
  })
})

describe('an unidentified client', () => {
  test('sees what the server supports, and nothing about the machine', async () => {
    expect(await client.say('EHLO x')).toBe(
      [
        '250-ping.example',
        '250-PIPELINING',
        '250-8BITMIME',
        '250-SMTPUTF8',
        '250-ENHANCEDSTATUSCODES',
        '250 SIZE 33554432',
      ].join('\n'),
    )
  })

  test('that sends commands out of order gets errors, and others are still served', async () => {
    const lines: readonly (readonly [line: string, code: string])[] = [
      ['AUTH PLAIN AGEAYg==', '500'],
      ['XCLIENT ADDR=192.0.2.1', '500'],
      ['WIZ x', '500'],
      ['EXPN all', '500'],
      ['VRFY root', '252'],
      ['RCPT TO:<a@ping.example>', '503'],
      ['DATA', '503'],
      ['MAIL FROM:<a\0b@example.org>', '501'],
      ['RCPT TO:a b', '501'],
      ['MAIL FROM:<> SIZE=many', '501'],
      ['MAIL TO:<>', '501'],
      ['\0\xff\xfe', '500'],
      ['', '500'],
      ['GET / HTTP/1.1', '421'],
      ['x'.repeat(3_000), '421'],
    ]
    const answers = lines.map(async ([line]) => {
      const stranger = await o.client()
      await stranger.say('EHLO x')
      return [line, (await stranger.say(line)).slice(0, 3)] as const
    })
    expect(await Promise.all(answers)).toEqual([...lines])
    expect(await client.mail(MAIL, o.address(await o.check()))).toBe('250 2.6.0 OK')
  })

  test('that ends the message early by a lone dot with bare line feeds smuggles nothing in', async () => {
    const check = await o.check()
    const smuggled = `Subject: a\r\n\r\nx\n.\nMAIL FROM:<evil@example.org>\r\nRCPT TO:<${o.address(check)}>\r\n`
    await client.begin(o.address(check))
    client.write(`${smuggled}\r\n.\r\n`)
    expect(await client.answer()).toBe('250 2.6.0 OK')
    expect((await o.pings(check)).map(({ ua }) => ua)).toEqual(['Email from job@example.org'])
  })

  test('leaves no address in the log', async () => {
    await open({ tls: TLS })
    const check = await o.check()
    const client = await o.client()
    await client.mail(MAIL, o.address(check))
    await client.begin(o.address(UNKNOWN))
    await client.begin(o.address(check))
    client.close()
    await o.close()
    const said = JSON.stringify(o.t.log)
    for (const secret of [check, UNKNOWN, 'job@example.org', o.t.keys.pingKey]) expect(said).not.toContain(secret)
    closes = []
  })
})
