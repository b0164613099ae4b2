import { afterEach, beforeEach, expect, test } from 'bun:test'
import { UserError } from '../../src/domain/errors.ts'
import { createChannel, deleteChannel, editChannel, getChannel } from '../../src/services/channels.ts'
import { rejection, webhook } from '../support/store-builders.ts'
import { type TestApp, testApp } from '../support/test-app.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

const create = () => createChannel(t.app.deps, t.project, { kind: 'webhook', name: 'Ops', settings: webhook() })
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
  await t.app.deps.store.updateChannel({ ...channel, disabledReason: 'gone', lastError: 'gone' })
  expect((await stored()).disabledReason).toBe('gone')
  await editChannel(t.app.deps, t.project, await stored(), { settings: webhook() })
  expect(await stored()).toEqual(channel)
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
