/** The alert that a test of an integration sends, about a check that does not exist. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { testAlert } from '../../../src/services/courier/alert.ts'
import { ENVIRONMENT } from '../../security/secrets.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'
import { KINDS, SETTINGS } from '../../transports/kinds.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp({ env: ENVIRONMENT })
})
afterEach(() => t.close())

const alert = (status: 'down' | 'up') => testAlert(t.app.deps, t.project, 'c', status)

test('says the same of its last ping everywhere', () => {
  const { message, check, lastPing, flip } = alert('down')
  expect(message.sentence).toContain('No ping since')
  expect(message.lastPing).toBe('Success, 1 day ago')
  expect(message.totalPings).toBe(lastPing?.n ?? 0)
  expect(check.lastPingAt).toEqual(lastPing?.receivedAt ?? null)
  // It has had a ping a day since it was made.
  expect(check.createdAt.until(flip.createdAt).total('hours')).toBe(42 * 24 + 25)
})

test('about a check that comes up has the ping that brought it up', () => {
  const { message, lastPing, flip } = alert('up')
  expect(message.lastPing).toBe('Success, now')
  expect(lastPing?.receivedAt).toEqual(flip.createdAt)
})

test.each(KINDS)('to %s does not say that the check was never pinged', async (kind) => {
  const transport = t.app.deps.transports.get(kind)
  for (const status of ['down', 'up'] as const) {
    const message = transport?.render(alert(status), SETTINGS[kind])
    const body = message instanceof Request ? await message.text() : JSON.stringify(message)
    expect(body).toBeString()
    expect(body).not.toMatch(/never/i)
  }
})
