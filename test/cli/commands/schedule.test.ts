import { describe, expect, test } from 'bun:test'
import { run } from '../support.ts'

const schedule = (words: readonly string[], input = '') => run(['schedule', ...words], {}, input)

describe('overdue schedule EXPRESSION', () => {
  test('prints the kind, the words and the next runs, local and in UTC, across a change of the clocks', async () => {
    const words = ['30 3 * * *', '--tz', 'Europe/Riga', '--from', '2026-03-28T00:00:00Z', '--count', '3']
    expect(await schedule(words)).toEqual({
      code: 0,
      err: '',
      out: [
        'cron: At 03:30 every day (Europe/Riga)',
        '',
        'Europe/Riga                     UTC',
        'Sat 2026-03-28 03:30:00 +02:00  2026-03-28T01:30:00Z',
        'Sun 2026-03-29 04:00:00 +03:00  2026-03-29T01:00:00Z',
        'Mon 2026-03-30 03:30:00 +03:00  2026-03-30T00:30:00Z',
        '',
      ].join('\n'),
    })
  })

  test('prints ten runs from now in UTC by default', async () => {
    const { out } = await schedule(['daily', '--json'])
    const { kind, tz, next } = JSON.parse(out)
    expect({ kind, tz, runs: next.length }).toEqual({ kind: 'oncalendar', tz: 'UTC', runs: 10 })
    expect(Date.parse(next[0])).toBeGreaterThan(Date.now() - 1000)
  })

  test('says that a schedule has ended', async () => {
    const { code, out } = await schedule(['2020-01-01', '--from', '2026-01-01T00:00:00Z'])
    expect(code).toBe(0)
    expect(out).toContain('It does not run again.')
  })

  test('puts carets under the mistake and ends with 1', async () => {
    const { code, out, err } = await schedule(['*/5 25 * * *'])
    expect({ code, out }).toEqual({ code: 1, out: '' })
    const [message, ...rest] = err.split('\n')
    expect(message).toMatch(/^\S.*[^.]:$/)
    expect(rest).toEqual(['  */5 25 * * *', '      ^^', '→ see docs/schedules.md', ''])
  })

  test('shows only the wrong line of several', async () => {
    const { err } = await schedule(['Mon 08:30\nTue 24:30'])
    expect(err).toContain('  Tue 24:30\n      ^^\n')
    expect(err).not.toContain('Mon 08:30')
  })

  test('with --json gives the position of the mistake', async () => {
    const { code, out, err } = await schedule(['* * * * 8', '--json'])
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(JSON.parse(err)).toEqual({
      error: expect.any(String),
      hint: 'see docs/schedules.md',
      code: 'schedule-invalid',
      name: '* * * * 8',
      kind: 'cron',
      position: 8,
      length: 1,
    })
  })

  test.each([
    [['daily', '--tz', 'Mars/Phobos'], 'unknown time zone "Mars/Phobos"'],
    [['daily', '--from', 'tomorrow'], '"tomorrow" is not an instant'],
    [['daily', '--count', '0'], '--count 0 is not valid'],
    [[], 'missing EXPRESSION'],
    [['daily', '--stdin'], 'use only one of EXPRESSION and --stdin'],
  ])('refuses %p with a sentence', async (words, sentence) => {
    const { code, out, err } = await schedule(words)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(sentence)
  })
})

describe('overdue schedule --stdin', () => {
  test.each([
    ['{}', 'expr is missing'],
    ['5', 'expr is missing'],
    ['null', 'expr is missing'],
    ['junk', 'not valid JSON'],
    ['{"expr": ', 'not valid JSON'],
  ])('answers the line %s with what is wrong', async (line, error) => {
    expect(await schedule(['--stdin'], `${line}\n`)).toEqual({
      code: 0,
      out: `${JSON.stringify({ error })}\n`,
      err: '',
    })
  })

  test('answers each line with its kind and the next five runs, or with an error', async () => {
    const lines = [
      { expr: '0 0 * * *', tz: 'America/Havana', from: '2026-03-07T12:00:00Z' },
      { expr: '2027-01-01', from: '2026-01-01T00:00:00Z' },
      { expr: '0 0 31 2 *', from: '2026-01-01T00:00:00Z' },
      { expr: 'daily', tz: 'nowhere', from: '2026-01-01T00:00:00Z' },
    ]
    const input = `${lines.map((line) => JSON.stringify(line)).join('\n')}\nno json`
    const { code, out } = await schedule(['--stdin'], input)
    const answers = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(code).toBe(0)
    expect(answers).toHaveLength(5)
    expect(answers[0]).toEqual({
      kind: 'cron',
      // In Havana the clocks go from 00:00 to 01:00 on the 8th; the job runs at the first moment of that day.
      next: [
        '2026-03-08T05:00:00Z',
        '2026-03-09T04:00:00Z',
        '2026-03-10T04:00:00Z',
        '2026-03-11T04:00:00Z',
        '2026-03-12T04:00:00Z',
      ],
    })
    expect(answers[1]).toEqual({ kind: 'oncalendar', next: ['2027-01-01T00:00:00Z'] })
    for (const answer of answers.slice(2)) expect(Object.keys(answer)).toEqual(['error'])
  })
})
