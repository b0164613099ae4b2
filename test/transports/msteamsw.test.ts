/** `msteamsw`: whole cards, and Markdown in the words of a check. */
import { describe, expect, test } from 'bun:test'
import { msteamsw } from '../../src/transports/msteamsw.ts'
import { downAlert, hostileAlert, jsonPost, saying, senderOf, upAlert } from './support.ts'
import { testWebhookAddress } from './webhook-address.ts'

const URL_ = 'https://prod.logic.test/workflows/1/triggers/manual?sig=x'
const LINK = downAlert().message.link

const sent = senderOf(msteamsw, URL_)

const FACTS = [
  { title: 'Project:', value: 'Home lab', short: true },
  { title: 'Tags:', value: 'prod, db', short: true },
  { title: 'Period:', value: '1 day', short: true },
  { title: 'Total Pings:', value: '12', short: true },
  { title: 'Last Ping:', value: 'Success, 3 hours ago', short: true },
]

const card = (headline: string, circle: string, why: string) => ({
  type: 'message',
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      contentUrl: null,
      content: {
        $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
        type: 'AdaptiveCard',
        version: '1.2',
        fallbackText: headline,
        msteams: { width: 'Full' },
        body: [
          {
            type: 'TextBlock',
            text: `${circle} ${headline}`,
            wrap: true,
            size: 'medium',
            weight: 'bolder',
            style: 'heading',
          },
          { type: 'TextBlock', text: why, wrap: true },
          { type: 'TextBlock', text: 'Database to tape', wrap: true },
          { type: 'FactSet', facts: FACTS },
          { type: 'TextBlock', text: 'Last Ping Body:', wrap: true, weight: 'bolder' },
          { type: 'CodeBlock', codeSnippet: '42 files', language: 'PlainText' },
        ],
        actions: [{ type: 'Action.OpenUrl', title: 'View in Overdue', url: LINK }],
      },
    },
  ],
})

describe('the message', () => {
  test('of a check that went down', async () => {
    expect(await sent()).toEqual(
      jsonPost(
        URL_,
        card('“Nightly backup” is DOWN.', '🔴', 'Reason: success signal did not arrive on time, grace time passed.'),
      ),
    )
  })

  test('of a check that came up', async () => {
    expect(await sent(upAlert())).toEqual(
      jsonPost(URL_, card('“Nightly backup” is UP.', '🟢', 'Downtime: 1 hour, 30 minutes.')),
    )
  })

  test('shows no empty blocks', async () => {
    const { body } = await sent(saying({ description: '', project: '', tags: [], body: null, reason: null }))
    expect(body.attachments[0].content.body.slice(1)).toEqual([{ type: 'FactSet', facts: FACTS.slice(2) }])
  })

  test('keeps the stars of a schedule', async () => {
    const { body } = await sent(saying({ timing: [{ label: 'Schedule', value: '* * 1 * *' }] }))
    expect(body.attachments[0].content.body[3].facts[2].value).toBe('\\* \\* 1 \\* \\*')
  })

  test('of hostile words holds no markup of theirs outside code and stays below 28 kB', async () => {
    const { body } = await sent(hostileAlert())
    const { content } = body.attachments[0]
    expect(content.fallbackText).toBe(
      `“"quoted" 'single' \\\\ &lt;b&gt;bold&lt;/b&gt; &amp; \\*star\\* \\_under\\_ \\\`tick\\\` $NAME \\{\\{x\\}\\} second line 🎉 @here \\[a\\]\\(http://evil\\.test\\)” is DOWN.`,
    )
    expect(JSON.stringify(content.body.slice(0, -1))).not.toMatch(/[<>]|\\u0000/)
    expect(content.body.at(-1).codeSnippet).toStartWith(`"quoted" 'single' \\ <b>bold</b> & *star*`)
    expect(JSON.stringify(body).length).toBeLessThan(28_000)
  })

  test('cuts words that have no end', async () => {
    const { body } = await sent(saying({ description: '*'.repeat(100_000) }))
    expect(body.attachments[0].content.body[2].text).toBe(`${'\\*'.repeat(1499)}…`)
  })
})

testWebhookAddress(msteamsw, URL_)
