/** The text of a message for the search for keywords. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { EventLoopYield } from '../../../src/lib/work/event-loop-yield.ts'
import { readMessageText } from '../../../src/services/pings/message-text.ts'
import { processorMs } from '../../support/processor-time.ts'

const eventLoop = new EventLoopYield()
const latin1 = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))
const base64 = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64')

/** Reads header fields and body, as on the wire; each character is a byte. */
const read = (head: readonly string[], body = '') =>
  readMessageText(latin1([...head, '', body].join('\r\n')), eventLoop)

async function bodyOf(head: readonly string[], body: string): Promise<string> {
  return (await read(['Subject: x', 'MIME-Version: 1.0', ...head], body)).body.trim()
}

describe('the subject', () => {
  const subjects: readonly [line: string, subject: string][] = [
    ['Backup OK', 'Backup OK'],
    ['=?UTF-8?Q?caf=C3=A9_offen?=', 'café offen'],
    ['=?utf-8?B?5oiQ5Yqf?=', '成功'],
    ['=?iso-8859-1?q?caf=E9?= =?iso-8859-1?q?=21?=', 'café!'],
    [`=?Shift_JIS?B?${base64(new Uint8Array([0x90, 0xac, 0x8c, 0xf7]))}?=`, '成功'],
    ['folded\r\n over lines', 'folded over lines'],
    [Buffer.from('raw ünïcode').toString('latin1'), 'raw ünïcode'],
    ['raw caf\xe9', 'raw café'],
    ['=?no-such-charset?q?OK?=', 'OK'],
    ['=?utf-8?q?unfinished', '=?utf-8?q?unfinished'],
    ['', ''],
  ]
  test.each(subjects)('%j is %p', async (line, subject) => {
    expect((await read([`Subject: ${line}`], 'x')).subject).toBe(subject)
  })

  test('and the text are read without colours', async () => {
    expect(await read(['Subject: =?utf-8?q?=1B=5B31mFailed?='], 'Bac\x1b[1mkup FAI\x1b[0mLED')).toEqual({
      subject: 'Failed',
      body: 'Backup FAILED\n',
    })
  })

  test('is empty without one', async () => {
    expect(await read(['From: a@example.org'])).toEqual({ subject: '', body: '' })
  })
})

describe('the text', () => {
  const utf8 = 'Content-Type: text/plain; charset=utf-8'
  const texts: readonly [name: string, head: readonly string[], body: string, text: string][] = [
    ['without any header of MIME', [], 'all done', 'all done'],
    ['in UTF-8', [utf8, 'Content-Transfer-Encoding: 8bit'], Buffer.from('成功').toString('latin1'), '成功'],
    ['in ISO-8859-1', ['Content-Type: text/plain; charset=iso-8859-1'], 'caf\xe9', 'café'],
    ['in Shift_JIS', ['Content-Type: text/plain; charset="Shift_JIS"'], '\x90\xac\x8c\xf7', '成功'],
    ['in base64', [utf8, 'Content-Transfer-Encoding: BASE64'], base64('成功 FAILED'), '成功 FAILED'],
    ['in quoted-printable', [utf8, 'Content-Transfer-Encoding: quoted-printable'], 'caf=C3=\r\n=A9', 'café'],
    ['in UTF-8 that is not declared', [], Buffer.from('成功').toString('latin1'), '成功'],
    ['in windows-1252 that is not declared', [], '\x80 caf\xe9', '€ café'],
    [
      'in windows-1252 that is not declared, in quoted-printable',
      ['Content-Transfer-Encoding: quoted-printable'],
      'caf=E9',
      'café',
    ],
    ['with lines that were broken for display', [`${utf8}; format=flowed; delsp=yes`], 'FAI \r\nLED', 'FAILED'],
    ['in base64 with padding in every line', ['Content-Transfer-Encoding: base64'], 'RkE=\r\nSQ==\r\nTEVE', 'FAILED'],
    ['behind a comment', ['Content-Type: text/plain; charset=iso-8859-1 (Latin)'], 'caf\xe9', 'café'],
    ['of a type that nobody understands', ['Content-Type: text'], 'OK', 'OK'],
    ['in a charset that nobody knows', ['Content-Type: text/plain; charset=x-martian'], 'OK', 'OK'],
    ['in HTML only', ['Content-Type: text/html'], '<style>FAIL</style><b>S</b>UCCESS &amp;&eacute;', 'SUCCESS &é'],
  ]
  test.each(texts)('is found %s', async (_, head, body, text) => {
    expect(await bodyOf(head, body)).toBe(text)
  })

  const alternative = (plain: string, html: string) =>
    [`--b`, 'Content-Type: text/plain', '', plain, '--b', 'Content-Type: text/html', '', html, '--b--', ''].join('\r\n')

  test('is the plain and the HTML part of a message with both', async () => {
    const body = alternative('plain words', '<p>marked <i>w</i>ords</p>')
    expect(await bodyOf(['Content-Type: multipart/alternative; boundary=b'], body)).toBe('plain words\n\nmarked words')
  })

  test('has each part as sent, HTML without its markup, and nothing twice', async () => {
    const html = '<style>FAILED{}</style><a href="http://FAILED.example/">seen</a><img alt="FAILED">'
    const body = alternative('a &amp; <b>', html)
    for (const kind of ['mixed', 'alternative', 'related']) {
      const text = await bodyOf([`Content-Type: multipart/${kind}; boundary=b`], body)
      expect(text).toBe('a &amp; <b>\n\nseen')
    }
  })

  test('has several parts of a kind, in their order', async () => {
    const body = ['one', 'two', 'three'].map((text) => `--b\r\n\r\n${text}\r\n`).join('')
    expect(await bodyOf(['Content-Type: multipart/mixed; boundary=b'], body)).toBe('one\n\ntwo\n\nthree')
  })

  test('is found in parts within parts', async () => {
    const inner = `Content-Type: multipart/alternative; boundary=b\r\n\r\n${alternative('deep', '<b>de</b>eper')}`
    const body = `--a\r\nContent-Type: multipart/related; boundary=m\r\n\r\n--m\r\n${inner}\r\n--m--\r\n--a--\r\n`
    const text = await bodyOf(['Content-Type: multipart/mixed; boundary="a"'], body)
    expect(text).toContain('deep')
    expect(text).toContain('deeper')
  })

  test.each([
    ['attachments', 'Content-Type: text/plain\r\nContent-Disposition: attachment; filename=log.txt\r\n\r\nFAILED'],
    ['pictures', `Content-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64('FAILED')}`],
    ['forwarded messages', 'Content-Type: message/rfc822\r\n\r\nSubject: FAILED\r\n\r\nFAILED'],
    ['what stands before the parts', ''],
  ])('is not found in %s', async (_, part) => {
    const body = `FAILED\r\n--b\r\n\r\nseen\r\n--b\r\n${part}\r\n--b--\r\nFAILED\r\n`
    const text = await bodyOf(['Content-Type: multipart/mixed; boundary=b'], body)
    expect([text.includes('seen'), text.includes('FAILED')]).toEqual([true, false])
  })
})

describe('a broken message', () => {
  test.each([
    ['no bytes at all', '', '', ''],
    ['no headers', '\r\nSUCCESS', '', 'SUCCESS'],
    ['headers that never end', 'Subject: OK\r\nX: y', 'OK', ''],
    ['bare line feeds', 'Subject: OK\n\nSUCCESS\n', 'OK', 'SUCCESS'],
    ['zero bytes', 'Subject: O\0K\r\n\r\nSUC\0CESS', 'O\0K', 'SUC\0CESS'],
    [
      'a part that never ends',
      'Subject: s\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nOK',
      's',
      'OK',
    ],
    ['base64 that is none', 'Subject: s\r\nContent-Transfer-Encoding: base64\r\n\r\n!§$%&', 's', ''],
  ])('with %s gives what is readable', async (_, message, subject, body) => {
    const text = await readMessageText(latin1(message), eventLoop)
    expect([text.subject, text.body.trim()]).toEqual([subject, body])
  })

  test('with a huge number of headers still has its subject and its text', async () => {
    const head = ['Subject: Backup OK', ...Array.from({ length: 40_000 }, (_, n) => `X-${n}: y`)]
    expect(await read(head, 'SUCCESS')).toEqual({ subject: 'Backup OK', body: 'SUCCESS\n' })
  })

  test('with deeply nested parts still has its subject', async () => {
    const nested = Array.from(
      { length: 300 },
      (_, n) => `--b${n}\r\nContent-Type: multipart/mixed; boundary=b${n + 1}\r\n`,
    )
    const text = await read(['Subject: deep', 'Content-Type: multipart/mixed; boundary=b0'], nested.join('\r\n'))
    expect(text.subject).toBe('deep')
  })

  test('with any bytes is not an error', async () => {
    const line = fc.oneof(
      fc.constantFrom('', '--b', '--b--', '--c', 'Content-Type: multipart/mixed; boundary=b', 'Subject: =?x?q?=4?='),
      fc.constantFrom(
        'Content-Type: multipart/alternative; boundary=c',
        'Content-Transfer-Encoding: base64',
        ' folded',
      ),
      fc.constantFrom('Content-Type: text/html; charset=utf-16', 'Content-Type: message/rfc822', '=', '<b', '&#xD800;'),
      fc.constantFrom(
        'Content-Transfer-Encoding: quoted-printable',
        'Content-Type: text/plain; format=flowed; delsp=yes',
      ),
      fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 40 }), async (lines) => {
        const text = await readMessageText(latin1(lines.join('\r\n')), eventLoop)
        expect([typeof text.subject, typeof text.body]).toEqual(['string', 'string'])
      }),
      { numRuns: 500 },
    )
  })
})

describe('a very long message', () => {
  const MEGABYTE = 1024 * 1024
  /** Limit of a step. A tenth of a second is usual; work that grows with the square of the size takes minutes. */
  const LONGEST_STEP_MS = 5_000

  test('is read in whole characters, also where the first megabyte ends within one', async () => {
    for (const before of ['', 'x', 'xx']) {
      const message = Buffer.from(`Subject: s\r\n\r\n${before}${'成'.repeat(400_000)}`)
      for (const raw of [message, message.subarray(0, MEGABYTE)]) {
        const { body } = await readMessageText(raw, eventLoop)
        expect(body.trim()).toMatch(/^x*成+$/)
        expect(body.length).toBeGreaterThan(349_000)
      }
    }
  })

  test('is searched only in its first megabyte', async () => {
    const lines = (count: number) => `${'x'.repeat(98)}\r\n`.repeat(count)
    const inside = await read(['Subject: s'], `${lines(10_400)}SUCCESS`)
    expect(inside.body).toContain('SUCCESS')
    const beyond = await read(['Subject: s'], `${lines(10_600)}SUCCESS`)
    expect([beyond.subject, beyond.body.includes('SUCCESS')]).toEqual(['s', false])
  })

  test.each([
    ['lines', '', '\n'],
    ['folded lines', 'X: y\r\n', ' \n'],
    ['headers', 'X: y\r\n', 'a:b\n'],
    ['addresses', 'To: ', '"a(<@,'],
    ['comments', 'Content-Type: text/plain', '(('],
    ['parameters', 'Content-Type: text/plain', ';a*0=b'],
    ['parts', 'Content-Type: multipart/mixed; boundary=b\r\n\r\n', '--b\n'],
    ['text parts', 'Content-Type: multipart/mixed; boundary=b\r\n\r\n', '--b\n\nx\n'],
    ['HTML parts', 'Content-Type: multipart/mixed; boundary=b\r\n\r\n', '--b\nContent-Type: text/html\n\n<b\n'],
    ['soft line ends', 'Content-Transfer-Encoding: quoted-printable\r\n\r\n', '=\n'],
    ['short words', 'Content-Transfer-Encoding: base64\r\n\r\n', 'Q\n'],
    ['padding', 'Content-Transfer-Encoding: base64\r\n\r\n', '='],
    ['padded words', 'Content-Transfer-Encoding: base64\r\n\r\n', 'QQ=='],
    ['encoded words', 'Subject: ', '=?utf-8?b?QUJD?= '],
    ['letters of no charset', 'X: ', '\xe9\n '],
    ['tags', 'Content-Type: text/html\r\n\r\n', '<a title="'],
  ])('with only %s does not block the event loop', async (_, head, piece) => {
    const message = latin1(`${head}${piece.repeat((8 * MEGABYTE) / piece.length)}`)
    expect(await longestStep((it) => readMessageText(message, it))).toBeLessThan(LONGEST_STEP_MS)
  })

  const CONVERTED = ['<a href="', '<', '&<>"', '&#x1F600;', '<!--', '"', '<b><i>', '<script>']
  test.each(CONVERTED)(
    'with %j, as plain text next to HTML and the other way round, does not either',
    async (piece) => {
      for (const [long, short] of [
        ['html', 'plain'],
        ['plain', 'html'],
      ]) {
        const parts = `--b\n\n--b\nContent-Type: text/${short}\n\nSUCCESS\n--b\nContent-Type: text/${long}\n\n`
        const head = 'Content-Type: multipart/mixed; boundary=b\r\n\r\n'
        const message = latin1(`${head}${parts}${piece.repeat((4 * MEGABYTE) / piece.length)}`)
        expect(await longestStep((it) => readMessageText(message, it))).toBeLessThan(LONGEST_STEP_MS)
      }
    },
  )
})

describe('a long text', () => {
  /** Most bytes in a step: other work gets a turn after each. */
  const STEP_BYTES = 32 * 1024
  const qp = (text: string) => text.replace(/[^\n]/g, (each) => `=${Buffer.from(each).toString('hex').toUpperCase()}`)
  const lines = Array.from({ length: 5_000 }, (_, n) => `line ${n}: ${'x'.repeat(n % 60)}`)
  const seen = lines.join('\n')
  const text = lines.map((line, n) => `${line}\x1b[3${n % 8}m`).join('\n')

  test.each([
    ['as it is', '', text.replaceAll('\n', '\r\n')],
    ['in quoted-printable', 'Content-Transfer-Encoding: quoted-printable', qp(text).replaceAll('\n', '\r\n')],
    ['in Base64', 'Content-Transfer-Encoding: base64', base64(text).replace(/.{76}/g, '$&\r\n')],
    ['to be joined', 'Content-Type: text/plain; format=flowed; delsp=yes', text.replace(/x{30}/g, '$& \r\n')],
    ['in HTML', 'Content-Type: text/html', text.replace(/x{30}/g, '<b class="x">$&</b>').replaceAll('\n', '<br>\n')],
  ])('%s is read in steps, and nothing is lost where one ends', async (_, head, body) => {
    let steps = 0
    const step = async <Result>(work: () => Promise<Result>): Promise<Result> => {
      steps += 1
      return work()
    }
    const read = await readMessageText(latin1(`${head}\r\n\r\n${body}`), { step })
    const isHtml = head.includes('html')
    expect(read.body.trim()).toBe(isHtml ? seen.replaceAll('\n', ' ').trim() : seen)
    expect(steps).toBeGreaterThan(body.length / STEP_BYTES)
  })
})

/** @returns the longest step, in milliseconds of processor time, for which it blocks the event loop */
async function longestStep(read: (eventLoop: EventLoopYield) => Promise<unknown>): Promise<number> {
  let longest = 0
  class Watched extends EventLoopYield {
    override step<Result>(work: () => Promise<Result>): Promise<Result> {
      return super.step(async () => {
        const began = processorMs()
        const result = await work()
        longest = Math.max(longest, processorMs() - began)
        return result
      })
    }
  }
  await read(new Watched())
  return longest
}
