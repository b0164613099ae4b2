import { afterEach, beforeEach, expect, test } from 'bun:test'
import { UserError } from '../../src/domain/errors.ts'
import { createChannel, findObstacle, listChannels, testChannel } from '../../src/services/channels.ts'
import { rejection, webhook } from '../support/store-builders.ts'
import { type TestApp, testApp } from '../support/test-app.ts'

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
  return `${error.message}; ${error.hint}`
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

test('an unknown kind is refused with the list of those there are', async () => {
  const words = await told({ kind: 'pigeon' })
  expect(words).toStartWith('unknown kind "pigeon"; use one of: apprise, ')
  expect(words).toContain(' webhook, ')
})

test('a name may be empty and have a hundred characters, counted as people count them', async () => {
  await create({ name: '' })
  await create({ name: '🦆'.repeat(100) })
  expect(await told({ name: 'x'.repeat(101) })).toBe('the name is too long; use at most 100 characters')
  expect(await listChannels(t.app.deps, t.project)).toHaveLength(2)
})

test.each([
  ['a field that is missing', { ...webhook(), url_down: undefined }, 'url_down is missing'],
  ['a field of another type', { ...webhook(), body_up: 1 }, 'body_up is not a string'],
  ['a header of another type', { ...webhook(), headers_up: { 'X-A': 1 } }, 'headers_up/X-A is not a string'],
  ['a text that is too long', { ...webhook(), body_up: 'x'.repeat(1001) }, 'body_up is too long'],
  ['a URL of another scheme', webhook('ftp://example.org/'), 'url_down is not of the right form'],
  ['a method that is not offered', { ...webhook(), method_up: 'DELETE' }, 'method_up is none of the possible values'],
  ['no object at all', 'text', 'the value is not an object'],
])('settings with %s are refused, and the place is named', async (_, settings, problem) => {
  expect(await told({ settings })).toBe(
    `the settings of the webhook channel are not right: ${problem}; see docs/channels.md for the fields of each kind`,
  )
  expect(await listChannels(t.app.deps, t.project)).toEqual([])
})

test.each([
  ['no address', {}, 'value is missing'],
  ['two addresses', 'a@b.test, c@d.test', 'the value is not of the right form'],
  ['an unknown period', { value: 'a@b.test', report: 'yearly' }, 'report is none of the possible values'],
  ['an unknown zone', { value: 'a@b.test', tz: 'Mars' }, 'tz is not of the right form'],
  ['a number', 7, 'the value is none of the possible values'],
])('a text or an object as settings: with %s the one that was meant is told', async (_, settings, problem) => {
  expect(await told({ kind: 'email', settings })).toStartWith(
    `the settings of the email channel are not right: ${problem}; `,
  )
})

test('a kind that is not sent to is stored with whatever settings it has, and says so', async () => {
  const deps = { ...t.app.deps, transports: new Map() }
  const channel = await createChannel(deps, t.project, { kind: 'webhook', name: 'Ops', settings: { any: 'thing' } })
  expect(await listChannels(t.app.deps, t.project)).toEqual([channel])
  expect(findObstacle(deps, t.project, channel)).toBe('this version cannot send to it')
  expect(await rejection(testChannel(deps, t.project, channel, 'down'))).toMatchObject({
    message: 'this version cannot send to channels of kind webhook',
  })
})

test('a mail channel is stored before there is a mail server, and what is missing is told', async () => {
  const channel = await create({ kind: 'email', settings: { value: 'ops@example.org', up: true, down: true } })
  expect(await listChannels(t.app.deps, t.project)).toEqual([channel])
  expect(channel).toMatchObject({ host: 'email', awaitsConfirmation: false })
  expect(findObstacle(t.app.deps, t.project, channel)).toBe('EMAIL_HOST is not set on this server')
  expect(t.mails).toEqual([])
})
