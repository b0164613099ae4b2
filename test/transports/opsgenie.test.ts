/** `opsgenie`: whole messages, settings and conclusions. */
import { describe, expect, test } from 'bun:test'
import { firstProblem } from '../../src/domain/schema.ts'
import { within } from '../../src/lib/text/text.ts'
import { opsgenie } from '../../src/transports/opsgenie.ts'
import { aCheck } from '../support/builders.ts'
import {
  acknowledgementJson,
  HOSTILE_IS_ON_IT,
  HOSTILE_LINE,
  HOSTILE_LINES,
  HOSTILE_TAKEN,
  jsonOf,
  KEY,
  LINK,
  WENT_DOWN,
} from './parsed.ts'
import { ANN_IS_ON_IT, downAlert, hostileAlert, judged, RUNBOOK, upAlert } from './support.ts'

const SETTINGS = { key: '12345678-abcd', region: 'us' }
const headers = { authorization: 'GenieKey 12345678-abcd', 'content-type': 'application/json' }
const details = {
  Project: 'Home lab',
  'Total pings': '12',
  'Last ping': 'Success, 3 hours ago',
  Period: '2 hours',
  'Full details': LINK,
}

describe('the message', () => {
  test('of a check that went down creates an alert', async () => {
    expect(await jsonOf(opsgenie, SETTINGS, downAlert())).toEqual({
      method: 'POST',
      url: 'https://api.opsgenie.com/v2/alerts',
      headers,
      body: {
        alias: KEY,
        source: 'Overdue',
        tags: ['prod', 'db'],
        message: 'Nightly backup is DOWN',
        description: `${WENT_DOWN}\n\nDatabase to tape`,
        details,
      },
    })
  })

  test('of a check that recovered closes it by its alias', async () => {
    expect(await jsonOf(opsgenie, SETTINGS, upAlert())).toEqual({
      method: 'POST',
      url: `https://api.opsgenie.com/v2/alerts/${KEY}/close?identifierType=alias`,
      headers,
      body: { alias: KEY, source: 'Overdue' },
    })
  })

  test('of an acknowledgement acknowledges it by its alias, and names who did', async () => {
    const acknowledgement = (user: string, note: string) => ({
      method: 'POST',
      url: `https://api.eu.opsgenie.com/v2/alerts/${KEY}/acknowledge?identifierType=alias`,
      headers,
      body: { source: 'Overdue', user, note },
    })
    const settings = { ...SETTINGS, region: 'eu' }
    expect(await acknowledgementJson(opsgenie, settings)).toEqual(acknowledgement('ann@example.org', ANN_IS_ON_IT))
    const hostile = acknowledgement(within(HOSTILE_LINE, 100), HOSTILE_IS_ON_IT)
    expect(await acknowledgementJson(opsgenie, settings, HOSTILE_TAKEN)).toEqual(hostile)
  })

  test('goes to the European API for accounts there', async () => {
    const settings = { ...SETTINGS, region: 'eu' }
    const { url: down } = await jsonOf(opsgenie, settings, downAlert())
    const { url: up } = await jsonOf(opsgenie, settings, upAlert())
    expect([down, up]).toEqual([
      'https://api.eu.opsgenie.com/v2/alerts',
      `https://api.eu.opsgenie.com/v2/alerts/${KEY}/close?identifierType=alias`,
    ])
  })

  test('names the schedule and its time zone where there is one', async () => {
    const check = aCheck({ status: 'down', kind: 'cron', schedule: '0 * * * *', tz: 'Europe/Riga' })
    const { body } = await jsonOf(opsgenie, SETTINGS, downAlert({ check }))
    expect(body).toMatchObject({ tags: [], details: { Schedule: '0 * * * *', 'Time zone': 'Europe/Riga' } })
  })

  test('has no more and no longer tags than Opsgenie accepts', async () => {
    const tags = ['🎉'.repeat(60), ...Array.from({ length: 30 }, (_, n) => `tag${n}`)].join(' ')
    const { body } = await jsonOf(opsgenie, SETTINGS, downAlert({ check: aCheck({ status: 'down', tags }) }))
    const { tags: sent } = body as { tags: string[] }
    expect(sent).toHaveLength(20)
    expect(sent[0]).toBe(`${'🎉'.repeat(24)}…`)
  })

  test('shows hostile names unchanged, on one line', async () => {
    expect(await jsonOf(opsgenie, SETTINGS, hostileAlert())).toEqual({
      method: 'POST',
      url: 'https://api.opsgenie.com/v2/alerts',
      headers,
      body: {
        alias: KEY,
        source: 'Overdue',
        tags: ['"a"', '<b>', '🎉', '$NAME', '@all'],
        message: `${HOSTILE_LINE} is DOWN`,
        description: `${WENT_DOWN}\n\n${HOSTILE_LINES}\nRun book: ${RUNBOOK}, tell <!channel> and @all`,
        details: { Project: HOSTILE_LINE, 'Total pings': '12', 'Last ping': 'Success, 3 hours ago', Period: '2 hours' },
      },
    })
  })
})

test.each([
  ['no key', { region: 'us' }, { path: '/key', violation: 'missing' }],
  ['an empty key', { key: '', region: 'us' }, { path: '/key', violation: 'mismatch' }],
  ['a line end in the key', { key: 'a\r\nb', region: 'us' }, { path: '/key', violation: 'mismatch' }],
  ['too long a key', { key: 'a'.repeat(201), region: 'us' }, { path: '/key', violation: 'too long' }],
  ['another region', { key: 'a', region: 'evil.test/' }, { path: '/region', violation: 'unexpected' }],
] as const)('settings are rejected with %s', (_, settings, problem) => {
  expect(firstProblem(opsgenie.settings, settings)).toEqual(problem)
})

describe('an answer', () => {
  test.each([
    ['is quoted', '{"message": "Could not\\nauthenticate"}', ' with a message: "Could not authenticate"'],
    ['is left out where it is empty', '{"message": ""}', ''],
    ['is left out where it is no text', '{"message": {"a": 1}}', ''],
    ['is left out where there is none', '["message"]', ''],
    ['is left out where the answer is no JSON', '<html>', ''],
  ])('that is an error: its message %s', (_, body, told) => {
    expect(judged(opsgenie, 422, body)).toBe(`retry: Received status code 422${told}`)
  })

  test('that is a success needs no message', () => {
    expect(judged(opsgenie, 202, '{"message": "Request will be processed"}')).toBe('sent')
  })
})
