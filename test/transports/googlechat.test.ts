/** `googlechat`: whole cards, and markup in a check's texts. */
import { describe, expect, test } from 'bun:test'
import { googlechat } from '../../src/transports/googlechat.ts'
import { CAME_UP, HOSTILE_BODY, HOSTILE_IN_HTML, HOSTILE_LINES_IN_HTML, WENT_DOWN } from './parsed.ts'
import { downAlert, hostileAlert, jsonPost, RUNBOOK, saying, senderOf, upAlert } from './support.ts'
import { testWebhookAddress } from './webhook-address.ts'

const URL_ = 'https://chat.googleapis.test/v1/spaces/A/messages?key=k&token=t'
const LINK = downAlert().message.link

const sent = senderOf(googlechat, URL_)

const LINES = [
  { decoratedText: { topLabel: 'Description', text: 'Database to tape', wrapText: true } },
  { decoratedText: { topLabel: 'Project', text: 'Home lab', wrapText: true } },
  { decoratedText: { topLabel: 'Tags', text: 'prod, db', wrapText: true } },
  { decoratedText: { topLabel: 'Period', text: '2 hours', wrapText: true } },
  { decoratedText: { topLabel: 'Total Pings', text: '12', wrapText: true } },
  { decoratedText: { topLabel: 'Last Ping', text: 'Success, 3 hours ago', wrapText: true } },
  { decoratedText: { topLabel: 'Last Ping Body', text: '42 files', wrapText: true } },
  { buttonList: { buttons: [{ text: 'View in Overdue', onClick: { openLink: { url: LINK } } }] } },
]

const card = (text: string) => ({
  cardsV2: [
    {
      card: {
        sections: [
          { collapsible: true, uncollapsibleWidgetsCount: 1, widgets: [{ textParagraph: { text } }, ...LINES] },
        ],
      },
    },
  ],
})

describe('the message', () => {
  test('of a check that went down', async () => {
    expect(await sent()).toEqual(jsonPost(URL_, card(`🔴 <b>Nightly backup</b> is <b>DOWN</b>.\n${WENT_DOWN}`)))
  })

  test('of a check that recovered', async () => {
    expect(await sent(upAlert())).toEqual(jsonPost(URL_, card(`🟢 <b>Nightly backup</b> is <b>UP</b>.\n${CAME_UP}`)))
  })

  test('leaves out a line for each missing fact', async () => {
    const { body } = await sent(saying({ description: ' ', project: '', tags: [], body: null }))
    const { widgets } = body.cardsV2[0].card.sections[0]
    expect(widgets).toEqual([
      { textParagraph: { text: `🔴 <b>Nightly backup</b> is <b>DOWN</b>.\n${WENT_DOWN}` } },
      ...LINES.slice(3, 6),
      LINES[7],
    ])
  })

  test('contains no markup from hostile text', async () => {
    const { body } = await sent(hostileAlert())
    const line = (topLabel: string, text: string) => ({ decoratedText: { topLabel, text, wrapText: true } })
    const runbook = RUNBOOK.replace('&', '&amp;')
    expect(body.cardsV2[0].card.sections[0].widgets).toEqual([
      { textParagraph: { text: `🔴 <b>${HOSTILE_IN_HTML}</b> is <b>DOWN</b>.\n${WENT_DOWN}` } },
      line('Description', `${HOSTILE_LINES_IN_HTML}\nRun book: ${runbook}, tell &lt;!channel&gt; and @all`),
      line('Project', HOSTILE_IN_HTML),
      line('Tags', '"a", &lt;b&gt;, 🎉, $NAME, @all'),
      ...LINES.slice(3, 6),
      line('Last Ping Body', HOSTILE_BODY.replace('<b>bold</b> &', '&lt;b&gt;bold&lt;/b&gt; &amp;')),
    ])
  })

  test('cannot mention a space and cuts very long texts', async () => {
    const { body } = await sent(saying({ name: '<users/all>', description: '<users/all>'.repeat(10_000) }))
    const { widgets } = body.cardsV2[0].card.sections[0]
    expect(widgets[0].textParagraph.text).toContain('&lt;users/all&gt;')
    expect(widgets[1].decoratedText.text.length).toBeLessThanOrEqual(3000)
    expect(JSON.stringify(body)).not.toContain('<users')
  })
})

testWebhookAddress(googlechat, URL_)
