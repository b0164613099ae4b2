/** `email`: whole emails for both statuses, user input in them, and conclusions on the server's answers. */
import { describe, expect, test } from 'bun:test'
import type { MailAnswer } from '../../src/domain/carrier/mail.ts'
import { firstProblem } from '../../src/domain/schema.ts'
import { email } from '../../src/transports/email.ts'
import type { Alert, Conclusion } from '../../src/transports/transport.ts'
import { aCheck, aFlip, aPing, at, bytes, NOON } from '../support/builders.ts'
import { unescaped } from '../support/page-words.ts'
import { CAME_UP, HOSTILE_LINE, HOSTILE_LINES, LINK, WENT_DOWN } from './parsed.ts'
import { downAlert, HOSTILE, hostileAlert, RUNBOOK, upAlert } from './support.ts'

const OPERATOR = { EMAIL_HOST: 'mail.example.org' }
const SETTINGS = { value: 'ops@example.org', down: true, up: true }
const UNSUBSCRIBE = 'https://overdue.test/unsubscribe'

function mailOf(alert: Alert, settings: unknown = SETTINGS) {
  const problem = firstProblem(email.settings, settings)
  if (problem) throw new Error(`the settings do not fit: ${JSON.stringify(problem)}`)
  return email.render({ ...alert, operator: OPERATOR }, settings)
}

/** Returns the visible text, a line for each block. */
function readable(html: string): string {
  const words = html
    .replace(/^[\s\S]*<body[^>]*>/, '')
    .replaceAll('</th>', ': ')
    .replace(/<a href="([^"]*)"[^>]*>/g, '$1 ')
    .replace(/<(?!\/?(?:b|a|span)\b)[^>]*>/g, '\n')
    .replace(/<[^>]*>/g, '')
  return unescaped(words).replace(/: \n+/g, ': ').replace(/\n\s*/g, '\n').trim()
}

describe('the mail', () => {
  test('of a check that went down has all details, as text and as HTML', () => {
    const { text, html, ...envelope } = mailOf(downAlert())
    expect(envelope).toEqual({
      id: downAlert().delivery.id,
      to: 'ops@example.org',
      subject: 'DOWN | Nightly backup',
      unsubscribeUrl: UNSUBSCRIBE,
    })
    const link = LINK
    expect(text).toBe(`Nightly backup is DOWN

${WENT_DOWN}

Database to tape

View the check:
${link}

Status changed to down at: Wed, 04 Mar 2026 12:00:00 +0000
Project: Home lab
Tags: prod, db
Period: 2 hours
Total pings: 12 (since 04 Mar 2026)
Last ping: Success, 3 hours ago
Last ping at: Wed, 04 Mar 2026 09:00:00 +0000
Last ping from: 192.0.2.7 by HTTPS GET

Last output
-----------

42 files

-- 
Overdue sent this email because an integration of the project "Home lab" uses this address.

Unsubscribe:
${UNSUBSCRIBE}
`)
    expect(readable(html)).toBe(`Nightly backup is DOWN
${WENT_DOWN}
Database to tape
${link} View the check
Status changed to down at: Wed, 04 Mar 2026 12:00:00 +0000
Project: Home lab
Tags: prod, db
Period: 2 hours
Total pings: 12 (since 04 Mar 2026)
Last ping: Success, 3 hours ago
Last ping at: Wed, 04 Mar 2026 09:00:00 +0000
Last ping from: 192.0.2.7 by HTTPS GET
Last output
42 files
Overdue sent this email because an integration of the project "Home lab" uses this address.
${UNSUBSCRIBE} Unsubscribe`)
  })

  test('of a check that recovered has the downtime, and lists the checks that are still down', () => {
    const check = { name: 'Tape <robot>', lastPingAt: at('11:00') }
    const siblings = { exist: true, downCount: 1, counts: null, down: [{ id: aCheck().id, ...check }] }
    const { subject, text, html } = mailOf(upAlert({ siblings }))
    expect(subject).toBe('UP | Nightly backup')
    for (const words of [text, readable(html)]) {
      expect(words).toStartWith('Nightly backup is UP\n')
      expect(words).toContain(`\n${CAME_UP}\n`)
      expect(words).toContain('\nStatus changed to up at: Wed, 04 Mar 2026 12:00:00 +0000\n')
      expect(words).toContain('\nThe following checks are still down:\n')
      expect(words).toContain('Tape <robot> (last ping: 1 hour ago)\n')
    }
  })

  test('leaves out what is empty', () => {
    const check = { ...downAlert().check, desc: ' ', tags: '' }
    const { text } = mailOf(downAlert({ check, lastPing: null, flip: aFlip({ n: 3, reason: '' }) }))
    expect(text).not.toMatch(/Tags|Last ping at|Last output|other checks/)
    expect(text).toContain('\nLast ping: Never\n')
  })

  test("shows times in the channel's zone, and the schedule in the check's", () => {
    const check = { ...downAlert().check, kind: 'cron', schedule: '0 9 * * *', tz: 'Asia/Tokyo' } as const
    const { text } = mailOf(downAlert({ check }), { ...SETTINGS, tz: 'America/New_York' })
    expect(text).toContain('Status changed to down at: Wed, 04 Mar 2026 07:00:00 -0500\n')
    expect(text).toContain('Last ping at: Wed, 04 Mar 2026 04:00:00 -0500\n')
    expect(text).toContain('(since 03 Mar 2026)\n')
    expect(text).toContain('Schedule: 0 9 * * *\nTime Zone: Asia/Tokyo\n')
  })

  test('goes to settings that are just an address too', () => {
    expect(mailOf(downAlert(), 'ops@example.org')).toEqual(mailOf(downAlert()))
  })

  test("needs the operator's mail server", () => {
    expect(() => email.render(downAlert(), SETTINGS)).toThrow(
      'No mail server is set up: enter it at Administration › Mail, or set EMAIL_HOST',
    )
  })

  test('contains no setting of the operator', () => {
    expect(JSON.stringify(mailOf(downAlert()))).not.toContain(OPERATOR.EMAIL_HOST)
  })
})

describe('user input', () => {
  const { subject, text, html } = mailOf(hostileAlert())

  const body = `${'x'.repeat(10_000)}`
  const total = `Showing the last 10000 characters of ${bytes(HOSTILE).length + 10_000} bytes.`
  const facts = `Status changed to down at: Wed, 04 Mar 2026 12:00:00 +0000
Project: ${HOSTILE_LINE}
Tags: "a", <b>, 🎉, $NAME, @all
Period: 2 hours
Total pings: 12 (since 04 Mar 2026)
Last ping: Success, 3 hours ago
Last ping at: Wed, 04 Mar 2026 09:00:00 +0000
Last ping from: 192.0.2.7 by HTTPS GET
`

  test('stays on one line of the subject, limited in length', () => {
    expect(subject).toBe(`DOWN | ${HOSTILE_LINE}`)
    expect(mailOf(downAlert({ check: { ...downAlert().check, name: '🦆'.repeat(5000) } })).subject.length).toBeLessThan(
      200,
    )
  })

  test('is plain text in the text part, without a link if the check has no page', () => {
    expect(text).toBe(`${HOSTILE_LINE} is DOWN

${WENT_DOWN}

${HOSTILE_LINES}
Run book: ${RUNBOOK}, tell <!channel> and @all

${facts}
Last output
-----------

${total}

${body}

-- 
Overdue sent this email because an integration of the project "${HOSTILE_LINE}" uses this address.

Unsubscribe:
${UNSUBSCRIBE}
`)
  })

  test('is plain text in the HTML part, never markup', () => {
    expect(readable(html)).toBe(`${HOSTILE_LINE} is DOWN
${WENT_DOWN}
${HOSTILE_LINES.replace('\n 🎉', '\n🎉')}
Run book: ${RUNBOOK}, tell <!channel> and @all
${facts}Last output
${total}
${body}
Overdue sent this email because an integration of the project "${HOSTILE_LINE}" uses this address.
${UNSUBSCRIBE} Unsubscribe`)
    expect(html.match(/<b>|<!channel/g)).toBeNull()
  })

  test('adds no remote content', () => {
    const links = [...html.matchAll(/(?:src|href|url)\s*[=(]\s*"?([^">)]*)/gi)].map(([, target]) => target)
    expect(links).toEqual([UNSUBSCRIBE])
    expect(html).not.toMatch(/<(?:img|script|link|iframe|style|form)\b/i)
  })

  test('is limited in length', () => {
    const long = 'x<'.repeat(1_000_000)
    const check = { ...downAlert().check, name: long.slice(0, 100), desc: long }
    const mail = mailOf(downAlert({ check, lastPing: aPing({ body: bytes(long) }) }))
    expect(mail.text.length).toBeLessThan(30_000)
    expect(mail.html.length).toBeLessThan(100_000)
  })
})

describe('the body of the last ping', () => {
  const withBody = (body: Uint8Array, scheme = 'https') => mailOf(downAlert({ lastPing: aPing({ body, scheme }) }))

  test('is shown whole up to 10,000 characters, counted as people count them', () => {
    const { text } = withBody(bytes('🦆'.repeat(10_000)))
    expect(text).toContain(`\n\n${'🦆'.repeat(10_000)}\n`)
    expect(text).not.toContain('Showing')
  })

  test.each(['https', 'email'])('is reported as dropped when the log was full: %s', (scheme) => {
    const { text, attachments } = mailOf(downAlert({ lastPing: aPing({ droppedBytes: 20_000, scheme }) }))
    expect(text).toContain("\n\nA body of 20000 bytes was dropped because the check's log is full.\n")
    expect(attachments ?? []).toEqual([])
  })

  test('is shown from its end when it is longer, with a note', () => {
    const { text, html } = withBody(bytes(`START${'é'.repeat(9_997)}END`))
    expect(text).toContain(`Showing the last 10000 characters of 20002 bytes.\n\n${'é'.repeat(9_997)}END\n`)
    expect(html).toContain('Showing the last 10000 characters of 20002 bytes.')
    expect(text).not.toContain('START')
  })

  test('is shown from its end, however long it is and wherever the loaded part begins', () => {
    for (const lead of ['', 'x', 'xx', 'xxx']) {
      const body = bytes(`${lead}${'🦆'.repeat(100_000)}END`)
      const { text } = withBody(body)
      expect(text).toContain(`of ${body.length} bytes.\n\n${'🦆'.repeat(9_997)}END\n`)
    }
  })

  test('keeps its lines and spaces, and loses invisible characters', () => {
    const { text, html } = withBody(bytes('a  b\r\n\tc\u0000\u001b[31m\n'))
    expect(text).toContain('\na  b\n\tc\n')
    expect(html).toContain('>a  b\n\tc\n</pre>')
  })

  test('that is not UTF-8 is shown as far as possible', () => {
    expect(withBody(new Uint8Array([0x61, 0xff, 0x62])).text).toContain('a\ufffdb')
  })

  const MAIL = 'From: a@b.test\r\nSubject: Done\r\n\r\n.\r\n--\r\n42 files\r\n'

  test('is attached unchanged when it was an email', () => {
    const mail = withBody(bytes(MAIL), 'email')
    expect(mail.attachments).toEqual([
      { filename: 'last-ping.eml', contentType: 'message/rfc822', content: bytes(MAIL) },
    ])
    expect(mail.text).toContain('\nSee the attachment.\n')
    expect(mail.text).toContain('by email\n')
    expect(mail.text).not.toContain('42 files')
  })

  test('is mentioned with its size when it was an email that is too large to attach', () => {
    const loaded = 262_144
    expect(withBody(bytes('x'.repeat(loaded)), 'email').attachments).toHaveLength(1)
    const mail = withBody(bytes('x'.repeat(loaded + 1)), 'email')
    expect(mail.attachments).toBeUndefined()
    expect(mail.text).toContain(
      '\nThe last ping was an email of 262145 bytes, too large to attach. See ping 1 in the log.\n',
    )
    expect(mail.text).not.toContain('xxx')
  })

  test.each([
    ['bytes beyond ASCII', 'Subject: é\r\n\r\n'],
    ['a line of 999 characters', `Subject: x\r\n\r\n${'x'.repeat(999)}\r\n`],
    ['a bare line feed', 'Subject: x\n\nx\n'],
    ['a bare carriage return', 'Subject: x\r\n\r\nx\rx\r\n'],
  ])('is attached as bytes when it has %s, which an email inside an email may not have', (_, mail) => {
    const [attachment] = withBody(bytes(mail), 'email').attachments ?? []
    expect(attachment).toEqual({
      filename: 'last-ping.eml',
      contentType: 'application/octet-stream',
      content: bytes(mail),
    })
  })
})

describe('an email whose content was rejected', () => {
  const fallback = (answer: MailAnswer, alert: Alert = downAlert()) =>
    email.fallback?.(answer, { ...alert, operator: OPERATOR }, SETTINGS) ?? null
  const refused = (status: number, stage: 'message' | 'recipient' | 'sender' = 'message'): MailAnswer => {
    return { kind: 'refused', stage, status, response: `${status} no` }
  }
  const attached = downAlert({
    lastPing: aPing({ body: bytes('From: a@b.test\r\n\r\nBUY PILLS\r\n'), scheme: 'email' }),
  })

  test('is sent without the body, and is otherwise the same', () => {
    const whole = mailOf(downAlert())
    const note = 'The mail server rejected this email with the body included (8 bytes). See ping 12 in the log.'
    const mail = fallback(refused(554))
    expect(mail).toEqual({ ...whole, text: whole.text.replace('42 files', note), html: expect.any(String) })
    expect(mail?.html).toContain(note)
    expect(mail?.html).not.toContain('42 files')
  })

  test('does not quote the body either', () => {
    const lastPing = aPing({ n: 12, kind: 'fail', exitStatus: 2, body: bytes('BUY PILLS') })
    const alert = downAlert({ flip: aFlip({ n: 3, reason: 'fail' }), lastPing })
    expect(mailOf(alert).text).toContain('Failed: exit status 2. Last line: ‘BUY PILLS’.\n')
    const mail = fallback(refused(554), alert)
    expect(mail?.text).toContain('Failed: exit status 2.\n')
    expect(`${mail?.text}${mail?.html}`).not.toContain('PILLS')
  })

  test('is sent without the attachment', () => {
    const mail = fallback(refused(552), attached)
    expect(mail?.attachments).toBeUndefined()
    expect(`${mail?.text}${mail?.html}`).not.toMatch(/PILLS|See the attachment/)
    expect(mail?.id).toBe(mailOf(attached).id)
  })

  test('is not sent again without a body, nor after another answer', () => {
    expect(fallback(refused(554), downAlert({ lastPing: null }))).toBeNull()
    expect(fallback(refused(554), downAlert({ lastPing: aPing() }))).toBeNull()
    for (const answer of [refused(452), refused(550, 'recipient'), refused(550, 'sender')]) {
      expect(fallback(answer)).toBeNull()
    }
    expect(fallback({ kind: 'accepted', response: '250 OK' })).toBeNull()
    expect(fallback({ kind: 'unreachable', error: 'Nobody there' })).toBeNull()
  })
})

describe('the settings', () => {
  test.each([
    ['an address alone', 'ops@example.org', 'down up'],
    ['no flags', { value: 'ops@example.org' }, 'down up'],
    ['down only', { value: 'ops@example.org', up: false }, 'down'],
    ['up only', { value: 'ops@example.org', down: false }, 'up'],
    ['reports only', { value: 'ops@example.org', down: false, up: false, report: 'daily' }, ''],
  ])('with %s want an email for: %s', (_, settings, wanted) => {
    expect(firstProblem(email.settings, settings)).toBeNull()
    const wants = (['down', 'up'] as const).filter((newStatus) => email.wants(settings, { newStatus }))
    expect(wants.join(' ')).toBe(wanted)
  })

  test.each([
    ['no address', { down: true }, '/value missing'],
    ['two addresses', 'a@b.test,c@d.test', ' mismatch'],
    ['a name with the address', { value: 'Ops <a@b.test>' }, '/value mismatch'],
    ['a second line', { value: 'a@b.test\r\nBcc: c@d.test' }, '/value mismatch'],
    ['an address that is too long', `${'a'.repeat(250)}@b.test`, ' too long'],
    ['a flag that is a word', { value: 'a@b.test', up: 'yes' }, '/up not a boolean'],
    ['an unknown period', { value: 'a@b.test', report: 'yearly' }, '/report unexpected'],
    ['an unknown zone', { value: 'a@b.test', tz: 'Mars/Olympus' }, '/tz bad format'],
    ['a number', 7, ' unexpected'],
  ])('with %s are rejected, and the error says where', (_, settings, words) => {
    const problem = firstProblem(email.settings, settings)
    expect(`${problem?.path} ${problem?.violation}`).toBe(words)
  })
})

describe('an answer', () => {
  const inWords = (answer: MailAnswer) => {
    const conclusion: Conclusion = email.judge(answer, NOON)
    return conclusion.kind === 'sent' ? 'sent' : `${conclusion.kind}: ${conclusion.error}`
  }

  test('that the email was accepted, or that nobody answered', () => {
    expect(inWords({ kind: 'accepted', response: '250 OK' })).toBe('sent')
    expect(inWords({ kind: 'unreachable', error: 'Nobody there' })).toBe('retry: Nobody there')
  })

  test.each([
    ['recipient', '550 5.1.1 no such user', 'disable'],
    ['recipient', '550 No such user here', 'disable'],
    ['recipient', '551 5.1.6 moved', 'disable'],
    ['recipient', '553 5.1.3 bad address', 'disable'],
    ['recipient', '550-5.1.1 The account does not exist 550 5.1.1 at all', 'disable'],
    ['recipient', '550 5.1.10 null MX', 'disable'],
    ['recipient', '550 5.7.1 blocked for spam', 'fail'],
    ['recipient', '550 5.1.8 bad address of the sender', 'fail'],
    ['recipient', '550 5.1.7 bad syntax of the sender', 'fail'],
    ['recipient', '552 5.2.2 mailbox full', 'fail'],
    ['recipient', '553 relaying denied', 'fail'],
    ['recipient', '554 5.1.1 whatever', 'fail'],
    ['recipient', '450 4.2.0 greylisted', 'retry'],
    ['recipient', '451 4.1.1 try later', 'retry'],
    ['message', '554 5.6.0 no', 'fail'],
    ['message', '550 5.1.1 too late', 'fail'],
    ['message', '452 4.3.1 out of space', 'retry'],
    ['login', '535 5.7.8 bad credentials', 'retry'],
    ['sender', '550 5.1.1 we do not know you', 'retry'],
    ['sender', '530 5.7.0 log in first', 'retry'],
  ] as const)('to the %s: %s means %s', (stage, response, conclusion) => {
    const words = inWords({ kind: 'refused', stage, status: Number(response.slice(0, 3)), response })
    expect(words).toStartWith(`${conclusion}: The mail server rejected the `)
    expect(words).toEndWith(`: ${response}`)
  })
})
