/** `slack`: whole messages, Slack's markup, and the answers that disable a channel. */
import { describe, expect, test } from 'bun:test'
import { slack } from '../../src/transports/slack.ts'
import { HOSTILE_BODY, HOSTILE_IN_HTML, HOSTILE_LINES_IN_HTML } from './parsed.ts'
import { hostileMessage, testSlackRelative } from './slack-family.ts'
import { hostileAlert, judged, judgements, RUNBOOK, saying, senderOf, USUAL_JUDGEMENTS } from './support.ts'

const URL_ = 'https://hooks.slack.test/services/T1/B2/x'
const sent = senderOf(slack, URL_)

testSlackRelative({
  transport: slack,
  url: URL_,
  target: URL_,
  grant: (webhook) => ({ incoming_webhook: webhook }),
  starredSchedule: '\u034f* \u034f* 1 \u034f* \u034f*',
})

describe('the message for Slack', () => {
  test('contains no markup from hostile text', async () => {
    expect(await sent(hostileAlert())).toEqual(
      hostileMessage(URL_, {
        title: HOSTILE_IN_HTML,
        description: `${HOSTILE_LINES_IN_HTML}\nRun book: ${RUNBOOK.replace('&', '&amp;')}, tell &lt;!channel&gt; and @all`,
        project: HOSTILE_IN_HTML,
        tags: '`"a"` `&lt;b&gt;` `🎉` `$NAME` `@all`',
        body: HOSTILE_BODY.replace('<b>bold</b> &', '&lt;b&gt;bold&lt;/b&gt; &amp;'),
      }),
    )
  })

  test('cannot mention a channel', async () => {
    const text = JSON.stringify(await sent(saying({ description: '<!channel>' })))
    expect(text).toContain('&lt;!channel&gt;')
    expect(text).not.toContain('<!channel>')
  })

  test('cuts a very long description', async () => {
    const { body } = await sent(saying({ description: '<'.repeat(100_000) }))
    const { value } = body.attachments[0].fields[0]
    expect(value.length).toBeLessThanOrEqual(6000)
    expect(value).toEndWith('&lt;…')
  })
})

describe('answers', () => {
  test('that the webhook is gone disable the channel', () => {
    expect(judgements(slack)).toEqual({ ...USUAL_JUDGEMENTS, 404: 'disable: Received status code 404' })
  })

  test('that the token is not valid disable the channel', () => {
    expect(judged(slack, 400, 'invalid_token')).toBe('disable: Received status code 400')
    expect(judged(slack, 400, 'invalid_payload')).toBe('retry: Received status code 400')
    expect(judged(slack, 500, 'invalid_token')).toBe('retry: Received status code 500')
  })
})
