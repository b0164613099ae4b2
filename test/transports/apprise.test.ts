/** `apprise`: whole messages, settings and conclusions. */
import { describe, expect, test } from 'bun:test'
import { firstProblem } from '../../src/domain/schema.ts'
import { apprise } from '../../src/transports/apprise.ts'
import { MissingSetting } from '../../src/transports/transport.ts'
import { CAME_UP, HOSTILE_LINE, jsonOf, LINK, WENT_DOWN } from './parsed.ts'
import { downAlert, hostileAlert, judged, judgements, USUAL_JUDGEMENTS, upAlert } from './support.ts'

const URL_ = 'discord://4174216298/JHMHI8qBe7bk2ZwO5U711o3dV_js'
const operator = { APPRISE_URL: 'https://apprise.test:8000' }
const request = {
  method: 'POST',
  url: 'https://apprise.test:8000/notify',
  headers: { 'content-type': 'application/json' },
}

describe('the message', () => {
  test('of a check that went down is a failure', async () => {
    expect(await jsonOf(apprise, URL_, downAlert({ operator }))).toEqual({
      ...request,
      body: {
        urls: URL_,
        title: 'Nightly backup is DOWN',
        body: `${WENT_DOWN}\n${LINK}`,
        type: 'failure',
      },
    })
  })

  test('of a check that recovered is a success', async () => {
    expect(await jsonOf(apprise, URL_, upAlert({ operator }))).toEqual({
      ...request,
      body: { urls: URL_, title: 'Nightly backup is UP', body: `${CAME_UP}\n${LINK}`, type: 'success' },
    })
  })

  test('has an unescaped title, which the services show as text', async () => {
    expect((await jsonOf(apprise, URL_, hostileAlert(downAlert({ operator })))).body).toEqual({
      urls: URL_,
      title: `${HOSTILE_LINE} is DOWN`,
      body: WENT_DOWN,
      type: 'failure',
    })
  })

  test("goes to the operator's server, also under a path", async () => {
    const { url } = await jsonOf(apprise, URL_, downAlert({ operator: { APPRISE_URL: 'http://tools.test/apprise/' } }))
    expect(url).toBe('http://tools.test/apprise/notify')
  })

  test("needs the operator's server", () => {
    expect(() => apprise.render(downAlert(), URL_)).toThrow(new MissingSetting('APPRISE_URL'))
  })
})

test.each([
  ['no text', [URL_], 'not a string'],
  ['no scheme', 'example.org/token', 'mismatch'],
  ['a second URL', `${URL_} ${URL_}`, 'mismatch'],
  ['more than 512 characters', `json://${'x'.repeat(506)}`, 'too long'],
] as const)('settings are rejected with %s', (_, settings, violation) => {
  expect(firstProblem(apprise.settings, settings)).toEqual({ path: '', violation })
})

describe('an answer', () => {
  test('is judged by its status, but 204 means that Apprise knows no service for the URL', () => {
    expect(judgements(apprise)).toEqual({ ...USUAL_JUDGEMENTS, 204: 'fail: Failed' })
  })

  test('of 424 means that the service did not accept the message, and is retried', () => {
    expect(judged(apprise, 424, '{"error": "One or more notification could not be sent"}')).toBe('retry: Failed')
  })
})
