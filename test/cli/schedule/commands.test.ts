import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { run } from '../../support/command-line.ts'
import { testDatabase } from '../../support/databases.ts'
import type { TestDatabase } from '../../support/opened-stores.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

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
        'On 29 March 2026 clocks go forward from 03:00 to 04:00. The run at 03:30 moves to 04:00 that day.',
        'On 25 October 2026 clocks go back from 04:00 to 03:00. The run at 03:30 happens once, the first time that clocks show it.',
        '',
      ].join('\n'),
    })
  })

  test('with --json gives the changes of the clocks as the API does', async () => {
    const { out } = await schedule(['30 3 * * *', '--tz', 'Europe/Riga', '--from', '2026-03-28T00:00:00Z', '--json'])
    const { clock_changes, replay, suggestion } = JSON.parse(out)
    expect({ replay, suggestion }).toEqual({ replay: null, suggestion: null })
    expect(clock_changes).toHaveLength(2)
    expect(clock_changes[0]).toEqual({
      date: '2026-03-29T01:00:00+00:00',
      before: '03:00',
      after: '04:00',
      forward: true,
      effect: 'moved',
      words: expect.stringContaining('29 March 2026'),
    })
  })

  test('prints ten runs from now in UTC by default', async () => {
    const { out } = await schedule(['daily', '--json'])
    const { kind, tz, next } = JSON.parse(out)
    expect({ kind, tz, runs: next.length }).toEqual({ kind: 'oncalendar', tz: 'UTC', runs: 10 })
    expect(Date.parse(next[0])).toBeGreaterThan(Date.now() - 1000)
  })

  test('takes a word of cron', async () => {
    expect((await schedule(['@hourly'])).out).toStartWith('cron: Every hour (UTC)\n')
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
    [['daily', '--period', '1h'], 'use only one of EXPRESSION and --period'],
    [['--period', '5s'], '--period "5s" is not valid'],
    [['daily', '--grace', '5m'], '--grace needs --check'],
    [['daily', '--project', 'Default'], '--project needs --check'],
  ])('refuses %p with a sentence', async (words, sentence) => {
    const { code, out, err } = await schedule(words)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(sentence)
  })
})

test('overdue schedule --period lists times from now, or from an instant', async () => {
  const { out } = await schedule(['--period', '90m', '--from', '2026-03-28T00:00:00Z', '--count', '2'])
  expect(out.split('\n')).toEqual([
    'simple: Every 1 hour 30 minutes',
    '',
    'UTC',
    'Sat 2026-03-28 01:30:00 +00:00',
    'Sat 2026-03-28 03:00:00 +00:00',
    '',
  ])
})

describe('overdue schedule --check', () => {
  let place: TestDatabase
  let t: TestApp
  beforeAll(async () => {
    place = await testDatabase()
    t = await testApp({ env: { DATABASE_URL: place.url } })
    // Twelve noons, the last one an hour ago at most, so that none is missing now.
    const noon = new Date()
    noon.setUTCMinutes(0, 0, 0)
    const json = { name: 'Backup', slug: 'backup', timeout: 604_800, grace: 3_600 }
    const { uuid } = await t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key: t.keys.apiKey, json })
    for (let day = 11; day >= 0; day--) {
      t.clock.set(new Date(noon.getTime() - day * 86_400_000).toISOString())
      await t.call('POST', `/ping/${uuid}${day === 5 ? '/fail' : ''}`)
    }
    await t.json('POST', '/api/v3/checks/', { key: t.keys.apiKey, json: { name: 'Never pinged' } })
  })
  afterAll(async () => {
    await t.close()
    await place.remove()
  })

  const onCheck = (check: string, ...words: string[]) =>
    run(['schedule', ...words, '--check', check, '--project', 'Tests'], { DATABASE_URL: place.url })
  const json = async (...words: string[]) => JSON.parse((await onCheck('backup', ...words, '--json')).out)

  test('judges its last runs, and shows them as a strip', async () => {
    const { code, out, err } = await onCheck('backup', '--period', '1d')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain('The last 12 runs of "Backup" with this schedule: 11 on time, 1 failed.\n')
    expect(out).toContain('\n  ||||||x|||||\n')
    expect(out).toContain('| on time, L late, _ missing, + extra, x failed')
  })

  test('says how often somebody would have been woken', async () => {
    const { out } = await onCheck('backup', '--period', '1d', '--grace', '1h')
    expect(out).toMatch(/\nOver the last 12 runs, since .+ UTC: 1 alert, as now\.\n/)
    expect(out).toContain('\nFrom now on an outage is noticed within 1 d 1 h, instead of 7 d 1 h.\n')
    expect(await json('--period', '1d')).toMatchObject({ woken: { alerts: 1, alerts_then: 1, notice_then: 90_000 } })
  })

  test('takes its own schedule when none is given', async () => {
    expect(await json()).toMatchObject({ kind: 'simple', words: 'Every week', replay: { on_time: 11, failed: 1 } })
  })

  test('judges by another grace time', async () => {
    const { replay } = await json('--period', '12h', '--grace', '1m')
    expect(replay.late + replay.missing).toBeGreaterThan(10)
  })

  test('proposes the command for another rhythm, which then proposes nothing', async () => {
    const { out } = await onCheck('backup', '--period', '1w')
    expect(out).toContain('an outage is noticed after')
    const [, proposed = ''] = /^→ overdue (schedule .+)$/m.exec(out) ?? []
    expect(proposed).toEndWith('--check "backup" --project "Tests"')
    const words = [...proposed.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word)
    const again = await run(words, { DATABASE_URL: place.url })
    expect(again.code).toBe(0)
    expect(again.out).not.toContain('→')
  })

  test('says that a check has no run yet', async () => {
    expect((await onCheck('Never pinged', 'daily')).out).toContain(
      '\nThe log of "Never pinged" contains no runs yet.\n',
    )
  })

  test('refuses a check that does not exist', async () => {
    const { code, err } = await onCheck('bakup', 'daily')
    expect(code).toBe(1)
    expect(err).toContain('did you mean "Backup"?')
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
      { expr: '@daily', from: '2026-01-01T00:00:00Z' },
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
    expect(answers).toHaveLength(6)
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
    expect(answers[2]).toMatchObject({ kind: 'cron' })
    for (const answer of answers.slice(3)) expect(Object.keys(answer)).toEqual(['error'])
  })
})
