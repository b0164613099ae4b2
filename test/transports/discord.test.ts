/** `discord`: whole messages, markdown, the limits of an embed, and the old domain. */
import { describe, expect, test } from 'bun:test'
import { PROJECT_NAME_LIMIT } from '../../src/domain/project.ts'
import { discord } from '../../src/transports/discord.ts'
import { HOSTILE_BODY, HOSTILE_LINE } from './parsed.ts'
import { hostileMessage, testSlackRelative } from './slack-family.ts'
import { downAlert, hostileAlert, judgements, RUNBOOK, saying, senderOf, USUAL_JUDGEMENTS } from './support.ts'

const URL_ = 'https://discord.com/api/webhooks/1/x'
const sent = senderOf(discord, URL_)

testSlackRelative({
  transport: discord,
  url: URL_,
  target: `${URL_}/slack`,
  grant: (webhook) => ({ webhook }),
  starredSchedule: '\\* \\* 1 \\* \\*',
})

describe('the message for Discord', () => {
  test.each([
    ['https://discordapp.com/api/webhooks/1/x', 'https://discord.com/api/webhooks/1/x/slack'],
    ['https://ptb.discordapp.com/api/webhooks/1/x', 'https://ptb.discord.com/api/webhooks/1/x/slack'],
    ['https://notdiscordapp.com/api/webhooks/1/x', 'https://notdiscordapp.com/api/webhooks/1/x/slack'],
    ['https://discord.com/api/webhooks/1/x/', 'https://discord.com/api/webhooks/1/x/slack'],
    ['https://discord.com/api/webhooks/1/x/slack', 'https://discord.com/api/webhooks/1/x/slack'],
    ['https://discord.com/api/webhooks/1/x?thread_id=2', 'https://discord.com/api/webhooks/1/x/slack?thread_id=2'],
  ])('for %s goes to %s', async (given, url) => {
    expect((await sent(downAlert(), given)).url).toBe(url)
    expect((await sent(downAlert(), { webhook: { url: given } })).url).toBe(url)
  })

  test('contains no markup from hostile text, and has an unescaped title', async () => {
    const text = `"quoted" 'single' \\\\ \\<b\\>bold\\</b\\> & \\*star\\* \\_under\\_ \\\`tick\\\` $NAME {{x}}`
    const mention = ' 🎉 \\@here \\[a\\](http://evil.test)'
    expect(await sent(hostileAlert())).toEqual(
      hostileMessage(`${URL_}/slack`, {
        title: HOSTILE_LINE,
        description: `${text}\nsecond line\n${mention}\nRun book: ${RUNBOOK}, tell \\<!channel\\> and \\@all`,
        project: `${text} second line${mention}`,
        tags: '`"a"` `<b>` `🎉` `$NAME` `@all`',
        body: HOSTILE_BODY,
      }),
    )
  })

  test('keeps to the limits of an embed, beyond which the message is rejected', async () => {
    const long = '*'.repeat(10_000)
    const tags = long.match(/.{50}/g) ?? []
    const outputs = { newLines: Array(3).fill('*'.repeat(160)), body: '🎉'.repeat(1000) }
    const project = '*'.repeat(PROJECT_NAME_LIMIT)
    const endless = { name: long, sentence: 'x'.repeat(500), description: long, project, tags, ...outputs }
    const { body } = await sent(saying(endless))
    const [{ title, text, fields }] = body.attachments
    expect(title.length).toBeLessThanOrEqual(256)
    for (const { value } of fields) expect(value.length).toBeLessThanOrEqual(1024)
    expect(JSON.stringify([title, text, fields]).length).toBeLessThan(6000)
  })
})

describe('answers', () => {
  test('that the webhook is gone disable the channel', () => {
    expect(judgements(discord)).toEqual({ ...USUAL_JUDGEMENTS, 404: 'disable: Received status code 404' })
  })
})
