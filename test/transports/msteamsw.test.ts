/** `msteamsw`: whole cards, and Markdown in a check's texts. */
import { describe, expect, test } from 'bun:test'
import { msteamsw } from '../../src/transports/msteamsw.ts'
import { CAME_UP, HOSTILE_BODY, HOSTILE_LINE, WENT_DOWN } from './parsed.ts'
import { downAlert, hostileAlert, jsonPost, RUNBOOK, saying, senderOf, upAlert } from './support.ts'
import { testWebhookAddress } from './webhook-address.ts'

const URL_ = 'https://prod.logic.test/workflows/1/triggers/manual?sig=x'
const LINK = downAlert().message.link

const sent = senderOf(msteamsw, URL_)

const FACTS = [
  { title: 'Project:', value: 'Home lab', short: true },
  { title: 'Tags:', value: 'prod, db', short: true },
  { title: 'Period:', value: '2 hours', short: true },
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
    expect(await sent()).toEqual(jsonPost(URL_, card('“Nightly backup” is DOWN.', '🔴', WENT_DOWN)))
  })

  test('of a check that recovered', async () => {
    expect(await sent(upAlert())).toEqual(jsonPost(URL_, card('“Nightly backup” is UP.', '🟢', CAME_UP)))
  })

  test('shows no empty blocks', async () => {
    const { body } = await sent(saying({ description: '', project: '', tags: [], body: null }))
    expect(body.attachments[0].content.body.slice(1)).toEqual([
      { type: 'TextBlock', text: WENT_DOWN, wrap: true },
      { type: 'FactSet', facts: FACTS.slice(2) },
    ])
  })

  test('keeps the stars of a schedule', async () => {
    const { body } = await sent(saying({ timing: [{ label: 'Schedule', value: '* * 1 * *' }] }))
    expect(body.attachments[0].content.body[3].facts[2].value).toBe('\u034f* \u034f* 1 \u034f* \u034f*')
  })

  test('contains no markup from hostile text outside code', async () => {
    const { body } = await sent(hostileAlert())
    const text = `"quoted" 'single' \\\u034f &lt;b&gt;bold&lt;/b&gt; &amp; \u034f*star\u034f* \u034f_under\u034f_ \u034f\`tick\u034f\` $NAME {{x}}`
    const mention = ' 🎉 @here \u034f[a\u034f](http://evil.test)'
    const [attachment] = card('', '', '').attachments
    const { actions: _, ...content } = attachment?.content ?? { actions: [], body: [] }
    expect(body.attachments[0].content).toEqual({
      ...content,
      fallbackText: `“${HOSTILE_LINE}” is DOWN.`,
      body: [
        { ...content.body[0], text: `🔴 “${text} second line${mention}” is DOWN.` },
        { type: 'TextBlock', text: WENT_DOWN, wrap: true },
        {
          type: 'TextBlock',
          text: `${text}\nsecond line\n${mention}\nRun book: ${RUNBOOK}, tell &lt;!channel&gt; and @all`,
          wrap: true,
        },
        {
          type: 'FactSet',
          facts: [
            { title: 'Project:', value: `${text} second line${mention}`, short: true },
            { title: 'Tags:', value: '"a", &lt;b&gt;, 🎉, $NAME, @all', short: true },
            ...FACTS.slice(2),
          ],
        },
        { type: 'TextBlock', text: 'Last Ping Body:', wrap: true, weight: 'bolder' },
        { type: 'CodeBlock', codeSnippet: HOSTILE_BODY, language: 'PlainText' },
      ],
    })
  })

  test('keeps the first characters of lines that would be lists and headings', async () => {
    const description = '- a\n+ b\n1. c\n2) d\n# e\n===\n-1 is f - g'
    const { body } = await sent(saying({ description }))
    expect(body.attachments[0].content.body[2].text).toBe(
      '\u034f- a\n\u034f+ b\n\u034f1. c\n\u034f2) d\n\u034f# e\n\u034f===\n\u034f-1 is f - g',
    )
  })

  test('cuts very long texts', async () => {
    const { body } = await sent(saying({ description: '*'.repeat(100_000) }))
    expect(body.attachments[0].content.body[2].text).toBe(`${'\u034f*'.repeat(1499)}…`)
  })
})

testWebhookAddress(msteamsw, URL_)
