import { expect, test } from 'bun:test'
import type { ImportedChannel } from '../../../src/domain/import/import-source.ts'
import { untoldChecks } from '../../../src/import/engine/untold-checks.ts'
import { NOON } from '../../support/builders.ts'

function channel(id: string, over: Partial<ImportedChannel> = {}): ImportedChannel {
  const fine = { disabledReason: null, lastError: null, awaitsConfirmation: false, quietHours: null }
  return { id, name: id, kind: 'webhook', settings: {}, createdAt: NOON, ...fine, ...over }
}
const channels = [
  channel('on'),
  channel('off', { disabledReason: '404' }),
  channel('asked', { awaitsConfirmation: true }),
]
const says = (...checks: readonly (readonly string[])[]) =>
  untoldChecks(
    { name: 'Home', channels },
    checks.map((channelIds) => ({ channelIds })),
  ).map(({ reason }) => reason)

test('an import says how many checks come that alert no one, and nothing if each has an integration that works', () => {
  expect(says(['on'], ['off', 'on'])).toEqual([])
  expect(says(['on'], [])).toEqual([expect.stringMatching(/^1 check alerts no one: /)])
  expect(says(['off', 'asked'], [], ['on'])).toEqual([expect.stringMatching(/^2 checks alert no one: /)])
})
