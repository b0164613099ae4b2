/** `victorops`: whole messages, settings and conclusions. */
import { describe, expect, test } from 'bun:test'
import { firstProblem } from '../../src/domain/schema.ts'
import { victorops } from '../../src/transports/victorops.ts'
import {
  acknowledgementJson,
  CAME_UP,
  HOSTILE_IS_ON_IT,
  HOSTILE_LINE,
  HOSTILE_TAKEN,
  jsonOf,
  KEY,
  LINK,
  WENT_DOWN,
} from './parsed.ts'
import { ANN_IS_ON_IT, downAlert, hostileAlert, judgements, USUAL_JUDGEMENTS, upAlert } from './support.ts'

const URL_ = 'https://alert.victorops.test/integrations/generic/1/alert/abc/team'
const request = { method: 'POST', url: URL_, headers: { 'content-type': 'application/json' } }

describe('the message', () => {
  test('of a check that went down is critical', async () => {
    expect(await jsonOf(victorops, URL_, downAlert())).toEqual({
      ...request,
      body: {
        entity_id: KEY,
        message_type: 'CRITICAL',
        entity_display_name: 'Nightly backup is DOWN',
        state_message: `${WENT_DOWN}\n${LINK}`,
        monitoring_tool: 'Overdue',
      },
    })
  })

  test('of a check that recovered is a recovery of the same entity', async () => {
    expect(await jsonOf(victorops, URL_, upAlert())).toEqual({
      ...request,
      body: {
        entity_id: KEY,
        message_type: 'RECOVERY',
        entity_display_name: 'Nightly backup is UP',
        state_message: `${CAME_UP}\n${LINK}`,
        monitoring_tool: 'Overdue',
      },
    })
  })

  test('of an acknowledgement moves the same entity on', async () => {
    const acknowledgement = (words: string) => ({
      ...request,
      body: {
        entity_id: KEY,
        message_type: 'ACKNOWLEDGEMENT',
        state_message: words,
        monitoring_tool: 'Overdue',
      },
    })
    expect(await acknowledgementJson(victorops, URL_)).toEqual(acknowledgement(ANN_IS_ON_IT))
    expect(await acknowledgementJson(victorops, URL_, HOSTILE_TAKEN)).toEqual(acknowledgement(HOSTILE_IS_ON_IT))
  })

  test('shows hostile names unchanged, on one line', async () => {
    expect((await jsonOf(victorops, URL_, hostileAlert())).body).toEqual({
      entity_id: KEY,
      message_type: 'CRITICAL',
      entity_display_name: `${HOSTILE_LINE} is DOWN`,
      state_message: WENT_DOWN,
      monitoring_tool: 'Overdue',
    })
  })
})

test.each([
  ['no text', 7, 'not a string'],
  ['another scheme', 'file:///etc/passwd', 'mismatch'],
  ['more than 1000 characters', `${URL_}${'x'.repeat(1000)}`, 'too long'],
] as const)('settings are rejected with %s', (_, settings, violation) => {
  expect(firstProblem(victorops.settings, settings)).toEqual({ path: '', violation })
})

test('404 means that the integration is gone, so the channel is disabled', () => {
  expect(judgements(victorops)).toEqual({ ...USUAL_JUDGEMENTS, 404: 'disable: Received status code 404' })
})
