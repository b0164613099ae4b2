import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Channel } from '../../../src/domain/channel/channel.ts'
import { CHANNEL_KINDS } from '../../../src/services/channels/channel-kinds.ts'
import { testChannel } from '../../../src/services/channels/channel-test.ts'
import { findObstacle } from '../../../src/services/channels/channel-validity.ts'
import { createChannel, editChannel, getChannel, listChannels } from '../../../src/services/channels/channels.ts'
import { refusalOf, rejection, webhook } from '../../support/store-builders.ts'
import { answered, type TestApp, testApp } from '../../support/test-app.ts'
import { courierFixture } from '../courier/courier-fixture.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

const create = (over: object = {}) =>
  createChannel(t.app.deps, t.actor, { kind: 'webhook', name: 'Ops', settings: webhook(), ...over })
const told = async (over: object) => {
  const { code, message, data } = await refusalOf(create(over))
  return { code, words: [message, ...(data.problems ?? [])].join('; '), needs: data.needs ?? null }
}

test('a channel is stored as it was given, ready for use', async () => {
  const channel = await create()
  expect(channel).toEqual({
    id: channel.id,
    projectId: t.project.id,
    name: 'Ops',
    kind: 'webhook',
    settings: webhook(),
    createdAt: t.clock.now(),
    disabledReason: null,
    lastError: null,
    host: 'example.org',
    awaitsConfirmation: false,
    quietHours: null,
  })
  expect(await listChannels(t.app.deps, t.actor)).toEqual([channel])
})

test('all problems of the settings and the name are listed at once', async () => {
  const settings = { ...webhook(), method_up: '', url_down: 'nowhere', body_up: 1 }
  const { code, words } = await told({ name: 'x'.repeat(101), settings })
  expect([code, ...words.split('; ')]).toEqual([
    'channel-settings-invalid',
    'the webhook channel is not valid',
    'the name is too long (at most 100 characters)',
    'in the settings, url_down is not a URL such as https://example.org/hook',
    'in the settings, method_up is not one of the allowed values (GET, POST, or PUT)',
    'in the settings, body_up is not a string',
  ])
})

test('channels with the same name are distinguished by their ids', async () => {
  const channels = [await create({ name: 'Twin' }), await create({ name: 'Twin' })]
  const { code, data } = await refusalOf(getChannel(t.app.deps, t.actor, 'Twin'))
  expect([code, data]).toEqual([
    'channel-ambiguous',
    { name: 'Twin', problems: channels.map(({ id }) => `${id}  webhook`) },
  ])
  expect(await refusalOf(getChannel(t.app.deps, t.actor, 'Nobody'))).toMatchObject({
    code: 'channel-not-found',
    message: 'project "Tests" has no channel "Nobody"',
    data: { name: 'Nobody' },
  })
})

test('an unknown kind is refused with the list of kinds', async () => {
  expect(await refusalOf(create({ kind: 'no-such-kind' }))).toMatchObject({
    code: 'unknown-choice',
    message: 'unknown kind "no-such-kind"',
    data: { choices: CHANNEL_KINDS },
  })
})

test('a name may be empty and have a hundred characters, counted as people count them', async () => {
  await create({ name: '' })
  await create({ name: '🦆'.repeat(100) })
  expect(await told({ name: 'x'.repeat(101) })).toMatchObject({
    code: 'name-invalid',
    words: 'the webhook channel is not valid; the name is too long (at most 100 characters)',
  })
  expect(await listChannels(t.app.deps, t.actor)).toHaveLength(2)
})

test('a name or settings with a NUL character or half of a surrogate pair are refused', async () => {
  for (const wrong of ['a\u0000', '\ud83d']) {
    const words = 'contains a NUL character or half of a surrogate pair'
    expect((await told({ name: wrong })).words).toBe(`the webhook channel is not valid; the name ${words}`)
    const settings = { ...webhook(), body_up: wrong }
    expect((await told({ settings })).words).toEndWith(`in the settings, body_up ${words}`)
  }
  expect(await listChannels(t.app.deps, t.actor)).toEqual([])
})

test.each([
  ['a field of another type', { ...webhook(), body_up: 1 }, 'body_up is not a string'],
  ['a header of another type', { ...webhook(), headers_up: { 'X-A': 1 } }, 'headers_up/X-A is not a string'],
  [
    'a text that is too long',
    { ...webhook(), body_up: 'x'.repeat(1001) },
    'body_up is too long (at most 1000 characters)',
  ],
  ['a URL of another scheme', webhook('ftp://example.org/'), 'url_down is not a URL such as https://example.org/hook'],
  [
    'a method that is not offered',
    { ...webhook(), method_up: 'DELETE' },
    'method_up is not one of the allowed values (GET, POST, or PUT)',
  ],
  ['a field that webhooks do not have', { url: 'https://example.org/', body: 'x' }, 'body is not a known field'],
  ['no object at all', 'text', 'the value is not an object'],
])('settings with %s are refused, and the error names the place', async (_, settings, problem) => {
  expect(await told({ settings })).toEqual({
    code: 'channel-settings-invalid',
    words: `the webhook channel is not valid; in the settings, ${problem}`,
    needs: expect.stringMatching(/^a webhook needs {"url": /),
  })
  expect(await listChannels(t.app.deps, t.actor)).toEqual([])
})

test.each([
  ['neither status has', {}, 'up: url or url_up is missing'],
  ['one status does not have', { ...webhook(), url_down: undefined }, 'down: url or url_down is missing'],
])('a webhook is refused without a URL, which %s', async (_, settings, problem) => {
  const { words, needs } = await told({ settings })
  expect(words).toStartWith(`these settings do not make a valid message when a check goes ${problem}`)
  expect(needs).toStartWith('a webhook needs {"url": "https://…"}')
  expect(await listChannels(t.app.deps, t.actor)).toEqual([])
})

test.each([
  ['no address', {}, 'value is missing'],
  ['two addresses', 'a@b.test, c@d.test', 'the value is not an email address such as ops@example.org'],
  [
    'an unknown period',
    { value: 'a@b.test', report: 'yearly' },
    'report is not one of the allowed values (off, daily, weekly, or monthly)',
  ],
  ['an unknown zone', { value: 'a@b.test', tz: 'Mars' }, 'tz is not in the expected format'],
  ['a field that is not there', { value: 'a@b.test', reports: 'daily' }, 'reports is not a known field'],
  ['a number', 7, 'the value is not one of the allowed values'],
])('a text or an object as settings: for %s the error is about the right one', async (_, settings, problem) => {
  expect((await told({ kind: 'email', settings })).words).toBe(
    `the email channel is not valid; in the settings, ${problem}`,
  )
})

test('a kind without a transport is stored with any settings, and says that it cannot be sent to', async () => {
  const deps = { ...t.app.deps, transports: new Map() }
  const channel = await createChannel(deps, t.actor, { kind: 'webhook', name: 'Ops', settings: { any: 'thing' } })
  expect(await listChannels(t.app.deps, t.actor)).toEqual([channel])
  expect(findObstacle(deps, t.actor, channel)?.reason).toBe('this version cannot send to it')
  expect(await rejection(testChannel(deps, t.actor, channel, 'down'))).toMatchObject({
    message: 'this version cannot send to channels of kind webhook',
  })
})

test('an email channel is stored before there is a mail server, and the error names the missing setting', async () => {
  const channel = await create({ kind: 'email', settings: { value: 'ops@example.org', up: true, down: true } })
  expect(await listChannels(t.app.deps, t.actor)).toEqual([channel])
  expect(channel).toMatchObject({ host: 'email', awaitsConfirmation: false })
  expect(findObstacle(t.app.deps, t.actor, channel)?.reason).toBe(
    'No mail server is set up: enter it at Administration › Mail, or set EMAIL_HOST',
  )
  expect(t.mails).toEqual([])
})

test('a command that would execute the name of a check is refused, also while commands are not allowed', async () => {
  const settings = { cmd_down: 'x=`echo $NAME`', cmd_up: '' }
  expect((await told({ kind: 'shell', settings })).words).toStartWith(
    'these settings do not make a valid message when a check goes down: a command with $NAME, tags or $ADVICE may not contain `',
  )
  const channel = await create({ kind: 'shell', settings: { ...settings, cmd_down: 'x=$(echo $NAME)' } })
  const change = { settings: { ...settings, cmd_up: '[[ $TAG1 -gt 1 ]]' } }
  expect(await rejection(editChannel(t.app.deps, t.actor, channel, change))).toHaveProperty(
    'code',
    'channel-settings-invalid',
  )
  expect(await listChannels(t.app.deps, t.actor)).toEqual([channel])
})

describe('a kind that the operator has turned off', () => {
  const words = 'webhook notifications are not enabled on this server'
  const begin = async (given: string) => {
    await t.close()
    t = await testApp({ env: { WEBHOOKS_ENABLED: given } })
  }

  test('cannot be created, and the error names the setting', async () => {
    await begin('False')
    expect(await refusalOf(create())).toMatchObject({
      code: 'channel-kind-off',
      message: words,
      data: { kind: 'webhook', setting: 'WEBHOOKS_ENABLED=True' },
    })
    expect(await listChannels(t.app.deps, t.actor)).toEqual([])
    await begin('True')
    expect(findObstacle(t.app.deps, t.actor, await create())).toBeNull()
  })

  test('fails visibly when a channel exists already', async () => {
    await begin('False')
    const d = courierFixture(t)
    await d.addChannel()
    const channel = await d.channelNow()
    expect(findObstacle(t.app.deps, t.actor, channel)?.reason).toBe(words)
    expect(await rejection(testChannel(t.app.deps, t.actor, channel, 'down'))).toMatchObject({
      code: 'channel-unusable',
      message: 'the channel cannot be tested without WEBHOOKS_ENABLED=True',
      data: { setting: 'WEBHOOKS_ENABLED=True' },
    })
    await d.ping(await d.addCheck(), '/fail')
    await d.deliver()
    expect([t.sent, await d.channelNow()]).toMatchObject([[], { lastError: words }])
  })
})

test('impossible settings of an email channel delay neither pings nor the loop, and fail visibly', async () => {
  await t.close()
  t = await testApp({ env: { EMAIL_HOST: 'mail.example.org' } })
  const d = courierFixture(t)
  await d.addChannel({ kind: 'email', settings: null })
  const json = { name: 'Job', channels: '*', timeout: 60, grace: 60 }
  const { uuid } = await t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key: t.keys.apiKey, json })
  for (const path of [`/ping/${uuid}/fail`, `/ping/${uuid}`]) expect((await t.call('GET', path)).status).toBe(200)
  t.clock.advance({ hours: 1 })
  await t.app.settle('overdue')
  const { status } = await t.json<{ status: string }>('GET', `/api/v3/checks/${uuid}`, { key: t.keys.apiKey })
  expect(status).toBe('down')
  await t.app.settle('deliveries')
  const channel = await d.channelNow()
  expect(channel.lastError).toBe('The settings are not valid')
  const words = 'in the settings, the value is not one of the allowed values'
  expect(findObstacle(t.app.deps, t.actor, channel)?.reason).toBe(words)
  expect(await rejection(testChannel(t.app.deps, t.actor, channel, 'down'))).toMatchObject({
    message: `the channel cannot be tested: ${words}`,
  })
})

describe('a test of a chat that has moved', () => {
  const moves = (answer: number) =>
    t.answerWith(({ body }) => {
      const parameters = { migrate_to_chat_id: -100234 }
      return JSON.parse(body).chat_id === -1001 ? answered(400, {}, JSON.stringify({ parameters })) : answered(answer)
    })
  const sent = () => t.sent.map(({ body }) => JSON.parse(body).chat_id)
  let channel: Channel
  beforeEach(async () => {
    await t.close()
    t = await testApp({ env: { TELEGRAM_TOKEN: '1:secret' } })
    channel = await create({ kind: 'telegram', settings: { id: -1001, name: 'Ops' } })
  })

  test('follows it, and so do later messages', async () => {
    moves(200)
    expect(await testChannel(t.app.deps, t.actor, channel, 'down')).toBeNull()
    const [stored] = await listChannels(t.app.deps, t.actor)
    expect([sent(), stored]).toMatchObject([
      [-1001, -100234],
      { settings: { id: -100234, name: 'Ops' }, lastError: null },
    ])
  })

  test('reports the answer of the new chat', async () => {
    moves(503)
    expect(await testChannel(t.app.deps, t.actor, channel, 'down')).toBe('Received status code 503')
    expect(sent()).toEqual([-1001, -100234])
  })

  test('does not overwrite settings that were changed meanwhile', async () => {
    t.answerWith(answered(400, {}, JSON.stringify({ parameters: { migrate_to_chat_id: -100234 } })))
    const edited = { channel: { ...channel, settings: { id: -1002 } } }
    await t.app.deps.store.channels.change(channel.id, () => edited)
    await testChannel(t.app.deps, t.actor, channel, 'down')
    expect((await listChannels(t.app.deps, t.actor))[0]?.settings).toEqual({ id: -1002 })
  })
})

describe('a webhook whose URL has a user, as Healthchecks stores them', () => {
  const settings = { url_down: 'https://user:pass@hooks.example.org/', url_up: '' }
  const stored = async () => {
    const channel = await create()
    const changed = await t.app.deps.store.channels.change(channel.id, (before) => ({
      channel: { ...before, settings },
    }))
    return changed ?? channel
  }

  test('is neither made nor given new settings', async () => {
    const channel = await stored()
    const wrong = 'in the settings, url_down: Leave out the part before the @.'
    expect((await told({ settings })).words).toContain(wrong)
    const change = { settings: { ...settings, url_up: 'https://hooks.example.org/' } }
    expect((await refusalOf(editChannel(t.app.deps, t.actor, channel, change))).data.problems?.[0]).toContain(wrong)
    expect((await getChannel(t.app.deps, t.actor, channel.id)).settings).toEqual(settings)
  })

  test('is renamed all the same, and sends on', async () => {
    const channel = await editChannel(t.app.deps, t.actor, await stored(), { name: 'Renamed' })
    expect(findObstacle(t.app.deps, t.actor, channel)).toBeNull()
    expect(await testChannel(t.app.deps, t.actor, channel, 'down')).toBeNull()
  })
})
