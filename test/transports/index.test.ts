import { describe, expect, test } from 'bun:test'
import { CHANNEL_KINDS } from '../../src/domain/channel/channel-kind.ts'
import { registry } from '../../src/transports/index.ts'

/** Kinds that the API may list and that have no transport. */
const WITHOUT_TRANSPORT = ['group']

test('every kind of channel except these has a transport', () => {
  const missing = CHANNEL_KINDS.filter((kind) => !registry.has(kind))
  expect(missing).toEqual(WITHOUT_TRANSPORT as typeof missing)
})

describe('the settings of every kind', () => {
  test.each([...registry.values()].map((transport) => [transport.kind, transport] as const))(
    '%s are described, so that a form can be made from them',
    (_, { settings }) => {
      const words = JSON.stringify(settings)
      expect(words).toMatch(/"(title|description)":/)
    },
  )
})
