/** Confirmation of email addresses: where strangers may sign up, nothing is sent to an address before its owner confirms it. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { operatorIn } from '../../../src/domain/actor.ts'
import type { Mail } from '../../../src/domain/carrier/mail.ts'
import type { Channel } from '../../../src/domain/channel/channel.ts'
import { testChannel } from '../../../src/services/channels/channel-test.ts'
import { findObstacle } from '../../../src/services/channels/channel-validity.ts'
import { createChannel, editChannel, getChannel } from '../../../src/services/channels/channels.ts'
import { only, refusalOf, rejection, webhook } from '../../support/store-builders.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'
import { type CourierFixture, courierFixture } from '../courier/courier-fixture.ts'

const OPEN = { REGISTRATION_OPEN: 'True', EMAIL_HOST: 'mail.example.org', SITE_ROOT: 'https://overdue.test' }

let t: TestApp
let d: CourierFixture
const begin = async (env: Readonly<Record<string, string>>) => {
  t = await testApp({ env })
  d = courierFixture(t)
}
beforeEach(() => begin(OPEN))
afterEach(() => t.close())

const create = (settings: unknown = 'ops@example.org', actor = t.actor) =>
  createChannel(t.app.deps, actor, { kind: 'email', name: 'Ops', settings })
const edit = (channel: Channel, settings: unknown) => editChannel(t.app.deps, t.actor, channel, { settings })
const stored = () => getChannel(t.app.deps, t.actor, 'Ops')

/** Returns the path of the link in a confirmation email. */
function linkIn(mail: Mail): string {
  const [, path] = /https:\/\/overdue\.test(\/integrations\/\S+)/.exec(mail.text) ?? []
  if (path === undefined) throw new Error(`no link in: ${mail.text}`)
  return path
}
const confirm = async (mail = only(t.mails)) => (await t.call('POST', linkIn(mail))).status

async function goDown(): Promise<void> {
  await d.ping(await d.addCheck(), '/fail')
  await d.deliver()
}

describe('a new address', () => {
  test('is asked to confirm, and gets nothing before that', async () => {
    expect((await create()).awaitsConfirmation).toBe(true)
    expect(only(t.mails)).toMatchObject({
      to: 'ops@example.org',
      subject: 'Confirm alerts from Overdue',
      unsubscribeUrl: null,
    })
    expect(only(t.mails).text).toContain('"Tests"')
    await goDown()
    expect(t.mails).toHaveLength(1)
    expect((await stored()).lastError).toBe('The address has not been confirmed yet')
    expect(await d.nextTry()).toBeNull()
    expect(findObstacle(t.app.deps, t.actor, await create())?.reason).toBe('The address has not been confirmed yet')
  })

  test('gets alerts as soon as it is confirmed', async () => {
    await create()
    expect(await confirm()).toBe(200)
    expect(await stored()).toMatchObject({ awaitsConfirmation: false, lastError: null })
    t.mails.length = 0
    await goDown()
    expect(only(t.mails)).toMatchObject({ to: 'ops@example.org', subject: 'DOWN | Job' })
  })

  test('is not asked if nobody can sign up, or if the operator turned that off', async () => {
    for (const env of [
      { ...OPEN, REGISTRATION_OPEN: 'False' },
      { ...OPEN, EMAIL_USE_VERIFICATION: 'False' },
    ]) {
      await t.close()
      await begin(env)
      expect((await create()).awaitsConfirmation).toBe(false)
      await goDown()
      expect(only(t.mails).subject).toBe('DOWN | Job')
    }
  })

  test('that could not be asked waits, and the channel shows the reason', async () => {
    t.answerMailWith({ kind: 'unreachable', error: 'Could not connect to the mail server' })
    const channel = await create()
    const error = 'The confirmation email was not sent: Could not connect to the mail server'
    expect([channel.lastError, (await stored()).lastError]).toEqual([error, error])
    expect(findObstacle(t.app.deps, t.actor, channel)?.reason).toBe(error)
  })

  test('cannot be asked without a mail server', async () => {
    await t.close()
    await begin({ REGISTRATION_OPEN: 'True' })
    expect(await create()).toMatchObject({
      awaitsConfirmation: true,
      lastError: 'No mail server is set up: enter it at Administration › Mail, or set EMAIL_HOST',
    })
    expect(t.mails).toEqual([])
  })
})

describe('an edit', () => {
  test('to another address asks that one, and the link sent to the earlier one confirms nothing', async () => {
    await create()
    const first = only(t.mails)
    await confirm()
    await edit(await stored(), { value: 'night@example.org' })
    expect((await stored()).awaitsConfirmation).toBe(true)
    expect(t.mails.map(({ to }) => to)).toEqual(['ops@example.org', 'night@example.org'])
    expect(await confirm(first)).toBe(404)
    expect((await stored()).awaitsConfirmation).toBe(true)
    expect(await confirm(t.mails[1])).toBe(200)
    expect((await stored()).awaitsConfirmation).toBe(false)
  })

  test('of anything else asks nobody, and confirms nothing', async () => {
    await create()
    await edit(await stored(), { value: 'ops@example.org', up: false })
    expect((await stored()).awaitsConfirmation).toBe(true)
    await confirm()
    await edit(await stored(), { value: 'ops@example.org', tz: 'Europe/Riga' })
    expect((await stored()).awaitsConfirmation).toBe(false)
    expect(t.mails).toHaveLength(1)
  })

  test('of a channel of another kind asks nobody', async () => {
    const channel = await createChannel(t.app.deps, t.actor, { kind: 'webhook', name: 'Ops', settings: webhook() })
    await edit(channel, webhook('https://other.example/'))
    expect(await stored()).toMatchObject({ awaitsConfirmation: false })
    expect(t.mails).toEqual([])
  })
})

describe('a test of the channel', () => {
  const told = async () => {
    const { code, message, data } = await refusalOf(testChannel(t.app.deps, t.actor, await stored(), 'down'))
    expect([code, message]).toEqual(['channel-unconfirmed', 'The address has not been confirmed yet'])
    return data.mailError
  }

  test('asks again, and says so', async () => {
    await create()
    expect(await told()).toBeNull()
    const [first, second] = t.mails
    expect(second).toMatchObject({ to: 'ops@example.org', subject: first?.subject })
    expect(await confirm(first)).toBe(200)
    expect(await testChannel(t.app.deps, t.actor, await stored(), 'down')).toBeNull()
    expect(t.mails.at(-1)?.subject).toBe('DOWN | TEST')
  })

  test('that cannot ask says why', async () => {
    await create()
    t.answerMailWith({ kind: 'refused', stage: 'recipient', status: 550, response: '550 nobody' })
    expect(await told()).toBe('The confirmation email was not sent: 550 nobody')
  })
})

test('a receiver that has unsubscribed is asked to confirm again, and gets nothing until then', async () => {
  await create()
  await confirm()
  await goDown()
  const unsubscribe = new URL(t.mails.at(-1)?.unsubscribeUrl ?? '').pathname
  await t.call('POST', unsubscribe)
  expect(await stored()).toMatchObject({ disabledReason: 'unsubscribed by the receiver', awaitsConfirmation: true })
  // Neither an edit nor a test overrides the receiver.
  await edit(await stored(), 'ops@example.org')
  await rejection(testChannel(t.app.deps, t.actor, await stored(), 'down'))
  t.mails.splice(0, 2)
  await goDown()
  expect(only(t.mails).subject).toBe('Confirm alerts from Overdue')
  await confirm()
  expect(await stored()).toMatchObject({ disabledReason: null, awaitsConfirmation: false })
})

test('the name of a project is limited, escaped, and never a link', async () => {
  const name = `<b>Win</b> at https://evil.test/now ${'x'.repeat(100)}`
  await create('ops@example.org', operatorIn({ ...t.project, name }))
  const { text, html, subject } = only(t.mails)
  expect(subject).toBe('Confirm alerts from Overdue')
  expect(text).not.toMatch(/https:\/\/evil|evil\.test/)
  expect(html).toContain('&lt;b&gt;Win')
  expect(html).not.toMatch(/<b>|https:\/\/evil/)
  expect(text).not.toContain('x'.repeat(60))
})
