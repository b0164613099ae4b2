import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Channel } from '../../src/domain/channel.ts'
import { UserError } from '../../src/domain/errors.ts'
import { unsubscribeUrl } from '../../src/domain/mail-links.ts'
import { testChannel } from '../../src/services/channel-test.ts'
import { createChannel, deleteChannel, editChannel, findObstacle, getChannel } from '../../src/services/channels.ts'
import { rejection, webhook } from '../support/store-builders.ts'
import { type TestApp, testApp } from '../support/test-app.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

const create = () => createChannel(t.app.deps, t.project, { kind: 'webhook', name: 'Ops', settings: webhook() })
const put = ({ id }: Channel, over: Partial<Channel>) =>
  t.app.deps.store.changeChannel(id, (channel) => ({ channel: { ...channel, ...over } }))
const stored = (idOrName = 'Ops') => getChannel(t.app.deps, t.project, idOrName)

test('an edit changes what is given and leaves the rest, and what follows from the settings moves with them', async () => {
  const channel = await create()
  await editChannel(t.app.deps, t.project, channel, { settings: webhook('https://other.example:8443/hook') })
  expect(await stored()).toEqual({
    ...channel,
    settings: webhook('https://other.example:8443/hook'),
    host: 'other.example:8443',
  })
  await editChannel(t.app.deps, t.project, await stored(), { name: 'Night' })
  expect(await stored('Night')).toMatchObject({ name: 'Night', host: 'other.example:8443' })
})

test('an edit puts a channel that was disabled to use again', async () => {
  const channel = await create()
  await put(channel, { disabledReason: 'gone', lastError: 'gone' })
  expect((await stored()).disabledReason).toBe('gone')
  await editChannel(t.app.deps, t.project, await stored(), { settings: webhook() })
  expect(await stored()).toEqual(channel)
})

test('an edit overwrites nothing that has happened since the channel was read', async () => {
  const channel = await create()
  await put(channel, { settings: webhook('https://other.example/hook'), host: 'other.example' })
  await editChannel(t.app.deps, t.project, channel, { name: 'Night' })
  expect(await stored('Night')).toMatchObject({
    settings: webhook('https://other.example/hook'),
    host: 'other.example',
  })
})

test('a channel that is gone meanwhile cannot be edited', async () => {
  const channel = await create()
  await deleteChannel(t.app.deps, channel)
  const error = await rejection(editChannel(t.app.deps, t.project, channel, { name: 'Night' }))
  expect(error).toMatchObject({ name: 'UserError', message: 'the channel does not exist any more' })
})

describe('a receiver who has ended alerts', () => {
  /** As it was read before. */
  let before: Channel
  beforeEach(async () => {
    await t.close()
    t = await testApp({ env: { EMAIL_HOST: 'mail.example.org' } })
    const settings = { value: 'ops@example.org' }
    before = await createChannel(t.app.deps, t.project, { kind: 'email', name: 'Ops', settings })
    const { links, secret } = t.app.deps.site
    await t.call('POST', new URL(unsubscribeUrl(links, before.id, 'alerts', secret)).pathname)
  })
  const edit = (change: Partial<Pick<Channel, 'name' | 'settings'>>) =>
    editChannel(t.app.deps, t.project, before, change)
  const sendTest = (channel: Channel) => testChannel(t.app.deps, t.project, channel, 'down')

  test('stays so when the channel gets another name or asks for other mails', async () => {
    await edit({ name: 'Night' })
    await edit({ settings: { value: 'ops@example.org', up: false } })
    expect(await stored('Night')).toMatchObject({
      disabledReason: 'unsubscribed by the receiver',
      settings: { value: 'ops@example.org', up: false },
    })
  })

  test('gets no test, and a test that was already on its way changes nothing', async () => {
    expect(await rejection(sendTest(await stored()))).toMatchObject({
      message: 'the receiver has unsubscribed',
      hint: 'give the channel another address, or make a new one',
    })
    expect(t.mails).toEqual([])
    expect(await sendTest(before)).toBeNull()
    expect(await stored()).toMatchObject({ disabledReason: 'unsubscribed by the receiver' })
  })

  test('leaves the channel to another address', async () => {
    await edit({ settings: 'night@example.org' })
    expect(await stored()).toMatchObject({ disabledReason: null })
    expect(await sendTest(await stored())).toBeNull()
    expect(t.mails.map(({ to }) => to)).toEqual(['night@example.org'])
  })
})

test('an edit that is not right changes nothing', async () => {
  const channel = await create()
  for (const change of [{ name: 'x'.repeat(101) }, { settings: {} }, { settings: webhook('ftp://example.org') }]) {
    expect(await rejection(editChannel(t.app.deps, t.project, channel, change))).toBeInstanceOf(UserError)
  }
  expect(await stored()).toEqual(channel)
})

test('a channel that is deleted is gone from its checks, and what was owed to it is no longer owed', async () => {
  const channel = await create()
  const json = { name: 'Job', channels: '*' }
  const { uuid } = await t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key: t.keys.apiKey, json })
  await t.call('GET', `/ping/${uuid}/fail`)
  expect(await t.app.deps.store.nextDeliveryAt()).not.toBeNull()
  await deleteChannel(t.app.deps, channel)
  expect(await t.app.deps.store.nextDeliveryAt()).toBeNull()
  const { channels } = await t.json<{ channels: string }>('GET', `/api/v3/checks/${uuid}`, { key: t.keys.apiKey })
  expect(channels).toBe('')
  await t.call('GET', `/ping/${uuid}`)
  await t.app.settle('deliveries')
  expect(t.sent).toEqual([])
})

test('a mail channel that is only for reports shows that no mail server is set, and that no alert can be tried', async () => {
  const settings = { value: 'boss@example.org', down: false, up: false, report: 'weekly' }
  const channel = await createChannel(t.app.deps, t.project, { kind: 'email', name: 'Boss', settings })
  expect(findObstacle(t.app.deps, t.project, channel)?.reason).toBe('EMAIL_HOST is not set on this server')
  const error = await rejection(testChannel(t.app.deps, t.project, channel, 'up'))
  expect(error).toMatchObject({
    message: 'this channel sends nothing when a check goes up',
    hint: 'nor when it goes the other way; `overdue mail test` tries the mail server',
  })
})
