/** Schedules that are moved by some minutes. */
import { describe, expect, test } from 'bun:test'
import { moveSchedule } from '../../../src/domain/schedule/move-schedule.ts'
import { preview } from '../../../src/domain/schedule/schedule.ts'
import { fromSeconds } from '../../../src/lib/time.ts'
import { SeededRandom } from '../../support/seeded-random.ts'

const moved = (schedule: string, minutes: number) => {
  const outcome = moveSchedule(schedule, minutes)
  return 'why' in outcome ? outcome.why : outcome.schedule
}

describe('a schedule that is moved', () => {
  test.each([
    ['20 4 * * *', 15, '35 4 * * *'],
    ['50 4 * * *', 15, '5 5 * * *'],
    ['50 23 * * *', 15, '5 0 * * *'],
    ['5 0 * * *', -15, '50 23 * * *'],
    ['0 * * * *', 15, '15 * * * *'],
    ['*/15 * * * *', 5, '5-59/15 * * * *'],
    ['0 9-17 * * 1-5', 30, '30 9-17 * * 1-5'],
    ['0 * * * 1-5', 15, '15 * * * 1-5'],
    ['0 9-17 * * 1-5', 60, '0 10-18 * * 1-5'],
    ['0 6,18 * * *', -60, '0 5,17 * * *'],
    ['0 */6 * * *', 10, '10 */6 * * *'],
    ['* * * * *', 7, '* * * * *'],
    ['0 2 1 * *', 45, '45 2 1 * *'],
    ['0 3 * * MON#2', 5, '5 3 * * MON#2'],
  ])('is written in cron: %s by %i is %s', (schedule, minutes, after) => {
    expect(moved(schedule, minutes)).toBe(after)
  })

  test.each([
    ['Mon..Fri 02:00', 15, 'Mon..Fri 02:15'],
    ['*-*-01 06:30', 45, '*-*-01 07:15'],
    ['daily', 90, '*-*-* 01:30:00'],
    ['daily Europe/Riga', 5, '*-*-* 00:05:00 Europe/Riga'],
    ['Sat', 61, 'Sat 01:01'],
    ['Sat Europe/Riga', 60, 'Sat 01:00 Europe/Riga'],
    ['*:0/15', 5, '*:05..59/15'],
    ['Mon 03:00:30 UTC', -1, 'Mon 02:59:30 UTC'],
    ['Mon 03:00\nTue 04:00', 30, 'Mon 03:30\nTue 04:30'],
  ])('is written in OnCalendar: %j by %i is %j', (schedule, minutes, after) => {
    expect(moved(schedule, minutes)).toBe(after)
  })

  test.each([
    ['50 23 * * 1', 15, 'some runs would be on another day, and it names days'],
    ['0 0 1 * *', -1, 'some runs would be on another day, and it names days'],
    ['50 * * * 1-5', 15, 'some runs would be on another day, and it names days'],
    ['0,30 2 * * *', 45, 'its times of day would not fit one expression'],
    ['*/15 2 * * *', 5, 'it would treat clock changes differently'],
    ['0 */6 * * *', 60, 'it would treat clock changes differently'],
    ['Fri 23:50', 20, 'some runs would be on another day, and it names days'],
    ['*-*-* 0/2:00,20,40', 30, 'its times of day would not fit one expression'],
  ])('stays where its expression cannot say it: %j by %i', (schedule, minutes, why) => {
    expect(moveSchedule(schedule, minutes)).toEqual({ why })
  })

  test('runs exactly so much later, whatever it is', () => {
    const seeded = new SeededRandom(7)
    const random = (below: number) => seeded.integer(below - 1)
    const field = (max: number) => {
      const [a, b] = [random(max + 1), random(max + 1)].toSorted((x, y) => x - y)
      return [`${a}`, '*', `${a}-${b}`, `*/${1 + random(max)}`, `${a},${b}`, `${a}/${1 + random(max)}`][random(6)]
    }
    const days = ['* * *', '* * 1-5', '1 * *', '* * SUN', '* 6 *', 'L * *']
    let movedOnes = 0
    for (let n = 0; n < 2_000; n++) {
      const schedule = `${field(59)} ${field(23)} ${days[random(days.length)]}`
      const minutes = random(2_879) - 1_439
      const outcome = moveSchedule(schedule, minutes)
      if ('why' in outcome) continue
      movedOnes += 1
      // Not near midnight of the first day, so that both schedules begin with the same run.
      const from = fromSeconds(1_767_225_600)
      const before = preview(schedule, 'UTC', from, 40).map((at) => at.add({ minutes }).epochMilliseconds)
      const after = preview(outcome.schedule, 'UTC', from.add({ minutes }), 40).map((at) => at.epochMilliseconds)
      expect({ schedule, minutes, moved: outcome.schedule, runs: after }).toEqual({
        schedule,
        minutes,
        moved: outcome.schedule,
        runs: before,
      })
    }
    expect(movedOnes).toBeGreaterThan(200)
  })
})
