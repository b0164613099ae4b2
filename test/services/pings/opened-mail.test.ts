/** Emails as people read them, from any sender. */
import { describe, expect, test } from 'bun:test'
import { withoutPingSecrets } from '../../../src/domain/redaction.ts'
import { EventLoopYield } from '../../../src/lib/work/event-loop-yield.ts'
import { readMail, type Shown } from '../../../src/services/pings/opened-mail.ts'
import { textOf, wordsIn } from '../../../src/services/pings/ping-text.ts'
import { bytes } from '../../support/builders.ts'
import { processorMs } from '../../support/processor-time.ts'

const ALL: Shown = (text) => text
const read = (message: string, size = bytes(message).length, shown = ALL) =>
  readMail(bytes(message), size, shown, new EventLoopYield())

test('a message without a type is text', async () => {
  const mail = await read('Subject: hi\nFrom: a@example.org\n\nall done\n')
  expect(mail).toMatchObject({ subject: 'hi', from: 'a@example.org', date: null, html: null, isCut: false })
  expect(mail.text?.trim()).toBe('all done')
})

test('fields are unfolded, decoded, and in their order', async () => {
  const { header } = await read('X-B: one\n two\nSubject: =?iso-8859-1?Q?caf=E9?=\nx-b: three\nno field\n: none\n\nx')
  expect(header).toEqual([
    ['X-B', 'one two'],
    ['Subject', 'café'],
    ['x-b', 'three'],
  ])
})

test('attachments are not shown', async () => {
  const mail = await read(
    'Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Disposition: attachment\n\nsecret\n--b\nContent-Type: image/png\n\nx\n--b--\n',
  )
  expect([mail.text, mail.html]).toEqual([null, null])
})

describe('what is long is cut', () => {
  test('at a hundred thousand characters of text and of HTML', async () => {
    const long = `${'a '.repeat(60_000)}`
    const text = await read(`Subject: x\n\n${long}`)
    expect([text.text?.length, text.isCut]).toEqual([100_000, true])
    const html = await read(`Content-Type: text/html\n\n<p>${long}`)
    expect([html.html?.length, html.isCut]).toEqual([100_000, true])
  })

  test('at twenty parts and a hundred fields', async () => {
    const part = '--b\nContent-Type: text/plain\n\none\n'
    const parts = await read(`Content-Type: multipart/mixed; boundary=b\n\n${part.repeat(25)}--b--\n`)
    expect([parts.text?.match(/one/g)?.length, parts.isCut]).toEqual([20, true])
    expect((await read(`${'A: b\n'.repeat(500)}\nx`)).header).toHaveLength(100)
  })

  test('and then its end is told to be only a beginning, so that no half of a secret is shown', async () => {
    const cut: string[] = []
    const note: Shown = (text, known) => {
      if (known === 'start') cut.push(text.trim())
      return text
    }
    await read(`X-Long: ${'x'.repeat(2_000)}yz\nSubject: s\n\nthe text`, 1_000_000, note)
    expect(cut).toEqual(['x'.repeat(2_000), 'the text'])
    cut.length = 0
    await read('Subject: s\n\nthe text', undefined, note)
    expect(cut).toEqual([])
  })
})

test('no message keeps the server busy for long', async () => {
  const messages = [
    '\n'.repeat(1_000_000),
    'a:'.repeat(500_000),
    'A: =?utf-8?Q?'.repeat(50_000),
    `Content-Type: text/html\n\n${'<a href="'.repeat(100_000)}`,
    `Content-Type: multipart/mixed; boundary=b\n\n${'--b\n\n'.repeat(200_000)}`,
    `From: ${'(<"'.repeat(300_000)}\n\n`,
  ]
  const began = processorMs()
  for (const message of messages) await read(message)
  expect(processorMs() - began).toBeLessThan(10_000)
})

describe('of a message that was cut before it was stored', () => {
  const id = '94a363ea-df09-4d51-8c1b-2a3f4e5d6c7b'
  const url = `https://hc.example.org/ping/${id}`
  const html = `<p>curl ${url}</p>`
  test.each([
    ['the subject', `From: a@example.org\nSubject: curl ${url}\n\nx`],
    ['another field', `Subject: x\nX-Job: curl ${url}\n\nx`],
    ['the text', `Subject: x\n\ncurl ${url}\n`],
    ['quoted-printable text', `Content-Transfer-Encoding: quoted-printable\n\ncurl ${url}=\n/fail\n`],
    ['HTML', `Content-Type: text/html\n\n${html}\n`],
    ['base64', `Content-Transfer-Encoding: base64\n\n${Buffer.from(`curl ${url}/fail`).toString('base64')}\n`],
    ['a part', `Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n\n${html}\n--b--\n`],
  ])('no beginning of a UUID is shown, nor a word of it found: %s', async (_, message) => {
    for (let length = message.length; length > 20; length--) {
      const raw = bytes(message.slice(0, length))
      const { subject, text, html, header } = await read(message.slice(0, length), length, withoutPingSecrets)
      expect(JSON.stringify([subject, text, html, header])).not.toContain('94a363ea-')
      const ping = { scheme: 'email', bodyStart: raw, bodySize: length, contentType: null }
      const words = wordsIn(await textOf(ping, new EventLoopYield()))
      expect(words.join(' ')).not.toContain('94a363ea df09')
    }
  })
})
