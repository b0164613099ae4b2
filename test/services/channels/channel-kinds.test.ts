/** Missing settings of the server for each kind: the list agrees with the demands of the transports. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { CHANNEL_KINDS, isChannelKind, listKinds } from '../../../src/services/channels/channel-kinds.ts'
import { findObstacle } from '../../../src/services/channels/channel-validity.ts'
import { aChannel } from '../../support/store-builders.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'
import { KINDS, SETTINGS } from '../../transports/kinds.ts'

const lacksOf = (operator: Readonly<Record<string, string>>) =>
  new Map(listKinds({ operator }).map(({ kind, lacks }) => [kind, lacks]))

test('every kind has a name of its own, and is known by its exact word', () => {
  const words = listKinds({ operator: {} })
  expect(new Set(words.map(({ name }) => name)).size).toBe(CHANNEL_KINDS.length)
  expect(new Set(words.map(({ mark }) => mark)).size).toBe(CHANNEL_KINDS.length)
  expect(CHANNEL_KINDS.every(isChannelKind)).toBe(true)
  expect(['Email', '', 'toString', 'fax'].some(isChannelKind)).toBe(false)
})

test('a kind that needs nothing of the operator lacks nothing', () => {
  const lacks = lacksOf({})
  for (const kind of ['webhook', 'slack', 'ntfy', 'group'] as const) expect(lacks.get(kind)).toEqual([])
})

test('of two settings one is enough', () => {
  const twilio = { TWILIO_ACCOUNT: 'x', TWILIO_AUTH: 'x' }
  expect(lacksOf(twilio).get('sms')).toEqual(['TWILIO_FROM=+15550100'])
  expect(lacksOf({ ...twilio, TWILIO_MESSAGING_SERVICE_SID: 'x' }).get('sms')).toEqual([])
})

test('a kind that is switched off is told with what switches it on', () => {
  const kinds = listKinds({ operator: { SLACK_ENABLED: 'False' } })
  expect(kinds.find(({ kind }) => kind === 'slack')).toMatchObject({
    isOff: true,
    lacks: ['SLACK_ENABLED=True'],
  })
})

describe('a channel', () => {
  let t: TestApp
  beforeAll(async () => {
    t = await testApp()
  })
  afterAll(() => t.close())

  test.each(KINDS)('of kind %s can be sent to once nothing is lacking, and not before', (kind) => {
    const channel = aChannel(t.project, { kind, settings: SETTINGS[kind] })
    const operator: Record<string, string> = {}
    for (let lacks = lacksOf(operator).get(kind) ?? []; lacks.length > 0; lacks = lacksOf(operator).get(kind) ?? []) {
      expect(findObstacle({ ...t.app.deps, operator }, t.actor, channel)?.setting).toBeTruthy()
      const [name = ''] = lacks[0]?.split('=') ?? []
      operator[name] = 'https://set.test'
    }
    expect(findObstacle({ ...t.app.deps, operator }, t.actor, channel)).toBeNull()
  })
})
