import { expect, test } from 'bun:test'
import type { ChannelKind } from '../../src/domain/channel.ts'
import { registry } from '../../src/transports/index.ts'

const ntfy = (topic: string, url: string) => ({ topic, url, priority: 3, priority_up: 5 })

const pace = (kind: ChannelKind, settings: unknown) => registry.get(kind)?.pace?.(settings)

test.each<[ChannelKind, unknown, unknown]>([
  ['ntfy', ntfy('ops', 'https://ntfy.sh'), ntfy('ops', 'https://NTFY.sh/')],
  ['po', 'user|0', 'user|1|2'],
  ['telegram', { id: -100 }, { id: '-100', thread_id: 7 }],
  ['signal', { value: '+15551234567', up: true, down: true }, { value: '+15551234567', up: false, down: true }],
])('%s counts by the receiver, whatever else is set', (kind, one, same) => {
  expect(pace(kind, one)).toBeString()
  expect(pace(kind, same)).toBe(pace(kind, one) ?? '')
})

test.each<[ChannelKind, unknown, unknown]>([
  ['ntfy', ntfy('ops', 'https://ntfy.sh'), ntfy('dev', 'https://ntfy.sh')],
  ['ntfy', ntfy('ops', 'https://ntfy.sh'), ntfy('ops', 'https://ntfy.example')],
  ['po', 'user|0', 'other|0'],
  ['telegram', { id: -100 }, { id: -101 }],
  ['signal', { value: '+15551234567', up: true, down: true }, { value: 'name.123', up: true, down: true }],
])('%s tells receivers apart: %j, %j', (kind, one, other) => {
  expect(pace(kind, one)).not.toBe(pace(kind, other) ?? '')
})

test('only the kinds whose receivers are known to limit have a pace', () => {
  expect(
    [...registry.values()]
      .filter(({ pace }) => pace)
      .map(({ kind }) => kind)
      .toSorted(),
  ).toEqual(['ntfy', 'po', 'signal', 'telegram'])
})
