/** The grammar of cron expressions, as in Debian's crontab(5) and cronsim. */
import { describe as about, expect, test } from 'bun:test'
import { type CronFields, parseCron } from '../../../src/domain/schedule/cron.ts'
import { cronPatterns } from '../../../src/domain/schedule/cron-patterns.ts'
import { ScheduleError } from '../../../src/domain/schedule/schedule-text.ts'

const minutes = (text: string) => parseCron(`${text} * * * *`).minutes
const hours = (text: string) => parseCron(`* ${text} * * *`).hours
const months = (text: string) => parseCron(`* * * ${text} *`).months
const weekdays = (text: string) => parseCron(`* * * * ${text}`).weekdays

function refusal(text: string): ScheduleError {
  try {
    parseCron(text)
  } catch (error) {
    if (error instanceof ScheduleError) return error
  }
  throw new Error(`${text} was not refused`)
}

about('values', () => {
  test('numbers may have leading zeros, names any case', () => {
    expect(minutes('005')).toEqual([5])
    expect(months('jan,DEC,Jun')).toEqual([1, 6, 12])
    expect(weekdays('sun,Fri')).toEqual([0, 5])
  })

  test('a list is the union of its items', () => {
    expect(minutes('5,1-3,2,58/1')).toEqual([1, 2, 3, 5, 58, 59])
    expect(minutes('7,*')).toHaveLength(60)
  })

  test('a step keeps every nth value, starting with the first', () => {
    expect(minutes('*/20')).toEqual([0, 20, 40])
    expect(minutes('10-20/3')).toEqual([10, 13, 16, 19])
    expect(hours('*/100')).toEqual([0])
  })

  test('a step on one value opens a range to the end', () => {
    expect(minutes('5/15')).toEqual([5, 20, 35, 50])
    expect(minutes('5-5/15')).toEqual([5, 20, 35, 50])
    expect(months('oct/2')).toEqual([10, 12])
  })

  test('Sunday is 0 and 7 until stars and steps are expanded', () => {
    expect(weekdays('*/2')).toEqual([0, 2, 4, 6])
    expect(weekdays('1/2')).toEqual([0, 1, 3, 5])
    expect(weekdays('*/7')).toEqual([0])
    expect(weekdays('FRI-7')).toEqual([0, 5, 6])
    expect(weekdays('7/2')).toEqual([0])
  })

  test('days support the last day and the last workday, where a step has no effect', () => {
    expect(parseCron('0 0 L/2,lw,15 * *')).toMatchObject({ days: [15], lastDay: true, lastWorkday: true })
  })

  test('weekdays support the last and the nth of the month', () => {
    expect(parseCron('0 0 * * 05L,MON#2,7#01,3').nthWeekdays).toEqual([
      { weekday: 5, nth: 'last' },
      { weekday: 1, nth: 2 },
      { weekday: 0, nth: 1 },
    ])
  })
})

about('what the first character decides', () => {
  const of = (text: string): Pick<CronFields, 'bothDays' | 'fixedTime'> => parseCron(text)

  test('a day must match both day fields when one of them begins with a star', () => {
    expect(of('0 0 */2 * 1').bothDays).toBe(true)
    expect(of('0 0 1 * *,5').bothDays).toBe(true)
    expect(of('0 0 1-31 * 5,*').bothDays).toBe(false)
  })

  test('a job has fixed times when neither minute nor hour begins with a star', () => {
    expect(of('0/30 0-23/3 * * *').fixedTime).toBe(true)
    expect(of('7,* 3 * * *').fixedTime).toBe(true)
    expect(of('*/30 3 * * *').fixedTime).toBe(false)
    expect(of('0 * * * *').fixedTime).toBe(false)
  })
})

about('patterns', () => {
  const patterns = (text: string) => cronPatterns(parseCron(text))

  test('a full field is a star, but days stay a list where either field is enough', () => {
    expect(patterns('*/5 * * * *')).toEqual(['0 0,5,10,15,20,25,30,35,40,45,50,55 * * * * *'])
    expect(patterns('0 0 1 * 1')).toEqual(['0 0 0 1 * 1 *'])
    expect(patterns('0 0 1-31 * 1')).toEqual(['0 0 0 * * * *'])
    expect(patterns('0 0 1-7 * */7')).toEqual(['0 0 0 1-7 * +0 *'])
  })

  test('the last workday in a list has a pattern of its own', () => {
    expect(patterns('0 0 LW,15 * *')).toEqual(['0 0 0 15 * * *', '0 0 0 LW * * *'])
  })

  test('a part that never occurs is left out', () => {
    expect(patterns('0 0 */30,LW * */6')).toEqual(['0 0 0 1,31 * +0,6 *'])
    expect(patterns('* * */20 * 1L')).toEqual([])
  })
})

about('refusals', () => {
  test.each([
    ['60 * * * *', 0, 2, '"60" is not valid for the minute; allowed: 0-59.'],
    ['1,2 61 * * *', 4, 2, '"61" is not valid for the hour; allowed: 0-23.'],
    ['1,,2 * * * *', 2, 1, 'The minute is empty here; allowed: 0-59.'],
    ['5-1 * * * *', 0, 3, 'The range "5-1" runs backwards; write 5-59,0-1.'],
    ['* * * * fri-sun', 8, 7, 'The range "fri-sun" runs backwards; write 5-7.'],
    ['*/0 * * * *', 2, 1, 'The step "0" must be a whole number of at least 1.'],
    ['/5 * * * *', 0, 2, 'The step "/5" has no start; write */5.'],
    ['1-10/2/3 * * * *', 7, 1, 'The minute "1-10/2/3" has two steps; one is allowed.'],
    ['1-2-3 * * * *', 0, 5, 'The minute "1-2-3" is not a range; a range has two ends, as in 1-5.'],
    ['0 0 15W * *', 4, 3, '"15W" is not valid for the day of month; allowed: 1-31, L (last day) or LW'],
    ['* * * * FRIL', 8, 4, '"FRIL" is not valid for the day of week; allowed: 0-7 or SUN-SAT'],
    ['* * * * 1#6', 8, 3, '"1#6" is not a weekday of the month; write 5#1 to 5#5, or 5L for the last.'],
    ['  0 0 30,31 2 *', 6, 5, 'None of the months has day 30; the longest has 29 days.'],
    ['* * * *', 0, 7, 'A cron expression has five fields: minute, hour, day of month, month, day of week.'],
  ])('%p points at %i, %i long', (text, position, length, message) => {
    const error = refusal(text)
    expect(error).toMatchObject({ position, length })
    expect(error.message).toStartWith(message)
  })

  test('days that no month of the expression has are rejected even if the weekday would match', () => {
    expect(refusal('0 0 31 2 1').message).toContain('None of the months has day 31')
    expect(parseCron('0 0 31,L 2 *').lastDay).toBe(true)
  })

  test('only ASCII digits are digits', () => {
    expect(refusal('٣ * * * *').position).toBe(0)
    expect(refusal('+5 * * * *').position).toBe(0)
  })
})
