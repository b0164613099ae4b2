import { expect, test } from 'bun:test'
import type { ChannelKind } from '../../../src/domain/channel/channel-kind.ts'
import { channelSettings } from '../../../src/import/from-healthchecks/channel-settings.ts'

const cases: readonly [ChannelKind, string, unknown][] = [
  ['email', 'ops@example.org', 'ops@example.org'],
  ['opsgenie', 'a-key', { key: 'a-key', region: 'us' }],
  ['sms', '{"value": "+15550100", "label": "Ops"}', { value: '+15550100', down: true, up: false }],
  ['whatsapp', '{"value": "+15550100", "up": true}', { value: '+15550100', down: true, up: true }],
  ['slack', '{"incoming_webhook": {"url": "https://h.example.org/1"}, "access_token": "x"}', 'https://h.example.org/1'],
  ['slack', '{"team": {}}', null],
  ['mattermost', '{"incoming_webhook": {"url": "https://h.example.org/1"}}', 'https://h.example.org/1'],
  ['discord', 'https://discordapp.com/api/webhooks/1/x', 'https://discord.com/api/webhooks/1/x'],
  [
    'zulip',
    '{"bot_email": "b@z.example.org", "to": "t"}',
    { bot_email: 'b@z.example.org', to: 't', site: 'https://z.example.org' },
  ],
  ['webhook', '{"url_down": "https://x.example.org", "name": "n"}', { url_down: 'https://x.example.org' }],
  ['po', 'key|0', 'key|0'],
  ['webhook', '{broken', '{broken'],
]

test.each(cases)('the value of %s, %s, becomes settings', (kind, value, settings) => {
  expect(channelSettings(kind, value)).toEqual(settings)
})

test('members that are inherited by every object are no settings', () => {
  expect(channelSettings('call', '{"value": "+1", "__proto__": {"x": 1}, "constructor": 1}')).toEqual({ value: '+1' })
})
