/** Schedules in plain English. */
import { expect, test } from 'bun:test'
import { describe } from '../../../src/domain/schedule/schedule.ts'

test.each([
  ['* * * * *', 'Every minute'],
  ['*/5 * * * *', 'Every 5 minutes'],
  ['30 3 * * *', 'At 03:30 every day'],
  ['30 3,15 * * MON-FRI', 'At 03:30 and 15:30 on Monday to Friday'],
  ['5 * * * *', 'At minute 5 of every hour'],
  ['0 */2 * * *', 'Every 2 hours'],
  ['5 */2 * * *', 'At minute 5 of every 2nd hour'],
  ['0 9-17 * * 1-5', 'Every hour from 09:00 to 17:00 on Monday to Friday'],
  ['*/10 9-17 * * *', 'Every 10 minutes in hours 9-17'],
  ['*/7 1,2 * 2 *', 'At minutes 0, 7, 14, 21, 28, 35, 42, 49 and 56 of hours 1 and 2 in February'],
  ['0 0 L * *', 'At 00:00 on the last day of the month'],
  ['0 0 LW 1,3-5 *', 'At 00:00 on the last day from Monday to Friday of January and March to May'],
  ['0 0 1-7 * */7', 'At 00:00 on days 1-7 of the month, but only on Sunday'],
  ['0 0 1 * 1', 'At 00:00 on day 1 of the month, and on Monday'],
  ['0 0 1-31 1 5L', 'At 00:00 in January'],
  ['0 0 * 2 5L', 'At 00:00 on the last Friday of February'],
  ['0 0 15 * 5#2,MON', 'At 00:00 on day 15 of the month, and on Monday and the 2nd Friday of the month'],
  ['0 0 * 6 SAT,SUN', 'At 00:00 on Saturday and Sunday in June'],
  ['daily', 'At 00:00 every day'],
  ['*:*:*', 'Every second'],
  ['*:*:0/10', 'Every 10 seconds'],
  ['*:*:30', 'At second 30 of every minute'],
  ['*:5,7:9', 'At second 9 of minutes 5 and 7'],
  ['*-*~3 12:00', 'At 12:00 on the 3rd last day of the month'],
  ['Sun *~7/1 3:00', 'At 03:00 on the last 7 days of the month, but only on Sunday'],
  ['2026..2028-1,6-15 08:00:30', 'At 08:00:30 on day 15 of January and June in 2026-2028'],
])('%p is "%s"', (text, words) => {
  expect(describe(text, 'Europe/Riga')).toBe(`${words} (Europe/Riga)`)
})

test('a line with its own zone says so', () => {
  const words = 'Every 15 minutes (Europe/Riga); at 12:00 on Monday (Asia/Tokyo)'
  expect(describe('*:0/15\nMon 12:00 Asia/Tokyo', 'Europe/Riga')).toBe(words)
  expect(describe('12:00 Asia/Tokyo', 'Europe/Riga')).toBe('At 12:00 every day (Asia/Tokyo)')
})
