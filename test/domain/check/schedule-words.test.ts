/** Schedules in a few words, for lists. */
import { expect, test } from 'bun:test'
import { inSentence, scheduleWords } from '../../../src/domain/check/schedule-words.ts'
import { scheduleKind } from '../../../src/domain/schedule/schedule.ts'

const ofSchedule = (schedule: string, tz = 'Europe/Riga') =>
  scheduleWords({ kind: scheduleKind(schedule), timeoutSeconds: 60, schedule, tz })

test.each([
  [60, 'Every minute'],
  [600, 'Every 10 minutes'],
  [3_600, 'Every hour'],
  [5_400, 'Every 1 hour 30 minutes'],
  [86_400, 'Every day'],
  [604_800, 'Every week'],
  [1_209_600, 'Every 2 weeks'],
])('a period of %d seconds is "%s"', (timeoutSeconds, words) => {
  const timing = { kind: 'simple', timeoutSeconds, schedule: '* * * * *', tz: 'UTC' } as const
  expect(scheduleWords(timing)).toEqual({ words, expression: null })
})

test.each([
  ['0 2 * * *', 'Daily at 02:00'],
  ['0 2,14 * * *', 'Daily at 02:00 and 14:00'],
  ['*/10 * * * *', 'Every 10 minutes'],
  ['0 * * * *', 'Every hour'],
  ['5 * * * *', 'At minute 5 of every hour'],
  ['15 7 * * 1-5', 'Weekdays at 07:15'],
  ['15 7 * * sat,sun', 'Weekends at 07:15'],
  ['15 7 * * 0', 'Sundays at 07:15'],
  ['15 7 * * 7,4', 'Thursdays and Sundays at 07:15'],
  ['*/5 * * * 1-5', 'Every 5 minutes, weekdays'],
  ['0 9-17 * * 1-5', 'Every hour from 09:00 to 17:00, weekdays'],
  ['0 5 * * 0#1', 'First Sunday of the month at 05:00'],
  ['0 5 * * 5L', 'Last Friday of the month at 05:00'],
  ['0 5 * 2 MON#5', 'Fifth Monday of February at 05:00'],
  ['0 5 1 * *', '1st of the month at 05:00'],
  ['0 5 1,15 * *', '1st and 15th of the month at 05:00'],
  ['0 5 L * *', 'Last day of the month at 05:00'],
  ['0 5 LW * *', 'Last workday of the month at 05:00'],
  ['0 0 1 1 *', '1st of January at 00:00'],
  ['0 0 * 6-8 *', 'Daily in June to August at 00:00'],
  ['*/5 * * 6 *', 'Every 5 minutes, in June'],
  ['0 0 1-31 1 5L', 'Daily in January at 00:00'],
  ['0 0 1 * 0-6', 'Daily at 00:00'],
  ['daily', 'Daily at 00:00'],
  ['weekly', 'Mondays at 00:00'],
  ['Mon..Fri 08:30', 'Weekdays at 08:30'],
  ['Sun *-*-1..7 05:00', 'First Sunday of the month at 05:00'],
  ['Sun *-*-22..28 05:00', 'Fourth Sunday of the month at 05:00'],
  ['Sun *-*~7/1 03:00', 'Last Sunday of the month at 03:00'],
  ['*-*~1 12:00', 'Last day of the month at 12:00'],
  ['*:0/15', 'Every 15 minutes'],
  ['12:00 Asia/Tokyo', 'Daily at 12:00 (Asia/Tokyo)'],
])('%p is "%s"', (schedule, words) => {
  expect(ofSchedule(schedule)).toEqual({ words, expression: null })
})

test.each([
  ['*/7 1,2 * 2 *', 'At minutes 0, 7, 14, 21, 28, 35, 42, 49 and 56 of hours 1 and 2, in February'],
  ['0 0 1 * 1', 'At 00:00 on day 1 of the month, and on Monday'],
  ['0 0 1-7 * */7', 'At 00:00 on days 1-7 of the month, but only on Sunday'],
  ['0 5 15 * 5#2,MON', 'At 05:00 on day 15 of the month, and on Monday and the 2nd Friday of the month'],
  ['2026..2028-1,6-15 08:00:30', 'At 08:00:30 on day 15 of January and June in 2026-2028'],
])('%p is shown as it is, since its words are long', (schedule, words) => {
  expect(ofSchedule(schedule)).toEqual({ words, expression: schedule })
})

test('several lines are one expression, and say their zones if these differ', () => {
  expect(ofSchedule('*:0/15\nMon 12:00 Asia/Tokyo')).toEqual({
    words: 'Every 15 minutes (Europe/Riga); at 12:00 on Monday (Asia/Tokyo)',
    expression: '*:0/15; Mon 12:00 Asia/Tokyo',
  })
})

test('a stored schedule that is not readable any more is shown as it is', () => {
  expect(ofSchedule('every now and then')).toEqual({
    words: 'every now and then',
    expression: 'every now and then',
  })
})

test.each([
  ['0 3 * * *', 'daily at 03:00'],
  ['0 3 * * 1-5', 'on weekdays at 03:00'],
  ['0 3 * * 1', 'on Mondays at 03:00'],
  ['0 3 1 * *', 'on the 1st of the month at 03:00'],
  ['0 3 * * 0#1', 'on the first Sunday of the month at 03:00'],
  ['*/5 * * * *', 'every 5 minutes'],
])('after a verb %p is "%s"', (schedule, words) => {
  expect(inSentence(ofSchedule(schedule).words)).toBe(words)
})
