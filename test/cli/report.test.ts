import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Temporal } from '../../src/domain/time.ts'
import { handClock } from '../support/clock.ts'
import { type TestApp, testApp } from '../support/test-app.ts'
import { type Folder, folder, run } from './support.ts'

let place: Folder
let t: TestApp
/** The day before yesterday at noon: the program that is run has the real clock. */
const noon = Temporal.Now.instant().toZonedDateTimeISO('UTC').subtract({ days: 2 }).withPlainTime('12:00')

const name = (day: Temporal.ZonedDateTime) => {
  const month = day.toLocaleString('en', { month: 'short' })
  return `${String(day.day).padStart(2, '0')} ${month} ${day.year}`
}

beforeAll(async () => {
  place = folder()
  const clock = handClock(noon.toInstant().toString())
  t = await testApp({ env: { DATABASE_URL: place.url }, clock })
  const json = { name: 'Backup', timeout: 31_536_000 }
  const { uuid } = await t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key: t.keys.apiKey, json })
  await t.call('GET', `/ping/${uuid}`)
  await t.call('GET', `/ping/${uuid}/fail`)
  clock.advance({ hours: 13 })
  await t.call('GET', `/ping/${uuid}`)
  await t.call('POST', '/api/v3/checks/', { key: t.keys.apiKey, json: { name: 'New' } })
})
afterAll(async () => {
  await t.close()
  place.remove()
})

const report = (...words: string[]) => run(['report', 'show', ...words], { DATABASE_URL: place.url })

describe('overdue report show', () => {
  test('prints how each check fared in the last two periods, the longest down first', async () => {
    const { code, out, err } = await report('--project', 'Tests', '--period', 'daily')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const yesterday = name(noon.add({ days: 1 }))
    expect(out.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['Daily Report: Tests'],
      [`${yesterday}: 2 checks, 1 downtime of 1 hour, 0 minutes in all.`],
      [''],
      ['CHECK', 'STATUS', name(noon).toUpperCase(), yesterday.toUpperCase()],
      ['Backup', 'up', '50.00 %, 1 downtime of 12 hours, 0 minutes', '95.83 %, 1 downtime of 1 hour, 0 minutes'],
      ['New', 'new', 'no data', '100.00 %'],
      [''],
    ])
  })

  test('gives the same as JSON', async () => {
    const { out } = await report('--project', 'Tests', '--period', 'daily', '--tz', 'Etc/UTC', '--json')
    const start = noon.withPlainTime('00:00')
    const iso = (days: number) => `${start.add({ days }).toPlainDate()}T00:00:00+00:00`
    expect(JSON.parse(out)).toEqual({
      project: 'Tests',
      tz: 'Etc/UTC',
      summary: expect.stringContaining('2 checks, 1 downtime'),
      periods: [
        { name: name(noon), from: iso(0), until: iso(1) },
        { name: name(noon.add({ days: 1 })), from: iso(1), until: iso(2) },
      ],
      checks: [
        {
          uuid: expect.any(String),
          name: 'Backup',
          status: 'up',
          downtimes: [
            { count: 1, seconds: 43_200, uptime_percent: 50 },
            { count: 1, seconds: 3600, uptime_percent: 95.83 },
          ],
        },
        {
          uuid: expect.any(String),
          name: 'New',
          status: 'new',
          downtimes: [null, { count: 0, seconds: 0, uptime_percent: 100 }],
        },
      ],
    })
  })

  test.each([
    [['--project', 'Tests'], '--period is missing'],
    [['--period', 'daily'], '--project is missing'],
    [['--project', 'Tests', '--period', 'hourly'], 'unknown period "hourly"\n→ give daily, weekly, monthly'],
    [['--project', 'Tests', '--period', 'daily', '--tz', 'Mars/Base'], 'unknown time zone "Mars/Base"'],
    [['--project', 'Nobody', '--period', 'daily'], 'no project "Nobody"'],
  ])('%j is refused with a sentence', async (words, sentence) => {
    const { code, out, err } = await report(...words)
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toContain(sentence)
  })
})
