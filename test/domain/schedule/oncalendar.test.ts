/** The grammar of calendar expressions: systemd.time(7) in the dialect of the oncalendar library. */
import { describe as about, expect, test } from 'bun:test'
import { type CalendarLine, parseOnCalendar } from '../../../src/domain/schedule/oncalendar.ts'
import { calendarPatterns } from '../../../src/domain/schedule/oncalendar-patterns.ts'
import { ScheduleError } from '../../../src/domain/schedule/schedule-text.ts'

function line(text: string): CalendarLine {
  const [first, ...more] = parseOnCalendar(text)
  if (!first || more.length > 0) throw new Error(`${text} is not one line`)
  return first
}

function refusal(text: string): ScheduleError {
  try {
    parseOnCalendar(text)
  } catch (error) {
    if (error instanceof ScheduleError) return error
  }
  throw new Error(`${JSON.stringify(text)} was not refused`)
}

about('lines', () => {
  test('each line is trimmed, and so is the whole', () => {
    expect(parseOnCalendar('\n 12:00\r\n\t13:00 \n').map(({ hours }) => hours)).toEqual([[12], [13]])
  })

  test('the default is every day at midnight', () => {
    const { weekdays, years, months, days, hours, minutes, seconds, timeZone } = line('Mon')
    expect([weekdays, hours, minutes, seconds, timeZone]).toEqual([[1], [0], [0], [0], null])
    expect([years.length, months.length, days.length]).toEqual([230, 12, 31])
  })

  test('shorthands stand for their long form, in any case', () => {
    expect(line('Weekly')).toEqual(line('Mon *-*-* 00:00:00'))
    expect(line('quarterly UTC')).toEqual(line('*-1,4,7,10-1 0:0 UTC'))
    expect(line('semiannually').months).toEqual([1, 7])
    expect(line('annually')).toEqual(line('yearly'))
    expect(line('minutely')).toEqual(line('*:*'))
  })

  test('a zone is an exact name, current or former, kept as written', () => {
    expect(line('12:00 Europe/Riga').timeZone).toBe('Europe/Riga')
    expect(line('daily  US/Eastern').timeZone).toBe('US/Eastern')
    expect(line('*:* EST').timeZone).toBe('EST')
    for (const text of ['12:00 utc', '12:00 EEST', '12:00 +02:00', 'UTC']) refusal(text)
  })
})

about('weekdays', () => {
  test('are lists and ranges of names, Sunday last', () => {
    expect(line('Mon..Wed,saturday').weekdays).toEqual([1, 2, 3, 6])
    expect(line('Sat-SUNDAY').weekdays).toEqual([0, 6])
    expect(line('mon,').weekdays).toEqual([1])
  })
})

about('dates and times', () => {
  test('components are stars, values, ranges, steps and lists', () => {
    expect(line('*-1,3..5-10/10 8..12/2:0/20:30')).toMatchObject({
      months: [1, 3, 4, 5],
      days: [10, 20, 30],
      hours: [8, 10, 12],
      minutes: [0, 20, 40],
      seconds: [30],
    })
    expect(line('*:30/100').minutes).toEqual([30])
    expect(line('5..5/20:0').hours).toEqual([5])
    expect(line('*:5..5/20').minutes).toEqual([5, 25, 45])
  })

  test('years below 100 are two-digit years', () => {
    expect(line('70,69,0..2-1-1').years).toEqual([1970, 2000, 2001, 2002, 2069])
    expect(line('99..05-1-1').years).toEqual([1999, 2000, 2001, 2002, 2003, 2004, 2005])
  })

  test('days after a tilde count from the end of the month', () => {
    expect(line('*-*~1')).toMatchObject({ days: [1], fromEnd: true })
    expect(line('2~7/2').days).toEqual([1, 3, 5, 7])
    expect(line('*~5..19/5').days).toEqual([9, 14, 19])
    expect(line('*~29..31').days).toEqual([29, 30, 31])
    expect(line('*~5..5/2').days).toEqual([1, 3, 5])
  })
})

about('patterns', () => {
  const patterns = (text: string) => calendarPatterns(line(text))

  test('a weekday and a date must both match', () => {
    expect(patterns('Mon *-*-1 12:00')).toEqual(['0 0 12 1 1-12 +1 1970-2199'])
  })

  test('the last day is one pattern, other days from the end one for each length of month', () => {
    expect(patterns('*~1')).toEqual(['0 0 0 L 1-12 * 1970-2199'])
    expect(patterns('2026-*~3')).toEqual([
      '0 0 0 29 1,3,5,7,8,10,12 * 2026',
      '0 0 0 28 4,6,9,11 * 2026',
      '0 0 0 26 2 * 2026',
    ])
    expect(patterns('2024..2025-2~3')).toEqual(['0 0 0 26 2 * 2025', '0 0 0 27 2 * 2024'])
  })

  test('a day that no month of the line has gives no pattern', () => {
    expect(patterns('*-2,4-31')).toEqual([])
    expect(patterns('2-29')).toHaveLength(1)
    expect(patterns('2~30..31')).toEqual([])
  })
})

about('refusals', () => {
  test.each([
    ['', 0, 1, 'The schedule is empty; write cron (0 3 * * *) or OnCalendar (Mon..Fri 03:00).'],
    ['12:00\n\n13:00', 6, 1, 'The line is empty'],
    ['12:00\n25:00', 6, 2, '"25" is not valid for the hour; allowed: 0-23.'],
    ['*:*/5', 2, 1, 'A star must be the whole minute; write 0/5 for every fifth.'],
    ['12:', 3, 1, 'The minute is empty here; allowed: 0-59.'],
    ['12:0:0:0', 0, 8, '"12:0:0:0" is not a time'],
    ['*-*~29', 4, 2, '"29" is not a day from the end of the month; allowed: 1-28.'],
    ['*~1~2', 0, 5, 'The date "*~1~2" has two tildes'],
    ['1-2-3-4', 0, 7, '"1-2-3-4" is not a date'],
    ['2200-1-1', 0, 4, '"2200" is not valid for the year; allowed: 1970-2199, or two digits for 1970-2069.'],
    ['Sun..Mon', 0, 8, 'The range "Sun..Mon" runs backwards; the week ends with Sunday.'],
    ['Mon..Wed..Fri', 0, 13, '"Mon..Wed..Fri" is not a range of weekdays'],
    ['*-*-5..1', 4, 4, 'The range "5..1" runs backwards; write the smaller day first.'],
    ['*:0/5/2', 6, 1, 'The minute "0/5/2" has two steps'],
    ['*:1...5', 5, 2, '".5" is not valid for the minute'],
    ['Thur', 0, 4, '"Thur" is not valid; write weekdays'],
    ['12:00\n@daily', 6, 6, '"@daily" is not valid; write weekdays'],
    ['Mon 12:00 europe/riga', 10, 11, 'The time zone "europe/riga" is spelled "Europe/Riga".'],
    ['12:00 utc', 6, 3, 'The time zone "utc" is spelled "UTC".'],
    ['12:00 Mon', 6, 3, '"Mon" is not allowed here; a line has weekdays, date, time, time zone'],
    ['0 0 0 * * *', 0, 11, 'A cron expression has exactly five words'],
  ])('%p points at %i, %i long', (text, position, length, message) => {
    const error = refusal(text)
    expect(error).toMatchObject({ position, length })
    expect(error.message).toStartWith(message)
  })

  test('names of JavaScript properties are not shorthands', () => {
    for (const text of ['constructor', 'toString', '@toString', '__proto__']) refusal(text)
  })
})
