import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Channel } from '../../src/domain/channel.ts'
import { UserError } from '../../src/domain/errors.ts'
import { testChannel } from '../../src/services/channel-test.ts'
import { createChannel, editChannel, findObstacle, getChannel, listChannels } from '../../src/services/channels.ts'
import { rejection, webhook } from '../support/store-builders.ts'
import { answered, type TestApp, testApp } from '../support/test-app.ts'
import { desk } from './courier-desk.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

const create = (over: object = {}) =>
  createChannel(t.app.deps, t.project, { kind: 'webhook', name: 'Ops', settings: webhook(), ...over })
const told = async (over: object) => {
  const error = await rejection(create(over))
  if (!(error instanceof UserError)) throw error
  return [error.message, ...error.problems, error.hint].join('; ')
}

test('a channel is stored as it was given, ready to be used', async () => {
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
  })
  expect(await listChannels(t.app.deps, t.project)).toEqual([channel])
})

test('everything that is wrong with the settings and the name is told at once', async () => {
  const settings = { ...webhook(), method_up: '', url_down: 'nowhere', body_up: 1 }
  const [problems = ''] = (await told({ name: 'x'.repeat(101), settings })).split('; a webhook needs ')
  expect(problems.split('; ').slice(1)).toEqual([
    'the name is too long (at most 100 characters)',
    'in the settings, url_down is not in the right form',
    'in the settings, method_up is not one of the possible values (GET, POST, or PUT)',
    'in the settings, body_up is not a string',
  ])
})

test('channels of one name are told apart by their ids', async () => {
  const channels = [await create({ name: 'Twin' }), await create({ name: 'Twin' })]
  expect(await rejection(getChannel(t.app.deps, t.project, 'Twin'))).toMatchObject({
    problems: channels.map(({ id }) => `${id}  webhook`),
  })
})

test('an unknown kind is refused with the list of those there are', async () => {
  const words = await told({ kind: 'pigeon' })
  expect(words).toStartWith('unknown kind "pigeon"; use one of: apprise, ')
  expect(words).toContain(' webhook, ')
})

test('a name may be empty and have a hundred characters, counted as people count them', async () => {
  await create({ name: '' })
  await create({ name: '🦆'.repeat(100) })
  expect(await told({ name: 'x'.repeat(101) })).toBe(
    'the webhook channel is not valid; the name is too long (at most 100 characters); use another name',
  )
  expect(await listChannels(t.app.deps, t.project)).toHaveLength(2)
})

test.each([
  ['a field of another type', { ...webhook(), body_up: 1 }, 'body_up is not a string'],
  ['a header of another type', { ...webhook(), headers_up: { 'X-A': 1 } }, 'headers_up/X-A is not a string'],
  [
    'a text that is too long',
    { ...webhook(), body_up: 'x'.repeat(1001) },
    'body_up is too long (at most 1000 characters)',
  ],
  ['a URL of another scheme', webhook('ftp://example.org/'), 'url_down is not in the right form'],
  [
    'a method that is not offered',
    { ...webhook(), method_up: 'DELETE' },
    'method_up is not one of the possible values (GET, POST, or PUT)',
  ],
  ['a field that webhooks do not have', { url: 'https://example.org/', body: 'x' }, 'body is not a known field'],
  ['no object at all', 'text', 'the value is not an object'],
])('settings with %s are refused, and the place is named', async (_, settings, problem) => {
  const words = await told({ settings })
  expect(words).toStartWith(`the webhook channel is not valid; in the settings, ${problem}; a webhook needs {"url": `)
  expect(words).toEndWith('; see docs/channels.md for the fields of each kind')
  expect(await listChannels(t.app.deps, t.project)).toEqual([])
})

test.each([
  ['neither status has', {}, 'up: url is missing, or url_up'],
  ['one status does not have', { ...webhook(), url_down: undefined }, 'down: url is missing, or url_down'],
])('a webhook is refused without a URL, which %s', async (_, settings, problem) => {
  expect(await told({ settings })).toStartWith(
    `these settings give no valid message when a check goes ${problem}; a webhook needs {"url": "https://…"}`,
  )
  expect(await listChannels(t.app.deps, t.project)).toEqual([])
})

test.each([
  ['no address', {}, 'value is missing'],
  ['two addresses', 'a@b.test, c@d.test', 'the value is not in the right form'],
  [
    'an unknown period',
    { value: 'a@b.test', report: 'yearly' },
    'report is not one of the possible values (off, daily, weekly, or monthly)',
  ],
  ['an unknown zone', { value: 'a@b.test', tz: 'Mars' }, 'tz is not in the right form'],
  ['a field that is not there', { value: 'a@b.test', reports: 'daily' }, 'reports is not a known field'],
  ['a number', 7, 'the value is not one of the possible values'],
])('a text or an object as settings: with %s the one that was meant is told', async (_, settings, problem) => {
  expect(await told({ kind: 'email', settings })).toStartWith(
    `the email channel is not valid; in the settings, ${problem}; `,
  )
})

test('a kind that is not sent to is stored with whatever settings it has, and says so', async () => {
  const deps = { ...t.app.deps, transports: new Map() }
  const channel = await createChannel(deps, t.project, { kind: 'webhook', name: 'Ops', settings: { any: 'thing' } })
  expect(await listChannels(t.app.deps, t.project)).toEqual([channel])
  expect(findObstacle(deps, t.project, channel)?.reason).toBe('this version cannot send to it')
  expect(await rejection(testChannel(deps, t.project, channel, 'down'))).toMatchObject({
    message: 'this version cannot send to channels of kind webhook',
  })
})

test('a mail channel is stored before there is a mail server, and what is missing is told', async () => {
  const channel = await create({ kind: 'email', settings: { value: 'ops@example.org', up: true, down: true } })
  expect(await listChannels(t.app.deps, t.project)).toEqual([channel])
  expect(channel).toMatchObject({ host: 'email', awaitsConfirmation: false })
  expect(findObstacle(t.app.deps, t.project, channel)?.reason).toBe('EMAIL_HOST is not set on this server')
  expect(t.mails).toEqual([])
})

test('a command that could run what a name says is refused, also while commands are not allowed', async () => {
  const settings = { cmd_down: 'x=`echo $NAME`', cmd_up: '' }
  expect(await told({ kind: 'shell', settings })).toStartWith(
    'these settings give no valid message when a check goes down: a command with $NAME or tags may not have `',
  )
  const channel = await create({ kind: 'shell', settings: { ...settings, cmd_down: 'x=$(echo $NAME)' } })
  const change = { settings: { ...settings, cmd_up: '[[ $TAG1 -gt 1 ]]' } }
  expect(await rejection(editChannel(t.app.deps, t.project, channel, change))).toBeInstanceOf(UserError)
  expect(await listChannels(t.app.deps, t.project)).toEqual([channel])
})

describe('a kind that the operator has turned off', () => {
  const words = 'webhook notifications are not enabled on this server'
  const begin = async (given: string) => {
    await t.close()
    t = await testApp({ env: { WEBHOOKS_ENABLED: given } })
  }

  test('cannot be made, and the setting is named', async () => {
    await begin('False')
    expect(await told({})).toBe(`${words}; set WEBHOOKS_ENABLED=True`)
    expect(await listChannels(t.app.deps, t.project)).toEqual([])
    await begin('True')
    expect(findObstacle(t.app.deps, t.project, await create())).toBeNull()
  })

  test('fails visibly where there is one already', async () => {
    await begin('False')
    const d = desk(t)
    await d.addChannel()
    const channel = await d.channelNow()
    expect(findObstacle(t.app.deps, t.project, channel)?.reason).toBe(words)
    expect(await rejection(testChannel(t.app.deps, t.project, channel, 'down'))).toMatchObject({
      message: 'the channel cannot be tested without WEBHOOKS_ENABLED=True in the environment of this command',
    })
    await d.ping(await d.addCheck(), '/fail')
    await d.deliver()
    expect([t.sent, await d.channelNow()]).toMatchObject([[], { lastError: words }])
  })
})

test('settings that no mail channel can have hold up neither pings nor the loop, and fail visibly', async () => {
  await t.close()
  t = await testApp({ env: { EMAIL_HOST: 'mail.example.org' } })
  const d = desk(t)
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
  expect(channel.lastError).toBe("The channel's settings give no valid message")
  const words = 'in the settings, the value is not one of the possible values'
  expect(findObstacle(t.app.deps, t.project, channel)?.reason).toBe(words)
  expect(await rejection(testChannel(t.app.deps, t.project, channel, 'down'))).toMatchObject({
    message: `the channel cannot be tested: ${words}`,
  })
})

describe('a test of a chat that has become another one', () => {
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

  test('follows it, and so does all that comes after', async () => {
    moves(200)
    expect(await testChannel(t.app.deps, t.project, channel, 'down')).toBeNull()
    const [stored] = await listChannels(t.app.deps, t.project)
    expect([sent(), stored]).toMatchObject([
      [-1001, -100234],
      { settings: { id: -100234, name: 'Ops' }, lastError: null },
    ])
  })

  test('tells what the new one says', async () => {
    moves(503)
    expect(await testChannel(t.app.deps, t.project, channel, 'down')).toBe('Received status code 503')
    expect(sent()).toEqual([-1001, -100234])
  })

  test('leaves settings alone that were given meanwhile', async () => {
    t.answerWith(answered(400, {}, JSON.stringify({ parameters: { migrate_to_chat_id: -100234 } })))
    const edited = { channel: { ...channel, settings: { id: -1002 } } }
    await t.app.deps.store.changeChannel(channel.id, () => edited)
    await testChannel(t.app.deps, t.project, channel, 'down')
    expect((await listChannels(t.app.deps, t.project))[0]?.settings).toEqual({ id: -1002 })
  })
})
