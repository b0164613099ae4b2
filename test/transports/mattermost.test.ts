/** `mattermost`: whole messages, markdown, and no mention of a group. */
import { describe, expect, test } from 'bun:test'
import { mattermost } from '../../src/transports/mattermost.ts'
import { HOSTILE_BODY, HOSTILE_LINE } from './parsed.ts'
import { hostileMessage, testSlackRelative } from './slack-family.ts'
import { hostileAlert, RUNBOOK, saying, senderOf } from './support.ts'

const URL_ = 'https://chat.test/hooks/abc'
const sent = senderOf(mattermost, URL_)

testSlackRelative({
  transport: mattermost,
  url: URL_,
  target: URL_,
  grant: (webhook) => ({ incoming_webhook: webhook }),
  starredSchedule: '\\* \\* 1 \\* \\*',
})

describe('the message for Mattermost', () => {
  test('contains no markup from hostile text, and has an unescaped title', async () => {
    const text = `"quoted" 'single' \\\\ &lt;b&gt;bold&lt;/b&gt; &amp; \\*star\\* \\_under\\_ \\\`tick\\\` $NAME {{x}}`
    const mention = ' 🎉 @\u034fhere \\[a\\](http://evil.test)'
    expect(await sent(hostileAlert())).toEqual(
      hostileMessage(URL_, {
        title: HOSTILE_LINE,
        description: `${text}\nsecond line\n${mention}\nRun book: ${RUNBOOK}, tell &lt;\\!channel&gt; and @\u034fall`,
        project: `${text} second line${mention}`,
        tags: '`"a"` `<\u034fb>` `🎉` `$NAME` `@\u034fall`',
        body: HOSTILE_BODY.replaceAll('<', '<\u034f').replaceAll('@', '@\u034f'),
      }),
    )
  })

  test.each(['<!channel>', '@all', '@here'])(
    'cannot mention a channel by %s, also from an address or a body',
    async (mention) => {
      const { body } = await sent(saying({ description: mention, project: mention, tags: [mention], body: mention }))
      expect(JSON.stringify(body)).not.toContain(mention)
      const address = `https://wiki.test/${mention}`
      expect(JSON.stringify((await sent(saying({ description: address }))).body)).not.toContain(mention)
    },
  )

  test('cuts a very long description', async () => {
    const { body } = await sent(saying({ description: '*'.repeat(100_000) }))
    expect(body.attachments[0].fields[0].value).toBe(`${'\\*'.repeat(1999)}…`)
  })
})
