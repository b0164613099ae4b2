/** Channels that alert nobody when a check goes down. */
import { expect, test } from 'bun:test'
import { type Channel, UNSUBSCRIBED } from '../../../src/domain/channel/channel.ts'
import { muteChannels } from '../../../src/domain/channel/mute.ts'
import { addSeconds } from '../../../src/lib/time.ts'
import { NOON } from '../../support/builders.ts'

function aChannel(id: string, over: Partial<Channel> = {}): Channel {
  const fine = { disabledReason: null, lastError: null, awaitsConfirmation: false, quietHours: null }
  return { id, projectId: 'p', name: id, kind: 'webhook', settings: {}, createdAt: NOON, host: '', ...fine, ...over }
}

/** @param failing number of hours for which each channel has failed, by id */
function mute(
  channels: readonly Channel[],
  failing: Readonly<Record<string, number>> = {},
  off: readonly string[] = [],
) {
  const since = Object.entries(failing).map(([id, hours]) => [id, addSeconds(NOON, -3_600 * hours)] as const)
  const findings = { isOff: ({ id }: Channel) => off.includes(id), failingSince: new Map(since) }
  return Object.fromEntries([...muteChannels(channels, findings, NOON)].map(([id, { why }]) => [id, why]))
}

test('a channel is mute while it is off, not confirmed, or cannot be sent to', () => {
  const channels = [
    aChannel('fine'),
    aChannel('disabled', { disabledReason: '404' }),
    aChannel('left', { disabledReason: UNSUBSCRIBED, awaitsConfirmation: true }),
    aChannel('asked', { awaitsConfirmation: true }),
    aChannel('unset'),
  ]
  expect(mute(channels, {}, ['unset'])).toEqual({ disabled: 'off', left: 'off', asked: 'unconfirmed', unset: 'off' })
})

test('a channel is mute once its alerts have failed for a day, and not when its last one was sent', () => {
  const failed = { lastError: 'HTTP 500' }
  const channels = [aChannel('day', failed), aChannel('less', failed), aChannel('tested', failed), aChannel('sent')]
  expect(mute(channels, { day: 24, less: 23.9, sent: 48 })).toEqual({ day: 'failing' })
})

test('a group is mute when all of its members are, when it has none, and when it is off itself', () => {
  const group = (id: string, settings: string, over = {}) => aChannel(id, { kind: 'group', settings, ...over })
  const channels = [
    group('both', 'bad, good'),
    group('bad only', 'bad'),
    group('two bad', 'bad,asked'),
    group('empty', ''),
    group('off', 'good', { disabledReason: '404' }),
    aChannel('good'),
    aChannel('bad', { disabledReason: '404' }),
    aChannel('asked', { awaitsConfirmation: true }),
  ]
  const { bad, asked, ...groups } = mute(channels)
  expect(groups).toEqual({ 'bad only': 'off', 'two bad': 'various', empty: 'off', off: 'off' })
})
