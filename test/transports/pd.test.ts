/** `pd`: whole messages, settings and conclusions. */
import { describe, expect, test } from 'bun:test'
import { firstProblem } from '../../src/domain/schema.ts'
import { pd } from '../../src/transports/pd.ts'
import { aCheck } from '../support/builders.ts'
import {
  acknowledgementJson,
  CAME_UP,
  HOSTILE_IS_ON_IT,
  HOSTILE_LINE,
  HOSTILE_LINES,
  HOSTILE_TAKEN,
  jsonOf,
  KEY,
  LINK,
  WENT_DOWN,
} from './parsed.ts'
import { ANN_IS_ON_IT, downAlert, hostileAlert, RUNBOOK, upAlert } from './support.ts'

const SERVICE_KEY = '0123456789abcdef0123456789abcdef'
const request = {
  method: 'POST',
  url: 'https://events.pagerduty.com/generic/2010-04-15/create_event.json',
  headers: { 'content-type': 'application/json' },
}
const always = {
  service_key: SERVICE_KEY,
  incident_key: KEY,
  client: 'Overdue',
}
const details = {
  Project: 'Home lab',
  'Total pings': '12',
  'Last ping': 'Success, 3 hours ago',
  Period: '2 hours',
  Description: 'Database to tape',
  Tags: 'prod, db',
}

describe('the message', () => {
  test('of a check that went down triggers an incident', async () => {
    expect(await jsonOf(pd, SERVICE_KEY, downAlert())).toEqual({
      ...request,
      body: {
        ...always,
        client_url: LINK,
        event_type: 'trigger',
        description: `Nightly backup is DOWN. ${WENT_DOWN}`,
        details,
      },
    })
  })

  test('of a check that recovered resolves it', async () => {
    expect(await jsonOf(pd, SERVICE_KEY, upAlert())).toEqual({
      ...request,
      body: {
        ...always,
        client_url: LINK,
        event_type: 'resolve',
        description: `Nightly backup is UP. ${CAME_UP}`,
        details,
      },
    })
  })

  test('of an acknowledgement acknowledges it', async () => {
    const acknowledgement = (description: string) => ({
      ...request,
      body: { service_key: SERVICE_KEY, incident_key: KEY, event_type: 'acknowledge', description },
    })
    expect(await acknowledgementJson(pd, SERVICE_KEY)).toEqual(acknowledgement(ANN_IS_ON_IT))
    expect(await acknowledgementJson(pd, SERVICE_KEY, HOSTILE_TAKEN)).toEqual(acknowledgement(HOSTILE_IS_ON_IT))
  })

  test('is the same when PagerDuty handed over the key with an account', async () => {
    const settings = { service_key: SERVICE_KEY, account: 'Home' }
    expect(await jsonOf(pd, settings, downAlert())).toEqual(await jsonOf(pd, SERVICE_KEY, downAlert()))
  })

  test('names the schedule and its time zone where there is one', async () => {
    const check = aCheck({ status: 'down', kind: 'cron', schedule: '0 * * * *', tz: 'Europe/Riga' })
    expect((await jsonOf(pd, SERVICE_KEY, downAlert({ check, lastPing: null }))).body).toMatchObject({
      details: {
        Project: 'Home lab',
        'Total pings': '0',
        'Last ping': 'Never',
        Schedule: '0 * * * *',
        'Time zone': 'Europe/Riga',
      },
    })
  })

  test('shows hostile names unchanged, on one line', async () => {
    expect((await jsonOf(pd, SERVICE_KEY, hostileAlert())).body).toEqual({
      ...always,
      event_type: 'trigger',
      description: `${HOSTILE_LINE} is DOWN. ${WENT_DOWN}`,
      details: {
        ...details,
        Project: HOSTILE_LINE,
        Description: `${HOSTILE_LINES}\nRun book: ${RUNBOOK}, tell <!channel> and @all`,
        Tags: '"a", <b>, 🎉, $NAME, @all',
      },
    })
  })
})

test.each([
  ['a key of 33 characters', `${SERVICE_KEY}0`, ' too long'],
  ['an empty key', '', ' mismatch'],
  ['a blank in the key', 'a b', ' mismatch'],
  ['no account beside the key', { service_key: SERVICE_KEY }, '/account missing'],
  ['too long a key beside an account', { service_key: `${SERVICE_KEY}0`, account: 'Home' }, '/service_key too long'],
  ['a number', 7, ' unexpected'],
])('settings are rejected with %s', (_, settings, words) => {
  const problem = firstProblem(pd.settings, settings)
  expect(`${problem?.path} ${problem?.violation}`).toBe(words)
})
