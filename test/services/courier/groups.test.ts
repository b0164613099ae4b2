import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Channel } from '../../../src/domain/channel/channel.ts'
import { Refusal } from '../../../src/domain/errors.ts'
import { testMembers } from '../../../src/services/channels/channel-test.ts'
import { createChannel } from '../../../src/services/channels/channels.ts'
import { A_TRACE, anAuthor, rejection, TAKE_ALL } from '../../support/store-builders.ts'
import { answered, type TestApp, testApp } from '../../support/test-app.ts'

let t: TestApp
let one: Channel
let two: Channel

const hook = (path: string) => ({
  method_down: 'GET',
  url_down: `https://example.org/${path}`,
  body_down: '',
  headers_down: {},
  method_up: 'GET',
  url_up: '',
  body_up: '',
  headers_up: {},
})
const create = (kind: string, name: string, settings: unknown) =>
  createChannel(t.app.deps, t.actor, { kind, name, settings })

beforeEach(async () => {
  t = await testApp()
  one = await create('webhook', 'one', hook('one'))
  two = await create('webhook', 'two', hook('two'))
})
afterEach(() => t.close())

async function failCheckWith(channels: readonly Channel[]): Promise<string[]> {
  const spec = { channels: channels.map(({ id }) => id).join(',') }
  const { uuid } = await t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key: t.keys.apiKey, json: spec })
  await t.call('GET', `/ping/${uuid}/fail`)
  await t.app.settle('deliveries')
  return t.sent.map(({ url }) => url).sort()
}

test('an alert for a group goes to each of its members', async () => {
  const group = await create('group', 'both', `${one.id},${two.id}`)
  expect(await failCheckWith([group])).toEqual(['https://example.org/one', 'https://example.org/two'])
})

test('a member that is also assigned directly gets a flip once', async () => {
  const group = await create('group', 'both', `${one.id}, ${two.id}`)
  expect(await failCheckWith([one, group])).toEqual(['https://example.org/one', 'https://example.org/two'])
})

test('a disabled member is skipped', async () => {
  const group = await create('group', 'both', `${one.id},${two.id}`)
  t.answerWith(() => ({ kind: 'answered', status: 200, headers: new Headers(), body: '' }))
  const [delivery] = await disable(two)
  expect(delivery).toBeDefined()
  t.sent.length = 0
  expect(await failCheckWith([group])).toEqual(['https://example.org/one'])
})

/** Disables the channel, as when its receiver refuses all further messages. */
async function disable(channel: Channel): Promise<unknown[]> {
  const { store, now } = t.app.deps
  const spec = { channels: channel.id }
  const { uuid } = await t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key: t.keys.apiKey, json: spec })
  await t.call('GET', `/ping/${uuid}/fail`)
  const orders = await store.deliveries.claim(now(), now().add({ seconds: 60 }), TAKE_ALL)
  for (const { delivery } of orders) {
    await store.deliveries.record([delivery], { state: 'failed', error: 'gone', disablesChannel: true }, A_TRACE, now())
  }
  return orders
}

test.each([
  ['', 'cannot be a member of a group'],
  ['11111111-2222-4333-8444-555555555555', 'cannot be a member of a group'],
  [7, 'a group needs members'],
])('%j cannot be members of a group', async (settings, sentence) => {
  expect(create('group', '', settings)).rejects.toThrow(sentence)
})

test('a group cannot be a member of a group', async () => {
  const group = await create('group', 'both', `${one.id},${two.id}`)
  expect(await rejection(create('group', '', group.id))).toMatchObject({
    message: `"${group.id}" cannot be a member of a group`,
  })
})

describe('a test of a group', () => {
  const tests = async (members: string, status: 'up' | 'down' = 'down') => {
    const results = await testMembers(t.app.deps, t.actor, await create('group', 'all', members), status)
    return results.map(({ channel, error }) => [channel.name, error instanceof Refusal ? error.code : error])
  }

  test('tests each member and reports the result', async () => {
    t.answerWith(({ url }) => answered(url.endsWith('two') ? 503 : 200))
    expect(await tests(`${one.id},${two.id}`)).toEqual([
      ['one', null],
      ['two', 'Received status code 503'],
    ])
    expect(t.sent.map(({ url }) => url)).toEqual(['https://example.org/one', 'https://example.org/two'])
    const channels = await t.app.deps.store.channels.list(t.project.id)
    expect(channels.map(({ lastError }) => lastError)).toEqual([null, 'Received status code 503', null])
  })

  test('reports a member that sends nothing, and tests the others', async () => {
    const three = await create('webhook', 'three', { ...hook('three'), url_up: 'https://example.org/up' })
    expect(await tests(`${one.id},${three.id}`, 'up')).toEqual([
      ['one', 'channel-not-notified'],
      ['three', null],
    ])
  })

  test('without members says so', async () => {
    const group = await create('group', 'both', one.id)
    await t.app.deps.store.by(anAuthor()).channels.delete(one.id)
    expect(await rejection(testMembers(t.app.deps, t.actor, group, 'down'))).toMatchObject({
      code: 'group-empty',
      message: 'the group no longer has members',
    })
  })
})
