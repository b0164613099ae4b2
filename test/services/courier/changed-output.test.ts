/** The alert of a failure contains new lines of the job's output. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { createCourier } from '../../../src/services/courier/courier.ts'
import { replaced } from '../../support/replaced-methods.ts'
import { webhook } from '../../support/store-builders.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'
import { type CourierFixture, courierFixture } from './courier-fixture.ts'

let t: TestApp
let d: CourierFixture
let check: string
beforeEach(async () => {
  t = await testApp({ env: { EMAIL_HOST: 'mail.example.org' } })
  d = courierFixture(t)
  await d.addChannel({ kind: 'email', settings: 'ops@example.org' })
  await d.addChannel({ kind: 'slack', settings: 'https://hooks.slack.test/x' })
  await d.addChannel({ settings: { ...webhook(), body_down: '$STATUS|$CHANGED|$CHANGED_JSON' } })
  check = await d.addCheck()
})
afterEach(() => t.close())

async function send(action: string, body: string) {
  t.clock.advance({ minutes: 1 })
  expect((await t.call('POST', `/ping/${check}${action}`, { body })).status).toBe(200)
  await d.deliver()
}

const bodyTo = (begin: string) => t.sent.filter(({ url }) => url.startsWith(begin)).at(-1)?.body ?? ''
const fieldsInSlack = () =>
  JSON.parse(bodyTo('https://hooks.slack.test/')).attachments[0].fields.map(({ title }: { title: string }) => title)

test('in a mail, in a chat and to a webhook: the first new lines, escaped, and the last one in the sentence only', async () => {
  await send('', 'begin\nfetched 3 statements')
  await send('/2', 'begin\n<b>WARNING</b>\nkey changed\nexit 2')
  const { text = '', html = '' } = t.mails.at(-1) ?? {}
  expect(text).toContain('New in the output\n-----------------\n\n<b>WARNING</b>\nkey changed\n\n')
  expect(text).toContain('Last line: ‘exit 2’')
  expect(html).toContain('&lt;b&gt;WARNING&lt;/b&gt;\nkey changed<')
  expect(html).not.toContain('<b>WARNING')
  const slack = bodyTo('https://hooks.slack.test/')
  expect(fieldsInSlack()).toContain('New in the Output')
  expect(slack).toContain('```\\n&lt;b&gt;WARNING&lt;/b&gt;\\nkey changed\\n```')
  expect(bodyTo('https://example.org/down')).toBe(
    'down|<b>WARNING</b>\nkey changed\nexit 2|"<b>WARNING</b>\\nkey changed\\nexit 2"',
  )
})

test('and says nothing of it without a good run to compare with, when the check recovers, and of silence', async () => {
  await send('/fail', 'begin\nexit 2')
  await send('', 'begin\nfetched 3 statements')
  await send('', 'begin\nfetched 4 statements')
  t.clock.advance({ hours: 72 })
  await t.app.settle('overdue')
  await d.deliver()
  expect(t.mails.map(({ subject }) => subject.slice(0, 4))).toEqual(['DOWN', 'UP |', 'DOWN'])
  expect(t.mails.filter(({ text }) => text.includes('New in the output'))).toEqual([])
  expect(bodyTo('https://example.org/down')).toBe('down||""')
})

test('without what would allow pings', async () => {
  await send('', 'begin')
  await send('/fail', `begin\ncurl http://localhost:8000/ping/${check}\nexit 2`)
  expect(bodyTo('https://example.org/down')).toContain('curl http://localhost:8000/ping/…')
})

test('also when it is written later than another ping came', async () => {
  t.answerWith(() => ({ kind: 'unreachable', error: 'away', permanent: false }))
  await send('', 'begin')
  await send('/fail', 'begin\nkey changed\nexit 2')
  t.clock.advance({ minutes: 10 })
  expect((await t.call('POST', `/ping/${check}/fail`, { body: 'begin\nanother' })).status).toBe(200)
  await d.deliver()
  expect(bodyTo('https://example.org/down')).toStartWith('down|key changed\nexit 2|')
})

test('after one comparison for all channels, and for their retries', async () => {
  await send('', 'begin')
  t.answerWith(() => ({ kind: 'unreachable', error: 'away', permanent: false }))
  t.clock.advance({ minutes: 1 })
  await t.call('POST', `/ping/${check}/fail`, { body: 'begin\nkey changed\nexit 2' })
  const { deps } = t.app
  let reads = 0
  const findLastGood: typeof deps.store.pings.findLastGood = (...given) => {
    reads += 1
    return deps.store.pings.findLastGood(...given)
  }
  const courier = createCourier({ ...deps, store: replaced(deps.store, { pings: { findLastGood } }) })
  await d.deliver(courier)
  t.clock.advance({ minutes: 5 })
  await d.deliver(courier)
  expect(t.sent.filter(({ url }) => url.startsWith('https://hooks.slack.test/'))).toHaveLength(2)
  expect(reads).toBe(1)
})

test('a mail that is refused with the body is sent again without it', async () => {
  t.answerMailWith((mail) =>
    mail.text.includes('key changed')
      ? { kind: 'refused', stage: 'message', status: 554, response: '5.7.1 spam' }
      : { kind: 'accepted', response: '250 OK' },
  )
  await send('', 'begin')
  await send('/fail', 'begin\nkey changed\nexit 2')
  expect(t.mails.at(-1)?.text).not.toContain('New in the output')
  expect(t.mails).toHaveLength(2)
})
