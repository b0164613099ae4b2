/** Alerts that are sent again and again name the setting of the check that does not fit. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Advice } from '../../../src/domain/advice/advice.ts'
import { addSeconds } from '../../../src/lib/time.ts'
import { giveAdvice } from '../../support/advice.ts'
import { anAuthor, aSilenceOf, webhook } from '../../support/store-builders.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'
import { type CourierFixture, courierFixture } from './courier-fixture.ts'

let t: TestApp
let d: CourierFixture
beforeEach(async () => {
  t = await testApp({ env: { EMAIL_HOST: 'mail.example.org' } })
  d = courierFixture(t)
})
afterEach(() => t.close())

const FLAPPING: Advice = {
  kind: 'flapping',
  variant: 'by-turns',
  says: ['3 of the last 6 runs failed. The last said ', { quote: '<b>disk</b> & full' }, '.'],
  fix: { do: 'ask', about: 'failures' },
  otherFixes: [],
}

/** Sends the check down by a failure, and up again. */
async function failAndRecover(check: string) {
  for (const action of ['/fail', '']) {
    t.clock.advance({ minutes: 1 })
    await d.ping(check, action)
    await d.deliver()
  }
}

const SAID = '3 of the last 6 runs failed.'

test('the third equal alert says it in a mail, in a chat and to a webhook, and the two before it do not', async () => {
  await d.addChannel({ kind: 'email', settings: 'ops@example.org' })
  await d.addChannel({ kind: 'slack', settings: 'https://hooks.slack.test/x' })
  await d.addChannel({ settings: { ...webhook(), body_down: '$STATUS: $ADVICE' } })
  const check = await d.addCheck()
  await giveAdvice(t.app.deps, check, FLAPPING)
  for (let count = 0; count < 3; count++) await failAndRecover(check)
  const chats = t.sent.filter(({ url }) => url.startsWith('https://hooks.slack.test/'))
  const isSaid = (texts: readonly string[]) => texts.map((text) => text.includes(SAID))
  const saidOnce = [false, false, false, false, true, false]
  expect(isSaid(t.mails.map(({ text }) => text))).toEqual(saidOnce)
  expect(isSaid(t.mails.map(({ html }) => html))).toEqual(saidOnce)
  expect(isSaid(chats.map(({ body }) => body))).toEqual(saidOnce)
  expect(t.mails[4]?.html).not.toContain('<b>disk</b>')
  const bodies = t.sent.filter(({ url }) => url === 'https://example.org/down').map(({ body }) => body)
  expect(bodies.map((body) => body.replace(/ The last.*/, ''))).toEqual(['down: ', 'down: ', `down: ${SAID}`])
})

test('an alert that a silence has kept back is none of the three', async () => {
  await d.addChannel({ kind: 'slack', settings: 'https://hooks.slack.test/x' })
  const check = await d.addCheck()
  await giveAdvice(t.app.deps, check, FLAPPING)
  const now = t.clock.now()
  const silence = aSilenceOf(t.project, { startsAt: now, endsAt: addSeconds(now, 3_600), createdAt: now })
  await t.app.deps.store.by(anAuthor()).silences.create(silence, now)
  await failAndRecover(check)
  t.clock.advance({ hours: 1 })
  const said = () => t.sent.filter(({ body }) => body.includes(SAID)).length
  for (let count = 0; count < 2; count++) await failAndRecover(check)
  expect([t.sent.length, said()]).toEqual([4, 0])
  await failAndRecover(check)
  expect([t.sent.length, said()]).toEqual([6, 1])
})

test('it is silent about advice that was withdrawn since', async () => {
  await d.addChannel({ kind: 'slack', settings: 'https://hooks.slack.test/x' })
  const check = await d.addCheck()
  await giveAdvice(t.app.deps, check, FLAPPING)
  for (let count = 0; count < 2; count++) await failAndRecover(check)
  await giveAdvice(t.app.deps, check)
  await failAndRecover(check)
  expect(t.sent.filter(({ body }) => body.includes(SAID))).toEqual([])
})
