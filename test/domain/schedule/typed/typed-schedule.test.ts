/** Typed schedules that are accepted in addition to the grammar, and messages about schedules of other programs. */
import { describe, expect, test } from 'bun:test'
import { ForeignScheduleError, type ScheduleError } from '../../../../src/domain/schedule/schedule-text.ts'
import {
  readTypedSchedule,
  scheduleError,
  writtenSchedule,
} from '../../../../src/domain/schedule/typed/typed-schedule.ts'

function refusal(text: string): ScheduleError {
  const error = scheduleError(text)
  if (error === null) throw new Error(`${JSON.stringify(text)} was not refused`)
  return error
}

describe('the text that is stored', () => {
  test.each([
    ['@hourly', '0 * * * *'],
    ['@daily', '0 0 * * *'],
    ['@midnight', '0 0 * * *'],
    ['@weekly', '0 0 * * 0'],
    ['@monthly', '0 0 1 * *'],
    ['@yearly', '0 0 1 1 *'],
    ['@annually', '0 0 1 1 *'],
    [' @Daily\n', '0 0 * * *'],
  ])('of the word %j is written out', (typed, stored) => expect(readTypedSchedule(typed)).toBe(stored))

  test.each([
    ['no-break spaces', '0\u00A03\u202F*\u3000* *', '0 3 * * *'],
    ['a byte order mark', '\uFEFF0 3 * * *', '0 3 * * *'],
    ['a zero-width space', '0 3\u200B * * *', '0 3 * * *'],
    ['full-width characters', '０ ３ ＊ ＊ １－５', '0 3 * * 1-5'],
    ['a typographic dash', '0 3 * * 1–5', '0 3 * * 1-5'],
    ['smart quotes', '“0 3 * * *”', '0 3 * * *'],
    ['quotes of a settings file', `'Mon–Fri 08:30'`, 'Mon-Fri 08:30'],
    ['a line separator', '12:00\u202813:00', '12:00\n13:00'],
  ])('of a schedule with %s has plain characters', (_, typed, stored) => expect(readTypedSchedule(typed)).toBe(stored))

  test('is what was typed when that is plain, white space included', () => {
    for (const text of ['0\t3 * * *', ' 0  3 * * * \r\n', '12:34\n', '12:00\r\n13:00', '12:00\tUTC', 'daily']) {
      expect(readTypedSchedule(text)).toBe(text)
    }
  })

  test('is the text itself when it is no schedule', () => expect(writtenSchedule('“often”')).toBe('“often”'))
})

describe('a schedule in the form of another program is refused with what to write', () => {
  test.each([
    ['0 1 * * *\n0 2 * * *', 9, 10, 'A check has one cron expression, but this is more than one: write "0 1,2 * * *".'],
    [
      '0 1 * * *\r\n30 2 * * 1-5',
      10,
      13,
      'A check has one cron expression, but this is more than one: choose OnCalendar, which may have several lines, ' +
        'and write "*-*-* 01:00" and "Mon,Tue,Wed,Thu,Fri *-*-* 02:30".',
    ],
    [
      '0 1 * * *0 2 * * *',
      0,
      18,
      'A check has one cron expression, but this is more than one: combine them, as in "0 1,2 * * *", or make a check for each.',
    ],
    [
      '*/5 8 * * *;*/5 17 * * *',
      11,
      13,
      'A check has one cron expression, but this is more than one: write "*/5 8,17 * * *".',
    ],
    ['0 21 * * * Europe/Berlin', 11, 13, zoneWords('0 21 * * *', '"Europe/Berlin"')],
    ['0 21 * * * utc', 11, 3, zoneWords('0 21 * * *', '"UTC"')],
    ['0 21 * * * CEST', 11, 4, zoneWords('0 21 * * *', 'an IANA name such as Europe/Berlin')],
    ['CRON_TZ=Europe/Riga 0 21 * * *', 0, 19, zoneWords('0 21 * * *', '"Europe/Riga"')],
    ['@daily Europe/Berlin', 7, 13, zoneWords('@daily', '"Europe/Berlin"')],
    [
      '@reboot',
      0,
      7,
      'A job with @reboot runs when the machine starts, so it has no expected time; choose an interval.',
    ],
    ['@often', 0, 6, 'This word is not a schedule; write @hourly, @daily, @weekly, @monthly or @yearly.'],
    ['@every 5m', 0, 9, 'That is an interval of 5 minutes, not a schedule; choose an interval instead.'],
    ['@every later', 0, 12, 'That is an interval, not a schedule; choose an interval instead.'],
    ['rate(2 hours)', 0, 13, 'That is an interval of 2 hours, not a schedule; choose an interval instead.'],
    ['PT1H30M', 0, 7, 'That is an interval of 1 hour 30 minutes, not a schedule; choose an interval instead.'],
    ['*/5 * * * * ?', 0, 3, fieldWords('seconds', ' and write "* * * * *".')],
    ['0 0 9 ? * MON-FRI', 0, 1, fieldWords('seconds', ' and write "0 9 * * MON-FRI".')],
    ['0 0 9 ? * 2-6', 0, 1, fieldWords('seconds', ', and write weekdays by name, such as MON-FRI.')],
    ['0 0 9 15W * ?', 0, 1, fieldWords('seconds', '.')],
    ['0 15 10 ? * * 2026', 0, 1, fieldWords('seconds or years', ' and write "15 10 * * *".')],
    ['0 3 1 1 * 2026', 10, 4, fieldWords('years', ' and write "0 3 1 1 *".')],
    ['0 0 21 * * ? UTC', 0, 1, fieldWords('seconds', ' and write "0 21 * * *". The time zone has a field of its own.')],
    ['cron(0 12 * * ? *)', 0, 18, `Leave "cron(" and ")" out. ${fieldWords('years', ' and write "0 12 * * *".')}`],
    ['0 3 * * MON, WED', 0, 16, 'A field cannot have spaces in it: write "0 3 * * MON,WED".'],
    ['0 3 * * 1 - 5', 0, 13, 'A field cannot have spaces in it: write "0 3 * * 1-5".'],
    ['OnCalendar=daily', 0, 11, 'Leave "OnCalendar=" out: the schedule is the part after it.'],
    ['0 3 * * * # nightly', 10, 1, 'The text after the schedule is not part of it: write "0 3 * * *".'],
    ['0 3 ? * MON', 4, 1, '"?" is for Quartz; write * in its place: "0 3 * * MON".'],
    ['0 21 * * * Europe/Berln', 11, 12, zoneWords('0 21 * * *', '"Europe/Berlin"')],
    ['CRON_TZ=Berlin 0 21 * * *', 0, 14, zoneWords('0 21 * * *', '"Europe/Berlin"')],
    ['CRON_TZ= 0 21 * * *', 0, 8, 'The text before the schedule is not part of it: write "0 21 * * *".'],
    ['MAILTO=ops 0 21 * * *', 0, 10, 'The text before the schedule is not part of it: write "0 21 * * *".'],
    ['0 3 * * * root /opt/job', 10, 4, 'The text after the schedule is not part of it: write "0 3 * * *".'],
  ])('%j', (text, position, length, message) => {
    const { message: said, ...error } = refusal(text)
    expect([said, error.position, error.length]).toEqual([message, position, length])
    expect(refusal(text)).toBeInstanceOf(ForeignScheduleError)
  })

  test('without the command behind it, which may hold passwords', () => {
    for (const text of ['0 3 * * * dump -phunter2', '@daily dump -phunter2', '0 0 3 * * ? dump -phunter2']) {
      expect(refusal(text).message).not.toMatch(/dump|hunter2/)
    }
  })
})

function zoneWords(schedule: string, zone: string): string {
  return `The time zone has a field of its own: write "${schedule}" as the schedule and ${zone} as the time zone.`
}

function fieldWords(what: string, end: string): string {
  return `A cron expression has five fields and no ${what}: leave them out${end}`
}

describe('a mistake', () => {
  test.each([
    ['60 24 * * *', 0, 2, '"60" is not valid for the minute; allowed: 0-59. Write 0.'],
    ['0 0 * * Monday', 8, 6, /^"Monday" is not valid for the day of week; .* Write MON\.$/],
    ['0 22-6 * * *', 2, 4, 'The range "22-6" runs backwards; write 22-23,0-6.'],
    ['0 0 * * FRI-MON', 8, 7, 'The range "FRI-MON" runs backwards; write 5-6,0-1.'],
    [
      'H/15 * * * *',
      0,
      4,
      '"H/15" is for Jenkins, which chooses the minute itself; write */15, or choose an interval.',
    ],
    ['H 3 * * *', 0, 1, '"H" is for Jenkins, which chooses the minute itself; write its number.'],
    ['midnight', 0, 8, /Did you mean daily\?$/],
    ['dailyy', 0, 6, /Did you mean daily\?$/],
    ['0 3 * *', 0, 7, /This has 4\.$/],
    ['0 21 * * Europe/Berlin', 9, 13, /^A cron expression has five fields, but this has four:/],
    ['Mon..Fri 03:00 Europe/Berln', 15, 12, 'There is no time zone "Europe/Berln"; write Europe/Berlin.'],
    ['03:00 berlin', 6, 6, 'There is no time zone "berlin"; write Europe/Berlin.'],
    ['*-*-01 03:00 CEST', 13, 4, 'There is no time zone "CEST"; write a name such as Europe/Riga.'],
    ['daily Mars/Base', 6, 9, 'There is no time zone "Mars/Base"; write a name such as Europe/Riga.'],
    ['Mon 03:00 Europe/Riga UTC', 22, 3, /^"UTC" is not allowed here;/],
    ['03:00 Mon..Fri', 6, 8, /^"Mon\.\.Fri" is not allowed here;/],
  ])('in %j is named with what to write', (text, position, length, message) => {
    const error = refusal(text)
    expect([error.position, error.length]).toEqual([position, length])
    if (typeof message === 'string') expect(error.message).toBe(message)
    else expect(error.message).toMatch(message)
    expect(error).not.toBeInstanceOf(ForeignScheduleError)
  })

  test('behind characters that were made plain is placed in what was typed', () => {
    expect(refusal('\u200B\u200B“0\u00A025 * * *”')).toMatchObject({ position: 5, length: 2 })
  })

  test('of a character that no schedule has names it', () => {
    expect(refusal('0 3² * * *')).toMatchObject({ position: 3, length: 1 })
    expect(refusal('0 3² * * *').message).toStartWith('A schedule cannot have the character "²" (U+00B2);')
    expect(refusal('0 3\u0007 * * *').message).toStartWith('A schedule cannot have the character U+0007;')
  })
})
