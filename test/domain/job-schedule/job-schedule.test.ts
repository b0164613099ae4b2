import { expect, test } from 'bun:test'
import { type CheckTiming, jobSchedule } from '../../../src/domain/job-schedule/job-schedule.ts'
import { Temporal } from '../../../src/lib/time.ts'

const NOW = Temporal.Instant.from('2026-05-04T10:00:00Z')
const CHECK: CheckTiming = { kind: 'cron', schedule: '30 3 * * *', timeoutSeconds: 86_400, tz: 'Europe/Riga' }

const written = (check: Partial<CheckTiming>, program: 'cron' | 'kubernetes') => {
  const { cron, tz, remark } = jobSchedule({ ...CHECK, ...check }, program, NOW)
  return tz === null ? remark : `${cron} ${tz}`
}
const CANNOT = 'An example: PROGRAM cannot express when this check expects a ping: '

test.each([
  ['30 3 * * *', '30 3 * * *', '30 3 * * *'],
  [' */5  * * * MON-FRI ', '*/5 * * * MON-FRI', '*/5 * * * MON-FRI'],
  ['0 5 * * 7', '0 5 * * 7', '0 5 * * 0'],
  ['0 5 * * 1/2', '0 5 * * 1-7/2', '0 5 * * 0,1,3,5'],
  ['5/15 7-7/6 * * *', '5-59/15 7-23/6 * * *', '5-59/15 7-23/6 * * *'],
  ['0 5 13 * 5', '0 5 13 * 5', '0 5 13 * 5'],
  ['0 5 13 * 0-7', '0 5 13 * 0-7', '0 5 * * *'],
  ['0 5 */2 * 0-6', '0 5 */2 * 0-6', '0 5 */2 * *'],
  ['0 5 1,* * 1', '0 5 1,* * 1', '0 5 * * *'],
  ['0 5 */2 * 1', '0 5 */2 * 1', null],
  ['0 5 1-7 * */7', '0 5 1-7 * */7', null],
  ['0 5 L * *', null, null],
  ['0 5 LW * *', null, null],
  ['0 5 * * 5L', null, null],
  ['0 5 * * MON#1', null, null],
])('the schedule %p of a check for cron is %p, and for Kubernetes %p', (schedule, cron, kubernetes) => {
  for (const [program, name, expected] of [
    ['cron', 'cron', cron],
    ['kubernetes', 'Kubernetes', kubernetes],
  ] as const) {
    const text = written({ schedule }, program)
    if (expected === null) expect(text).toStartWith(CANNOT.replace('PROGRAM', name))
    else expect(text).toBe(`${expected} Europe/Riga`)
  }
})

test.each([
  ['daily', '0 0 * * * Europe/Riga'],
  ['Mon..Fri 03:30', '30 3 * * 1-5 Europe/Riga'],
  ['*-*-1,15 04:00 Asia/Tokyo', '0 4 1,15 * * Asia/Tokyo'],
  ['*:0/10', '*/10 * * * * Europe/Riga'],
  ['*-*-* 00/6:05', '5 */6 * * * Europe/Riga'],
  ['Sun *-*-01 03:00', null],
  ['*-*~01 03:00', null],
  ['*-*-* 03:00:30', null],
  ['2027-*-* 03:00', null],
  ['03:00\n*-*-1 12:00', null],
])('the OnCalendar expression %p of a check in five fields is %p', (schedule, expected) => {
  const text = written({ kind: 'oncalendar', schedule }, 'kubernetes')
  if (expected === null) expect(text).toStartWith(CANNOT.replace('PROGRAM', 'Kubernetes'))
  else expect(text).toBe(expected)
})

test('what cannot be expressed is an example that says in words, with the zone, when the check expects pings', () => {
  expect(jobSchedule({ ...CHECK, schedule: '0 5 L * *' }, 'cron', NOW)).toEqual({
    cron: '0 2 * * *',
    tz: null,
    remark: `${CANNOT.replace('PROGRAM', 'cron')}Last day of the month at 05:00 (Europe/Riga).`,
  })
  expect(written({ tz: 'Mars/Base' }, 'kubernetes')).toStartWith(CANNOT.replace('PROGRAM', 'Kubernetes'))
  expect(written({ schedule: 'stored by other rules' }, 'cron')).toEndWith('stored by other rules (Europe/Riga).')
})

test.each([
  [60, '* * * * *'],
  [90, '* * * * *'],
  [900, '*/15 * * * *'],
  [1_500, '*/20 * * * *'],
  [3_600, '0 * * * *'],
  [86_400, '0 2 * * *'],
  [6 * 86_400, '0 2 * * *'],
  [7 * 86_400, '0 2 * * 1'],
  [365 * 86_400, '0 2 1 * *'],
])('the example for a period of %p seconds runs at least once in it: %p', (timeoutSeconds, cron) => {
  expect(jobSchedule({ ...CHECK, kind: 'simple', timeoutSeconds }, 'cron', NOW)).toMatchObject({ cron, tz: null })
})

test.each([
  ['30 3 * * *', 'Europe/Riga', /^On 2027-03-28 clocks skip this time: Kubernetes will not run the job/],
  ['30 4 * * *', 'Europe/Riga', null],
  ['30 3 * * *', 'Asia/Tokyo', null],
])('at %p in %s, Kubernetes runs the job each day, or it is said when not', (schedule, tz, words) => {
  const { remark } = jobSchedule({ ...CHECK, schedule, tz }, 'kubernetes', NOW)
  if (words === null) expect(remark).toBeNull()
  else expect(remark).toMatch(words)
  expect(jobSchedule({ ...CHECK, schedule, tz }, 'cron', NOW).remark).toBeNull()
})
