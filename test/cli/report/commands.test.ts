import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createChannel } from '../../../src/services/channels/channels.ts'
import { sendMailings } from '../../../src/services/mail/mailings.ts'
import { handClock } from '../../support/clock.ts'
import { run } from '../../support/command-line.ts'
import { testDatabase } from '../../support/databases.ts'
import type { TestDatabase } from '../../support/opened-stores.ts'
import { only, testRandom } from '../../support/store-builders.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

let place: TestDatabase
let t: TestApp

beforeAll(async () => {
  place = await testDatabase()
  const clock = handClock('2026-03-04T12:00:00Z')
  const env = {
    DATABASE_URL: place.url,
    EMAIL_HOST: 'mail.example.org',
    DEFAULT_FROM_EMAIL: 'overdue@example.org',
  }
  t = await testApp({ env, clock })
  const json = { name: 'Backup', timeout: 31_536_000 }
  const { uuid } = await t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key: t.keys.apiKey, json })
  await t.call('GET', `/ping/${uuid}`)
  await t.call('GET', `/ping/${uuid}/fail`)
  clock.set('2026-03-05T01:00:05.999999Z')
  await t.call('GET', `/ping/${uuid}`)
  await t.call('POST', '/api/v3/checks/', { key: t.keys.apiKey, json: { name: 'New' } })
})
afterAll(async () => {
  await t.close()
  await place.remove()
})

/** Runs the command with the clock of the test, so that midnight cannot pass during the run. */
async function report(instant: string, ...words: readonly string[]): Promise<string> {
  t.clock.set(instant)
  const { code, out, err } = await run(
    ['report', ...words, '--project', 'Tests'],
    { DATABASE_URL: place.url },
    '',
    t.clock.now,
  )
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return out.trimEnd()
}

/** Dependencies with a fixed spread, so that dates are exact. */
const deps = () => ({ ...t.app.deps, random: testRandom })
const lines = (text: string) => text.split('\n').map((line) => line.split(/ {2,}/))

describe('overdue report show', () => {
  const daily = (...options: string[]) => report('2026-03-06T09:00:00Z', 'show', '--period', 'daily', ...options)

  test('prints the downtime of each check in the last two periods, the longest first', async () => {
    expect(lines(await daily())).toEqual([
      ['Daily Report: Tests'],
      ['05 Mar 2026: 2 checks, 1 downtime of 1 hour.'],
      [''],
      ['CHECK', 'STATUS', '04 MAR 2026', '05 MAR 2026'],
      ['Backup', 'up', '0.00 % since Wed 12:00, 1 downtime of 12 hours', '95.82 %, 1 downtime of 1 hour'],
      ['New', 'new', 'no data', 'no data'],
    ])
  })

  test('prints the same as JSON', async () => {
    expect(JSON.parse(await daily('--tz', 'Etc/UTC', '--json'))).toEqual({
      project: 'Tests',
      tz: 'Etc/UTC',
      summary: '05 Mar 2026: 2 checks, 1 downtime of 1 hour.',
      periods: [
        { name: '04 Mar 2026', from: '2026-03-04T00:00:00+00:00', until: '2026-03-05T00:00:00+00:00' },
        { name: '05 Mar 2026', from: '2026-03-05T00:00:00+00:00', until: '2026-03-06T00:00:00+00:00' },
      ],
      checks: [
        {
          uuid: expect.any(String),
          name: 'Backup',
          status: 'up',
          downtimes: [
            { count: 1, seconds: 43_200, uptime_percent: 0 },
            { count: 1, seconds: 3605, uptime_percent: 95.82 },
          ],
        },
        {
          uuid: expect.any(String),
          name: 'New',
          status: 'new',
          downtimes: [null, null],
        },
      ],
    })
  })

  test.each([
    [['--project', 'Tests'], '--period is missing'],
    [['--project', 'Tests', '--period', 'hourly'], 'unknown period "hourly"\n→ use one of: daily, weekly, monthly'],
    [['--project', 'Tests', '--period', 'daily', '--tz', 'Mars/Base'], 'unknown time zone "Mars/Base"'],
    [['--project', 'Nobody', '--period', 'daily'], 'no project "Nobody"'],
  ])('%j is refused with a sentence', async (words, sentence) => {
    const { code, out, err } = await run(['report', 'show', ...words], { DATABASE_URL: place.url })
    expect({ code, out }).toEqual({ code: sentence.startsWith('no project') ? 1 : 2, out: '' })
    expect(err).toContain(sentence)
  })
})

describe('overdue report list', () => {
  const HEADS = ['CHANNEL', 'MAIL', 'PERIOD', 'DUE', 'ATTEMPTS', 'NEXT ATTEMPT', 'LAST ERROR']
  const list = (instant: string, ...options: string[]) => report(instant, 'list', ...options)

  test('is empty if no channel has reports or reminders', async () => {
    await createChannel(deps(), t.actor, { kind: 'email', name: 'Alerts', settings: 'ops@example.org' })
    expect(await list('2026-03-06T12:00:00Z')).toBe(HEADS.join('  '))
    expect(await list('2026-03-06T12:00:00Z', '--json')).toBe('[]')
  })

  test('shows what each channel gets and when it is due; reminders are not due while nothing is down', async () => {
    const settings = { value: 'boss@example.org', report: 'daily', reminder: 'hourly' }
    const { id } = await createChannel(deps(), t.actor, { kind: 'email', name: 'Boss\r\nof all', settings })
    expect(lines(await list('2026-03-06T12:00:00Z'))).toEqual([
      HEADS,
      ['Boss of all', 'report', 'daily', '2026-03-07T10:00:00+00:00', '0', '2026-03-07T10:00:00+00:00', '-'],
      ['Boss of all', 'reminder', 'hourly', '-', '0', '-', '-'],
    ])
    expect(JSON.parse(await list('2026-03-06T12:00:00Z', '--json'))).toEqual([
      {
        channel: { id, name: 'Boss\r\nof all' },
        kind: 'report',
        period: 'daily',
        due: '2026-03-07T10:00:00+00:00',
        attempts: 0,
        next_attempt: '2026-03-07T10:00:00+00:00',
        error: null,
        obstacle: null,
      },
      expect.objectContaining({ kind: 'reminder', due: null, next_attempt: null }),
    ])
  })

  test('shows retries with attempts and error, and channels that are disabled', async () => {
    t.clock.set('2026-03-07T10:00:00Z')
    t.answerMailWith({ kind: 'unreachable', error: 'Connection refused' })
    await sendMailings(deps())
    const shown = async () => lines(await list('2026-03-07T10:00:05Z'))[1]
    const due = '2026-03-07T10:00:00+00:00'
    expect(await shown()).toEqual([
      'Boss of all',
      'report',
      'daily',
      due,
      '1',
      '2026-03-07T10:00:05+00:00',
      'Connection refused',
    ])
    t.answerMailWith({ kind: 'refused', stage: 'recipient', status: 550, response: '550 5.1.1 no such user' })
    await sendMailings(deps())
    expect((await shown())?.at(-1)).toBe('disabled: The mail server rejected the address: 550 5.1.1 no such user')
  })
})

test('a report by email has the words of report show', async () => {
  t.clock.set('2026-03-10T12:00:00Z')
  t.answerMailWith({ kind: 'accepted', response: '250 OK' })
  const settings = { value: 'ops@example.org', report: 'weekly', tz: 'America/St_Johns' }
  await createChannel(deps(), t.actor, { kind: 'email', name: 'Weekly', settings })
  t.mails.length = 0
  const due = '2026-03-16T12:30:00Z'
  t.clock.set(due)
  for (let next = await sendMailings(deps()); next && String(next) <= due; next = await sendMailings(deps()));
  const mail = only(t.mails.filter(({ subject }) => subject.startsWith('Weekly')))
  const shown = lines(await report(due, 'show', '--period', 'weekly', '--tz', 'America/St_Johns'))
  const mailed = lines(mail.text)
  expect(shown[1]).toEqual(mailed[2]?.map((line) => line.replace('Project Tests. ', '')) ?? [])
  expect(shown.slice(4)).toEqual(mailed.slice(5, 7))
  expect(shown[4]?.at(-1)).toMatch(/%/)
})
