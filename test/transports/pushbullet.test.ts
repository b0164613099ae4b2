/** `pushbullet`: whole messages, settings and conclusions. */
import { describe, expect, test } from 'bun:test'
import { firstProblem } from '../../src/domain/schema.ts'
import { pushbullet } from '../../src/transports/pushbullet.ts'
import { CAME_UP, HOSTILE_LINE, jsonOf, LINK, WENT_DOWN } from './parsed.ts'
import { downAlert, hostileAlert, upAlert } from './support.ts'

const TOKEN = 'o.abcDEF123'
const request = {
  method: 'POST',
  url: 'https://api.pushbullet.com/v2/pushes',
  headers: { 'access-token': TOKEN, 'content-type': 'application/json' },
}

describe('the message', () => {
  test('of a check that went down is a note', async () => {
    expect(await jsonOf(pushbullet, TOKEN, downAlert())).toEqual({
      ...request,
      body: { type: 'note', title: 'Overdue', body: `Nightly backup is DOWN. ${WENT_DOWN}\n${LINK}` },
    })
  })

  test('of a check that recovered is a note', async () => {
    expect(await jsonOf(pushbullet, TOKEN, upAlert())).toEqual({
      ...request,
      body: { type: 'note', title: 'Overdue', body: `Nightly backup is UP. ${CAME_UP}\n${LINK}` },
    })
  })

  test('shows hostile names unchanged, on one line', async () => {
    expect(await jsonOf(pushbullet, TOKEN, hostileAlert())).toEqual({
      ...request,
      body: {
        type: 'note',
        title: 'Overdue',
        body: `${HOSTILE_LINE} is DOWN. ${WENT_DOWN}`,
      },
    })
  })
})

test.each([
  ['no text', { token: TOKEN }, 'not a string'],
  ['nothing', '', 'mismatch'],
  ['a line end, which would start a new header', 'a\r\nX-Evil: 1', 'mismatch'],
  ['letters that no header can hold', 'tökèn€', 'mismatch'],
  ['more than 200 characters', 'x'.repeat(201), 'too long'],
] as const)('settings are rejected with %s', (_, settings, violation) => {
  expect(firstProblem(pushbullet.settings, settings)).toEqual({ path: '', violation })
})
