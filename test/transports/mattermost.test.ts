/** `mattermost`: whole messages, markdown, and no mention of a group. */
import { describe, expect, test } from 'bun:test'
import { mattermost } from '../../src/transports/mattermost.ts'
import { testSlackRelative } from './slack-family.ts'
import { hostileAlert, judgements, saying, senderOf, USUAL_JUDGEMENTS } from './support.ts'

const URL_ = 'https://chat.test/hooks/abc'
const sent = senderOf(mattermost, URL_)

testSlackRelative({
  transport: mattermost,
  url: URL_,
  target: URL_,
  grant: (webhook) => ({ incoming_webhook: webhook }),
  starredSchedule: '\\* \\* 1 \\* \\*',
})

describe('the message in the words of Mattermost', () => {
  test('of hostile words holds no markup of theirs and stays short', async () => {
    const { body } = await sent(hostileAlert())
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
    const hostile = { name: mention, description: mention, tags: [mention], body: mention }
    expect(JSON.stringify(await sent(saying(hostile)))).not.toContain(mention)
  })

  test('cuts a description that has no end', async () => {
    const { body } = await sent(saying({ description: '*'.repeat(100_000) }))
    expect(body.attachments[0].fields[0].value).toBe(`${'\\*'.repeat(1999)}…`)
  })
})

test('answers mean what they usually mean', () => {
  expect(judgements(mattermost)).toEqual(USUAL_JUDGEMENTS)
})
