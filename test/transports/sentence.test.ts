/** The sentence of an alert in each kind: the last line of the job's output is no markup, mentions nobody, and fits. */
import { expect, test } from 'bun:test'
import { wantsOnlyDown } from '../../src/transports/parts/status-flags.ts'
import type { Alert } from '../../src/transports/transport.ts'
import { aFlip, aPing, bytes, CHECK_ID, NOON } from '../support/builders.ts'
import { textsOf, transportOf, WORDED_KINDS } from './kinds.ts'
import { LINK } from './parsed.ts'
import { downAlert, upAlert } from './support.ts'

const LAST_LINE = '<b>*x*</b> `y` _z_ @here <!channel> [a](http://evil.test)'

/** Returns the alert of a check that failed at noon, with this last line of its job. */
function failed(line: string): Alert {
  const { check } = downAlert()
  const lastPing = aPing({ n: 12, kind: 'fail', exitStatus: 2, body: bytes(`starting\n${line}\n`) })
  return downAlert({ check: { ...check, lastPingAt: NOON }, flip: aFlip({ n: 3, reason: 'fail' }), lastPing })
}

/** The sentence with unescaped characters: for texts without markup, and for HTML that a mail program or a browser parses. */
const plain = `Failed: exit status 2. Last line: ‘${LAST_LINE}’.`
const angles = plain.replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const markdown =
  'Failed: exit status 2. Last line: ‘\\<b\\>\\*x\\*\\</b\\> \\`y\\` \\_z\\_ @here \\<!channel\\> \\[a\\](http://evil.test)’.'

/** The sentence as each kind writes it. Kinds that are missing here have it in their own tests. */
const WRITTEN = {
  apprise: `${plain}\n${LINK}`,
  call: 'Failed: exit status 2.</Say>',
  discord: markdown.replace('@', '\\@'),
  email: `${plain}\n\nDatabase to tape\n`,
  github: `${markdown.replace('@', '@\u200b')}\n\n[View details](${LINK})\n\n`,
  googlechat: `is <b>DOWN</b>.\n${angles}`,
  gotify: `${markdown}\n\n- `,
  matrix: `is DOWN.\n${plain}\n`,
  mattermost:
    'Failed: exit status 2. Last line: ‘&lt;b&gt;\\*x\\*&lt;/b&gt; \\`y\\` \\_z\\_ @\u034fhere &lt;\\!channel&gt; \\[a\\](http://evil.test)’.',
  msteamsw:
    'Failed: exit status 2. Last line: ‘&lt;b&gt;\u034f*x\u034f*&lt;/b&gt; \u034f`y\u034f` \u034f_z\u034f_ @here &lt;!channel&gt; \u034f[a\u034f](http://evil.test)’.',
  ntfy: `${markdown}\n\n- `,
  opsgenie: `${plain}\n\nDatabase to tape`,
  pagertree: `${plain}\n${LINK}`,
  pd: `Nightly backup is DOWN. ${plain}`,
  po: `${angles}\n<b>Project:`,
  pushbullet: `Nightly backup is DOWN. ${plain}\n${LINK}`,
  rocketchat:
    'is DOWN.\nFailed:\u034f exit status 2. Last line:\u034f ‘<\u034fb>\\*x\\*<\u034f/b> `\u034fy`\u034f \\_z\\_ @\u034fhere <\u034f!channel> [\u034fa]\u034f(http://evil.test)’.',
  signal: `is DOWN.\n${plain}\nDatabase`,
  slack: angles,
  sms: `Overdue: Nightly backup is DOWN. Failed: exit status 2.\n${LINK}`,
  spike: `${plain}\n${LINK}`,
  telegram: `is <b>DOWN</b>.\n${angles}\nDatabase`,
  trello: `${markdown.replace('@', '@\u200b')}\n\n[View details](${LINK})\n\n`,
  victorops: `${plain}\n${LINK}`,
  zulip:
    "Failed: exit status 2. Last line: ‘`<b>*x*</b> 'y' _z_ @\u034fhere <!channel> [a](` http://evil.test `)`’.\n\n* ",
}

test.each(Object.entries(WRITTEN))('a message of kind %s says that and how the job failed', async (kind, written) => {
  expect((await textsOf(kind, failed(LAST_LINE))).join('\n\n\n')).toContain(written)
})

/** Kinds other than WhatsApp, which sends a text that it has approved, with the name of the check. */
const KINDS = WORDED_KINDS.filter((kind) => kind !== 'whatsapp')

test.each(KINDS)('a message of kind %s quotes no URL that pings', async (kind) => {
  const texts = await textsOf(kind, failed(`curl https://hc.example.org/ping/${CHECK_ID}`))
  const sentences = texts.join('\n').match(/Last line: .*/gu) ?? []
  expect(sentences.join('\n')).not.toContain(CHECK_ID)
})

/** Kinds that announce recoveries. Opsgenie closes the alert that it opened when the check went down. */
const SAYS_UP = KINDS.filter((kind) => transportOf(kind).wants !== wantsOnlyDown && kind !== 'opsgenie')

test.each(SAYS_UP)('a message of kind %s says how long it was down', async (kind) => {
  expect((await textsOf(kind, upAlert())).join('\n').replaceAll('\u034f', '')).toContain(
    'Up again after 1 h 30 min. Next ping due ',
  )
})

test.each(KINDS.filter((kind) => kind !== 'call'))(
  'a message of kind %s links to the page of the check',
  async (kind) => {
    expect((await textsOf(kind, downAlert())).join('\n')).toContain(LINK)
  },
)

test('times are in the zone of the check, and in an email in the zone of its receiver', async () => {
  const check = { ...downAlert().check, tz: 'Europe/Riga' }
  const inRiga = 'No ping since 11:00 (Europe/Riga). Due 13:00, one hour of grace ended 14:00.'
  expect(await textsOf('pd', downAlert({ check }))).toContain(`Nightly backup is DOWN. ${inRiga}`)
  expect((await textsOf('email', downAlert())).join('\n')).toContain(inRiga)
})
