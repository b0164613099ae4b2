/** `spike`: whole messages, settings and conclusions. */
import { describe, expect, test } from 'bun:test'
import { firstProblem } from '../../src/domain/schema.ts'
import { spike } from '../../src/transports/spike.ts'
import { CAME_UP, HOSTILE_LINE, jsonOf, KEY, LINK, WENT_DOWN } from './parsed.ts'
import { downAlert, hostileAlert, upAlert } from './support.ts'

const URL_ = 'https://hooks.spike.test/abc/push-events'
const headers = { 'content-type': 'application/json' }

describe('the message', () => {
  test('of a check that went down opens an incident', async () => {
    expect(await jsonOf(spike, URL_, downAlert())).toEqual({
      method: 'POST',
      url: URL_,
      headers,
      body: { check_id: KEY, title: 'Nightly backup is DOWN', message: `${WENT_DOWN}\n${LINK}`, status: 'down' },
    })
  })

  test('of a check that recovered resolves it', async () => {
    expect(await jsonOf(spike, URL_, upAlert())).toEqual({
      method: 'POST',
      url: URL_,
      headers,
      body: { check_id: KEY, title: 'Nightly backup is UP', message: `${CAME_UP}\n${LINK}`, status: 'up' },
    })
  })

  test('shows hostile names unchanged, on one line', async () => {
    expect((await jsonOf(spike, URL_, hostileAlert())).body).toEqual({
      check_id: KEY,
      title: `${HOSTILE_LINE} is DOWN`,
      message: WENT_DOWN,
      status: 'down',
    })
  })
})

test.each([
  ['no text', { url: URL_ }, 'not a string'],
  ['another scheme', 'ftp://hooks.spike.test', 'mismatch'],
  ['a blank within', `${URL_} x`, 'mismatch'],
  ['more than 1000 characters', `${URL_}${'x'.repeat(1000)}`, 'too long'],
] as const)('settings are rejected with %s', (_, settings, violation) => {
  expect(firstProblem(spike.settings, settings)).toEqual({ path: '', violation })
})
