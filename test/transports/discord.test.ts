/** `discord`: whole messages, markdown, the limits of an embed, and the old domain. */
import { describe, expect, test } from 'bun:test'
import { firstProblem } from '../../src/domain/schema.ts'
import { discord } from '../../src/transports/discord.ts'
import { aPing, bytes } from '../support/builders.ts'
import { downAlert, hostileAlert, judgements, messageOf, USUAL_JUDGEMENTS, upAlert } from './support.ts'

const URL_ = 'https://discord.com/api/webhooks/1/x'
const LINK = downAlert().message.link

const sent = async (settings: unknown, alert = downAlert()) => {
  const message = await messageOf(discord, settings, alert)
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
      url: `${URL_}/slack`,
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
      url: `${URL_}/slack`,
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
    expect(await sent({ ok: true, webhook: { url: URL_, channel: '#ops' } })).toEqual(await sent(URL_))
  })

  test('does not follow redirects by itself', () => {
    expect(discord.render(downAlert(), URL_).redirect).toBe('manual')
  })

  test('keeps the stars of a schedule', async () => {
    const { message, ...alert } = downAlert()
    const timing = [
      { label: 'Schedule', value: '* * 1 * *' },
      { label: 'Time Zone', value: 'Europe/Riga' },
    ]
    const { body } = await sent(URL_, { ...alert, message: { ...message, timing } })
    expect(body.attachments[0].fields.slice(3, 5)).toEqual([
      { title: 'Schedule', value: '\\* \\* 1 \\* \\*', short: true },
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

  test.each([
    ['https://discordapp.com/api/webhooks/1/x', 'https://discord.com/api/webhooks/1/x/slack'],
    ['https://ptb.discordapp.com/api/webhooks/1/x', 'https://ptb.discord.com/api/webhooks/1/x/slack'],
    ['https://notdiscordapp.com/api/webhooks/1/x', 'https://notdiscordapp.com/api/webhooks/1/x/slack'],
    ['https://discord.com/api/webhooks/1/x/', 'https://discord.com/api/webhooks/1/x/slack'],
    ['https://discord.com/api/webhooks/1/x/slack', 'https://discord.com/api/webhooks/1/x/slack'],
    ['https://discord.com/api/webhooks/1/x?thread_id=2', 'https://discord.com/api/webhooks/1/x/slack?thread_id=2'],
  ])('for %s goes to %s', async (given, url) => {
    expect((await sent(given)).url).toBe(url)
    expect((await sent({ webhook: { url: given } })).url).toBe(url)
  })

  test('of hostile words holds no markup of theirs', async () => {
    const { body } = await sent(URL_, hostileAlert())
    const [{ title, fields }] = body.attachments
    expect(title).toBe(
      `“"quoted" 'single' \\\\ \\<b\\>bold\\</b\\> & \\*star\\* \\_under\\_ \\\`tick\\\` $NAME {{x}} second line 🎉 \\@here \\[a\\]\\(http://evil.test\\)” is DOWN.`,
    )
    expect(JSON.stringify(fields.slice(0, 2))).not.toMatch(/<b>|[^\\]@here|\\u0000/)
    expect(fields[2].value).toBe('`"a"` `<b>` `🎉` `$NAME`')
  })

  test('keeps to the limits of an embed, which is refused as a whole beyond them', async () => {
    const { message, ...alert } = downAlert()
    const long = '*'.repeat(10_000)
    const tags = long.match(/.{50}/g) ?? []
    const endless = { ...message, name: long, description: long, project: long, tags, body: '🎉'.repeat(1000) }
    const { body } = await sent(URL_, { ...alert, message: endless })
    const [{ title, fields }] = body.attachments
    expect(title.length).toBeLessThanOrEqual(256)
    for (const { value } of fields) expect(value.length).toBeLessThanOrEqual(1024)
    expect(JSON.stringify(fields).length + title.length).toBeLessThan(6000)
  })
})

describe('the settings', () => {
  test('ask for every flip', () => {
    expect([discord.wants(URL_, { newStatus: 'down' }), discord.wants(URL_, { newStatus: 'up' })]).toEqual([true, true])
  })

  test.each([
    ['no URL', 'hello'],
    ['another scheme', 'file:///etc/passwd'],
    ['a URL with a blank', 'https://hooks.test/a b'],
    ['a URL of 1001 characters', `https://${'a'.repeat(993)}`],
    ['an empty grant', {}],
    ['a grant with no URL', { webhook: { url: 'x' } }],
    ['nothing', null],
  ])('may not be %s', (_, settings) => {
    expect(firstProblem(discord.settings, settings)).toEqual({ path: '', violation: 'unexpected' })
  })
})

describe('answers', () => {
  test('that the webhook is gone end the channel', () => {
    expect(judgements(discord)).toEqual({ ...USUAL_JUDGEMENTS, 404: 'disable: Received status code 404' })
  })
})
