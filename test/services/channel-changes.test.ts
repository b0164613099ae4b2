import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Channel } from '../../src/domain/channel/channel.ts'
import { unsubscribeUrl } from '../../src/domain/mail/links.ts'
import { deleteChannel } from '../../src/services/channels/channel-deletion.ts'
import { testChannel } from '../../src/services/channels/channel-test.ts'
import { findObstacle } from '../../src/services/channels/channel-validity.ts'
import { createChannel, editChannel, getChannel } from '../../src/services/channels/channels.ts'
import { rejection, webhook } from '../support/store-builders.ts'
import { type TestApp, testApp } from '../support/test-app.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

const create = () => createChannel(t.app.deps, t.actor, { kind: 'webhook', name: 'Ops', settings: webhook() })
const put = ({ id }: Channel, over: Partial<Channel>) =>
  t.app.deps.store.channels.change(id, (channel) => ({ channel: { ...channel, ...over } }))
const stored = (idOrName = 'Ops') => getChannel(t.app.deps, t.actor, idOrName)

test('an edit changes what is given and leaves the rest; the host follows the settings', async () => {
  const channel = await create()
  await editChannel(t.app.deps, t.actor, channel, { settings: webhook('https://other.example:8443/hook') })
  expect(await stored()).toEqual({
    ...channel,
    settings: webhook('https://other.example:8443/hook'),
    host: 'other.example:8443',
  })
  await editChannel(t.app.deps, t.actor, await stored(), { name: 'Night' })
  expect(await stored('Night')).toMatchObject({ name: 'Night', host: 'other.example:8443' })
})

test('an edit re-enables a disabled channel', async () => {
  const channel = await create()
  await put(channel, { disabledReason: 'gone', lastError: 'gone' })
  expect((await stored()).disabledReason).toBe('gone')
  await editChannel(t.app.deps, t.actor, await stored(), { settings: webhook() })
  expect(await stored()).toEqual(channel)
})

test('an edit overwrites nothing that has happened since the channel was read', async () => {
  const channel = await create()
  await put(channel, { settings: webhook('https://other.example/hook'), host: 'other.example' })
  await editChannel(t.app.deps, t.actor, channel, { name: 'Night' })
  expect(await stored('Night')).toMatchObject({
    settings: webhook('https://other.example/hook'),
    host: 'other.example',
  })
})

test('a channel that was deleted meanwhile cannot be edited', async () => {
  const channel = await create()
  await deleteChannel(t.app.deps, t.actor, channel)
  const error = await rejection(editChannel(t.app.deps, t.actor, channel, { name: 'Night' }))
  expect(error).toMatchObject({ code: 'channel-not-found', message: 'the channel no longer exists' })
})

describe('a receiver that has unsubscribed', () => {
  /** channel as read before */
  let before: Channel
  beforeEach(async () => {
    await t.close()
    t = await testApp({ env: { EMAIL_HOST: 'mail.example.org' } })
    const settings = { value: 'ops@example.org' }
    before = await createChannel(t.app.deps, t.actor, { kind: 'email', name: 'Ops', settings })
    const { links, secret } = t.app.deps.site
    await t.call('POST', new URL(unsubscribeUrl(links, before.id, 'alerts', secret)).pathname)
  })
  const edit = (change: Partial<Pick<Channel, 'name' | 'settings'>>) => editChannel(t.app.deps, t.actor, before, change)
  const sendTest = (channel: Channel) => testChannel(t.app.deps, t.actor, channel, 'down')

  test('stays unsubscribed when the name or the mailings of the channel change', async () => {
    await edit({ name: 'Night' })
    await edit({ settings: { value: 'ops@example.org', up: false } })
    expect(await stored('Night')).toMatchObject({
      disabledReason: 'unsubscribed by the receiver',
      settings: { value: 'ops@example.org', up: false },
    })
  })

  test('gets no test, and a test that was already being sent changes nothing', async () => {
    expect(await rejection(sendTest(await stored()))).toMatchObject({
      code: 'channel-unsubscribed',
      message: 'the receiver has unsubscribed',
    })
    expect(t.mails).toEqual([])
    expect(await sendTest(before)).toBeNull()
    expect(await stored()).toMatchObject({ disabledReason: 'unsubscribed by the receiver' })
  })

  test('does not keep the channel from another address', async () => {
    await edit({ settings: 'night@example.org' })
    expect(await stored()).toMatchObject({ disabledReason: null })
    expect(await sendTest(await stored())).toBeNull()
    expect(t.mails.map(({ to }) => to)).toEqual(['night@example.org'])
  })
})

test('an invalid edit changes nothing', async () => {
  const channel = await create()
  for (const [change, code] of [
    [{ name: 'x'.repeat(101) }, 'name-invalid'],
    [{ settings: {} }, 'channel-settings-invalid'],
    [{ settings: webhook('ftp://example.org') }, 'channel-settings-invalid'],
  ] as const) {
    expect(await rejection(editChannel(t.app.deps, t.actor, channel, change))).toHaveProperty('code', code)
  }
  expect(await stored()).toEqual(channel)
})

test('a deleted channel is gone from its checks, and so are its pending deliveries', async () => {
  const channel = await create()
  const json = { name: 'Job', channels: '*' }
  const { uuid } = await t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key: t.keys.apiKey, json })
  await t.call('GET', `/ping/${uuid}/fail`)
  expect(await t.app.deps.store.deliveries.nextAt()).not.toBeNull()
  await deleteChannel(t.app.deps, t.actor, channel)
  expect(await t.app.deps.store.deliveries.nextAt()).toBeNull()
  const { channels } = await t.json<{ channels: string }>('GET', `/api/v3/checks/${uuid}`, { key: t.keys.apiKey })
  expect(channels).toBe('')
  await t.call('GET', `/ping/${uuid}`)
  await t.app.settle('deliveries')
  expect(t.sent).toEqual([])
})

test('an email channel only for reports shows that there is no mail server, and that no alert can be tested', async () => {
  const settings = { value: 'boss@example.org', down: false, up: false, report: 'weekly' }
  const channel = await createChannel(t.app.deps, t.actor, { kind: 'email', name: 'Boss', settings })
  expect(findObstacle(t.app.deps, t.actor, channel)?.reason).toBe(
    'No mail server is set up: enter it at Administration › Mail, or set EMAIL_HOST',
  )
  const error = await rejection(testChannel(t.app.deps, t.actor, channel, 'up'))
  expect(error).toMatchObject({
    code: 'channel-not-notified',
    message: 'this channel sends nothing when a check goes up',
    data: { otherStatus: null },
  })
})
