import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { createTransport } from 'nodemailer'
import { openReceiver, type Receiver, titleOf } from '../../../scripts/demo/receiver.ts'

describe('the receiver of the demo', () => {
  const lines: string[] = []
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await openReceiver((line) => lines.push(line))
  })
  beforeEach(() => void lines.splice(0))
  afterAll(() => receiver.close())

  test('tells of a request in one line: where it went, and what it says first', async () => {
    const answer = await fetch(`${receiver.url}/hooks/shop`, {
      method: 'POST',
      body: JSON.stringify({ attachments: [{ color: 'red', fallback: 'Backup\nis\u001b[31m down' }] }),
    })
    expect(answer.status).toBe(200)
    expect(lines).toEqual(['/hooks/shop: Backup is [31m down'])
  })

  test('cuts what is long', async () => {
    await fetch(`${receiver.url}/x`, { method: 'POST', body: 'a'.repeat(1_000) })
    expect(lines.map((line) => [line.length, line.at(-1)])).toEqual([[200, '…']])
  })

  test('tells of an email by its addresses, its subject and its first line', async () => {
    const transport = createTransport({ host: '127.0.0.1', port: receiver.smtpPort })
    await transport.sendMail({
      from: 'a@example.org',
      to: 'ops@example.org',
      subject: 'Čeks is down',
      text: 'No ping since 09:00.\nMore.',
    })
    expect(lines).toEqual(['ops@example.org: Čeks is down | No ping since 09:00.'])
  })
})

test.each([
  ['{"message": "Backup is down", "sentence": "No ping since 09:00."}', 'Backup is down | No ping since 09:00.'],
  ['{"title": "Backup is down", "message": "Failed.\\nMore"}', 'Backup is down | Failed.'],
  ['{"cards": [{"title": ""}, {"text": "Backup is up"}]}', 'Backup is up'],
  ['{"n": 1}', '{"n": 1}'],
  ['Backup is down', 'Backup is down'],
])('what %s says first is %p', (body, title) => {
  expect(titleOf(body)).toBe(title)
})
