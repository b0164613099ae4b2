import { afterEach, beforeEach, expect, test } from 'bun:test'
import { createChannel } from '../../../src/services/channels/channels.ts'
import { upsertCheck } from '../../../src/services/checks/checks.ts'
import { createFirstCheck, findFirstCheck, sendFirstPing } from '../../../src/services/checks/first-ping.ts'
import { createPingReceiver } from '../../../src/services/pings/pings.ts'
import { allChecks } from '../../support/lists.ts'
import { only, webhook } from '../../support/store-builders.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

const deps = () => t.app.deps
const CLIENT = { address: '192.0.2.7', scheme: 'https', userAgent: 'Firefox' }
const ping = () => sendFirstPing({ ...deps(), pings: createPingReceiver(deps()) }, t.actor, CLIENT)

test('the first check is made once, with every channel, and is the oldest from then on', async () => {
  expect(await findFirstCheck(deps(), t.actor)).toBeNull()
  const channel = await createChannel(deps(), t.actor, { kind: 'webhook', name: 'Ops', settings: webhook() })
  const made = await createFirstCheck(deps(), t.actor, 'First job')
  expect(made).toMatchObject({ name: 'First job', slug: 'first-job', status: 'new' })
  await upsertCheck(deps(), t.actor, { name: 'Second' }, false)
  expect((await createFirstCheck(deps(), t.actor, 'First job')).id).toBe(made.id)
  expect((await findFirstCheck(deps(), t.actor))?.check.id).toBe(made.id)
  const all = await allChecks(deps().store, t.project.id)
  expect(all.map(({ check, channelIds }) => [check.name, channelIds])).toEqual([
    ['First job', [channel.id]],
    ['Second', []],
  ])
})

test('a ping that a person sends is in the log as one of that browser', async () => {
  const check = await createFirstCheck(deps(), t.actor, 'First job')
  expect(await ping()).toBe(true)
  const logged = only(await deps().store.pings.list(check.id, 10))
  expect(logged).toMatchObject({
    kind: 'success',
    method: 'POST',
    scheme: 'https',
    ua: 'Firefox',
    remoteAddr: '192.0.2.7',
  })
})

test('a ping is sent to a check that waits for its first one only', async () => {
  expect(await ping()).toBe(false)
  const check = await createFirstCheck(deps(), t.actor, 'First job')
  await t.call('GET', `/ping/${check.id}/fail`)
  expect(await ping()).toBe(false)
  expect((await deps().store.pings.list(check.id, 10)).map(({ kind }) => kind)).toEqual(['fail'])
})
