/** `slack`: whole messages, Slack's markup, and the answers that end a channel. */
import { describe, expect, test } from 'bun:test'
import { firstProblem } from '../../src/domain/schema.ts'
import { slack } from '../../src/transports/slack.ts'
import { aPing, bytes } from '../support/builders.ts'
import { downAlert, hostileAlert, judged, judgements, messageOf, USUAL_JUDGEMENTS, upAlert } from './support.ts'

const URL_ = 'https://hooks.slack.test/services/T1/B2/x'
const LINK = downAlert().message.link

const sent = async (settings: unknown, alert = downAlert()) => {
  const message = await messageOf(slack, settings, alert)
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
    expect(slack.render(downAlert(), URL_).redirect).toBe('manual')
  })

  test('keeps the stars of a schedule', async () => {
    const { message, ...alert } = downAlert()
    const timing = [
      { label: 'Schedule', value: '* * 1 * *' },
      { label: 'Time Zone', value: 'Europe/Riga' },
    ]
    const { body } = await sent(URL_, { ...alert, message: { ...message, timing } })
    expect(body.attachments[0].fields.slice(3, 5)).toEqual([
      { title: 'Schedule', value: '\u034f* \u034f* 1 \u034f* \u034f*', short: true },
      { title: 'Time Zone', value: 'Europe/Riga', short: true },
    ])
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
    expect(text).not.toMatch(/[<>]/)
    expect(text).not.toContain('\\u0000')
    expect(body.attachments[0].title).toContain('&lt;b&gt;bold&lt;/b&gt; &amp; ')
    expect(body.attachments[0].title).not.toContain('\n')
    expect(text.length).toBeLessThan(8000)
  })

  test('cannot call a channel', async () => {
    const { message, ...alert } = downAlert()
    const text = JSON.stringify(await sent(URL_, { ...alert, message: { ...message, description: '<!channel>' } }))
    expect(text).toContain('&lt;!channel&gt;')
    expect(text).not.toContain('<!channel>')
  })

  test('cuts a description that has no end', async () => {
    const { message, ...alert } = downAlert()
    const { body } = await sent(URL_, { ...alert, message: { ...message, description: '<'.repeat(100_000) } })
    const { value } = body.attachments[0].fields[0]
    expect(value.length).toBeLessThanOrEqual(6000)
    expect(value).toEndWith('&lt;…')
  })
})

describe('the settings', () => {
  test('ask for every flip', () => {
    expect([slack.wants(URL_, { newStatus: 'down' }), slack.wants(URL_, { newStatus: 'up' })]).toEqual([true, true])
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
    expect(firstProblem(slack.settings, settings)).toEqual({ path: '', violation: 'unexpected' })
  })
})

describe('answers', () => {
  test('that the webhook is gone end the channel', () => {
    expect(judgements(slack)).toEqual({ ...USUAL_JUDGEMENTS, 404: 'disable: Received status code 404' })
  })

  test('that the token is not valid end the channel', () => {
    expect(judged(slack, 400, 'invalid_token')).toBe('disable: Received status code 400')
    expect(judged(slack, 400, 'invalid_payload')).toBe('retry: Received status code 400')
    expect(judged(slack, 500, 'invalid_token')).toBe('retry: Received status code 500')
  })
})
