import { expect, test } from 'bun:test'
import { mailDay, mailTime } from '../../../src/domain/mail/mail-time.ts'
import { Temporal } from '../../../src/lib/time.ts'

const instant = Temporal.Instant.from('2026-03-29T00:59:59.999Z')

test.each([
  ['UTC', 'Sun, 29 Mar 2026 00:59:59 +0000'],
  ['Europe/Riga', 'Sun, 29 Mar 2026 02:59:59 +0200'],
  ['America/New_York', 'Sat, 28 Mar 2026 20:59:59 -0400'],
  ['Asia/Kathmandu', 'Sun, 29 Mar 2026 06:44:59 +0545'],
])('a time in %s is %s', (tz, text) => {
  expect(mailTime(instant, tz)).toBe(text)
  expect(mailDay(instant, tz)).toBe(text.slice(5, 16))
})

test('after the hour that spring skips, the offset is the new one', () => {
  expect(mailTime(instant.add({ seconds: 1 }), 'Europe/Riga')).toBe('Sun, 29 Mar 2026 04:00:00 +0300')
})
