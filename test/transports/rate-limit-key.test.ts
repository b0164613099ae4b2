import { expect, test } from 'bun:test'
import type { ChannelKind } from '../../src/domain/channel/channel-kind.ts'
import { registry } from '../../src/transports/index.ts'

const ntfy = (topic: string, url: string) => ({ topic, url, priority: 3, priority_up: 5 })

const rateLimitKey = (kind: ChannelKind, settings: unknown) => registry.get(kind)?.rateLimitKey?.(settings)

test.each<[ChannelKind, unknown, unknown]>([
  ['ntfy', ntfy('ops', 'https://ntfy.sh'), ntfy('ops', 'https://NTFY.sh/')],
  ['po', 'user|0', 'user|1|2'],
  ['telegram', { id: -100 }, { id: '-100', thread_id: 7 }],
  ['signal', { value: '+15551234567', up: true, down: true }, { value: '+15551234567', up: false, down: true }],
])('%s counts by receiver, whatever the other settings', (kind, one, same) => {
  expect(rateLimitKey(kind, one)).toBeString()
  expect(rateLimitKey(kind, same)).toBe(rateLimitKey(kind, one) ?? '')
})

test.each<[ChannelKind, unknown, unknown]>([
  ['ntfy', ntfy('ops', 'https://ntfy.sh'), ntfy('dev', 'https://ntfy.sh')],
  ['ntfy', ntfy('ops', 'https://ntfy.sh'), ntfy('ops', 'https://ntfy.example')],
  ['po', 'user|0', 'other|0'],
  ['telegram', { id: -100 }, { id: -101 }],
  ['signal', { value: '+15551234567', up: true, down: true }, { value: 'name.123', up: true, down: true }],
])('%s distinguishes receivers: %j, %j', (kind, one, other) => {
  expect(rateLimitKey(kind, one)).not.toBe(rateLimitKey(kind, other) ?? '')
})
