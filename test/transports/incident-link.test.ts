/** The link to the incident of a check that is down, beside the link to the check. */
import { expect, test } from 'bun:test'
import type { ChannelKind } from '../../src/domain/channel/channel-kind.ts'
import { messageOfKind, textsOf, WORDED_KINDS } from './kinds.ts'
import { LINK } from './parsed.ts'
import { saying } from './support.ts'

const TAKE = 'https://overdue.test/i/k3v9x2ab-7'
const alert = saying({ incidentLink: TAKE })

test('is in mails and chats, and in the buttons of ntfy; services with incidents of their own link to the check', async () => {
  const linking: ChannelKind[] = []
  for (const kind of WORDED_KINDS) if ((await textsOf(kind, alert)).join('\n').includes(TAKE)) linking.push(kind)
  expect(linking.toSorted()).toEqual([
    ...(['discord', 'email', 'googlechat', 'matrix', 'mattermost', 'msteamsw'] as const),
    ...(['ntfy', 'rocketchat', 'signal', 'slack', 'telegram', 'zulip'] as const),
  ])
})

test.each<[ChannelKind, string]>([
  ['email', `I’m on it, or mute it:\n${TAKE}\n\nView the check:\n${LINK}`],
  ['matrix', `I’m on it, or mute it: ${TAKE}\n${LINK}`],
  ['matrix', ` is <b>DOWN</b>. <a href="${TAKE}">I’m on it, or mute it</a><br>`],
  ['rocketchat', ` is DOWN. [I’m on it, or mute it](${TAKE})\n`],
  ['signal', `I’m on it, or mute it: ${TAKE}\nFull details: ${LINK}`],
  ['telegram', ` is <b>DOWN</b>. <a href="${TAKE}">I’m on it, or mute it</a>\n`],
  ['zulip', ` is **DOWN**. [I’m on it, or mute it](${TAKE}) [View in Overdue](${LINK})\n`],
])('is written by %s as it writes links', async (kind, words) => {
  expect((await textsOf(kind, alert)).join('\n')).toContain(words)
})

const label = 'I’m on it, or mute it'

test.each<[ChannelKind, object]>([
  ['discord', { title: label, value: TAKE, short: false }],
  ['googlechat', { buttonList: { buttons: [{ text: label, onClick: { openLink: { url: TAKE } } }] } }],
  ['mattermost', { title: label, value: TAKE, short: false }],
  ['msteamsw', { type: 'Action.OpenUrl', title: label, url: TAKE }],
  ['ntfy', { action: 'view', label, url: TAKE }],
  ['slack', { title: label, value: TAKE, short: false }],
])('is a field or a button of %s', async (kind, part) => {
  const message = messageOfKind(kind, alert)
  if (!(message instanceof Request)) throw new Error('it is no request')
  expect(await message.text()).toContain(JSON.stringify(part))
})
