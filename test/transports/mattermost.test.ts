/** `mattermost`: whole messages, markdown, and no mention of a group. */
import { describe, expect, test } from 'bun:test'
import { firstProblem } from '../../src/domain/schema.ts'
import { mattermost } from '../../src/transports/mattermost.ts'
import { aPing, bytes } from '../support/builders.ts'
import { downAlert, hostileAlert, judgements, messageOf, USUAL_JUDGEMENTS, upAlert } from './support.ts'

const URL_ = 'https://chat.test/hooks/abc'
const LINK = downAlert().message.link

const sent = async (settings: unknown, alert = downAlert()) => {
  const message = await messageOf(mattermost, settings, alert)
  return { ...message, body: JSON.parse(message.body) }
}

const FIELDS = [
  { title: 'Description', value: 'Database to tape', short: false },
  { title: 'Project', value: 'Home lab', short: true },
  { title: 'Tags', value: '`prod` `db`', short: true },
  { title: 'Period', value: '1 day', short: true },
  { title: 'Total Pings', value: '12', short: true },
  { title: 'Last Ping', value: 'Success, 3 hours ago', short: true },
  { title: 'Last Ping Body', value: '```\n42 files\n```', short: false },
]

describe('the message', () => {
  test('of a check that went down', async () => {
    expect(await sent(URL_)).toEqual({
      method: 'POST',
      url: URL_,
      headers: { 'content-type': 'application/json' },
      body: {
        username: 'Overdue',
        attachments: [
          {
            color: 'danger',
            fallback: '“Nightly backup” is DOWN.',
            mrkdwn_in: ['fields'],
            title: '“Nightly backup” is DOWN.',
            title_link: LINK,
            text: 'Reason: success signal did not arrive on time, grace time passed.',
            fields: FIELDS,
          },
        ],
      },
    })
  })

  test('of a check that came up', async () => {
    expect(await sent(URL_, upAlert())).toEqual({
      method: 'POST',
      url: URL_,
      headers: { 'content-type': 'application/json' },
      body: {
        username: 'Overdue',
        attachments: [
          {
            color: 'good',
            fallback: '“Nightly backup” is UP.',
            mrkdwn_in: ['fields'],
            title: '“Nightly backup” is UP.',
            title_link: LINK,
            text: 'Downtime: 1 hour, 30 minutes.',
            fields: FIELDS,
          },
        ],
      },
    })
  })

  test('goes to the address inside a grant too', async () => {
    expect(await sent({ ok: true, incoming_webhook: { url: URL_, channel: '#ops' } })).toEqual(await sent(URL_))
  })

  test('does not follow redirects by itself', () => {
    expect(mattermost.render(downAlert(), URL_).redirect).toBe('manual')
  })

  test.each(['a```b', 'a``\u0000`b'])('leaves out a body that would end its fence: %j', async (text) => {
    const { message: _, ...alert } = downAlert()
    const lastPing = aPing({ body: bytes(text) })
    const { body } = await sent(URL_, downAlert({ ...alert, lastPing }))
    expect(body.attachments[0].fields.map(({ title }: { title: string }) => title)).not.toContain('Last Ping Body')
  })

  test('leaves out what is empty', async () => {
    const { message, ...alert } = downAlert()
    const bare = { ...message, description: ' \u0000', project: '', tags: [], body: null, reason: null }
    const { body } = await sent(URL_, { ...alert, message: bare })
    expect(body.attachments[0]).toEqual({
      color: 'danger',
      fallback: '“Nightly backup” is DOWN.',
      mrkdwn_in: ['fields'],
      title: '“Nightly backup” is DOWN.',
      title_link: LINK,
      fields: FIELDS.slice(3, 6),
    })
  })

  test('of hostile words holds no markup of theirs and stays short', async () => {
    const { body } = await sent(URL_, hostileAlert())
    const text = JSON.stringify(body)
    expect(text).not.toContain('<b>')
    expect(text).not.toContain('@here')
    expect(text).not.toContain('\\u0000')
    expect(body.attachments[0].title).toBe(
      `“"quoted" 'single' \\\\ &lt;b&gt;bold&lt;/b&gt; &amp; \\*star\\* \\_under\\_ \\\`tick\\\` $NAME {{x}} second line 🎉 @\u034fhere \\[a\\]\\(http://evil.test\\)” is DOWN.`,
    )
    expect(text.length).toBeLessThan(8000)
  })

  test.each(['<!channel>', '@all', '@here'])('cannot call a channel by %s, also from a body', async (mention) => {
    const { message, ...alert } = downAlert()
    const hostile = { ...message, name: mention, description: mention, tags: [mention], body: mention }
    expect(JSON.stringify(await sent(URL_, { ...alert, message: hostile }))).not.toContain(mention)
  })

  test('cuts a description that has no end', async () => {
    const { message, ...alert } = downAlert()
    const { body } = await sent(URL_, { ...alert, message: { ...message, description: '*'.repeat(100_000) } })
    expect(body.attachments[0].fields[0].value).toBe(`${'\\*'.repeat(1999)}…`)
  })
})

describe('the settings', () => {
  test('ask for every flip', () => {
    expect([mattermost.wants(URL_, { newStatus: 'down' }), mattermost.wants(URL_, { newStatus: 'up' })]).toEqual([
      true,
      true,
    ])
  })

  test.each([
    ['no URL', 'hello'],
    ['another scheme', 'file:///etc/passwd'],
    ['a URL with a blank', 'https://hooks.test/a b'],
    ['a URL of 1001 characters', `https://${'a'.repeat(993)}`],
    ['an empty grant', {}],
    ['a grant with no URL', { incoming_webhook: { url: 'x' } }],
    ['nothing', null],
  ])('may not be %s', (_, settings) => {
    expect(firstProblem(mattermost.settings, settings)).toEqual({ path: '', violation: 'unexpected' })
  })
})

test('answers mean what they usually mean', () => {
  expect(judgements(mattermost)).toEqual(USUAL_JUDGEMENTS)
})
