/** `zulip`: whole messages, mentions in a check's texts, and the server's reason for a rejection. */
import { describe, expect, test } from 'bun:test'
import { firstProblem } from '../../src/domain/schema.ts'
import { zulip } from '../../src/transports/zulip.ts'
import { CAME_UP, HOSTILE_BODY, WENT_DOWN } from './parsed.ts'
import { downAlert, hostileAlert, judged, messageOf, RUNBOOK, saying, upAlert } from './support.ts'

const BOT = {
  site: 'https://zulip.test',
  bot_email: 'bot@zulip.test',
  api_key: 'secret',
  mtype: 'stream',
  to: 'general & more',
}
const HEADERS = {
  authorization: `Basic ${btoa('bot@zulip.test:secret')}`,
  'content-type': 'application/x-www-form-urlencoded',
}
const LINK = downAlert().message.link

const sent = async (alert = downAlert(), given: object = {}) => {
  const message = await messageOf(zulip, { ...BOT, ...given }, alert)
  return { ...message, body: Object.fromEntries(new URLSearchParams(message.body)) }
}

const FACTS = [
  '* Description: `Database to tape`',
  '* Project: `Home lab`',
  '* Tags: `prod, db`',
  '* Period: `2 hours`',
  '* Total Pings: `12`',
  '* Last Ping: `Success, 3 hours ago`',
]
const BODY = ['', 'Last Ping Body:', '', '```text', '42 files', '```']

describe('the message', () => {
  test('of a check that went down', async () => {
    expect(await sent()).toEqual({
      method: 'POST',
      url: 'https://zulip.test/api/v1/messages',
      headers: HEADERS,
      body: {
        type: 'stream',
        to: 'general & more',
        topic: 'Nightly backup is DOWN',
        content: [
          `🔴 \`Nightly backup\` is **DOWN**. [View in Overdue](${LINK})`,
          WENT_DOWN,
          '',
          ...FACTS,
          ...BODY,
        ].join('\n'),
      },
    })
  })

  test('of a check that recovered', async () => {
    expect(await sent(upAlert())).toEqual({
      method: 'POST',
      url: 'https://zulip.test/api/v1/messages',
      headers: HEADERS,
      body: {
        type: 'stream',
        to: 'general & more',
        topic: 'Nightly backup is UP',
        content: [`🟢 \`Nightly backup\` is **UP**. [View in Overdue](${LINK})`, CAME_UP, '', ...FACTS, ...BODY].join(
          '\n',
        ),
      },
    })
  })

  test.each([
    ['a person by number', { mtype: 'private', to: '42' }, '[42]'],
    ['a person by address', { mtype: 'private', to: 'a@zulip.test' }, 'a@zulip.test'],
    ['a stream whose name is a number', { mtype: 'stream', to: '42' }, '42'],
  ])('goes to %s', async (_, given, to) => {
    expect((await sent(downAlert(), given)).body).toMatchObject({ type: given.mtype, to })
  })

  test('has the topic of the settings', async () => {
    expect((await sent(downAlert(), { topic: 'Alerts' })).body.topic).toBe('Alerts')
    expect((await sent(downAlert(), { topic: '' })).body.topic).toBe('Nightly backup is DOWN')
  })

  test('goes to a server whose URL ends with a slash too', async () => {
    expect((await sent(downAlert(), { site: 'https://zulip.test/' })).url).toBe('https://zulip.test/api/v1/messages')
  })

  test.each(['a```b', 'a``\u0000`b'])('leaves out a body that would end its fence: %j', async (body) => {
    expect((await sent(saying({ body }))).body.content).toEndWith(FACTS.at(-1) ?? '')
  })

  test('shows hostile text as code, and its URLs as links', async () => {
    const start = `"quoted" 'single' \\ <b>bold</b> & *star* _under_ 'tick' $NAME {{x}} second line 🎉 @\u034fhere [a](`
    expect((await sent(hostileAlert())).body).toEqual({
      type: 'stream',
      to: 'general & more',
      topic: `"quoted" 'single' \\ <b>bold</b> & *star* _under_ … is DOWN`,
      content: [
        `🔴 \`${start}http://evil.test)\` is **DOWN**.`,
        WENT_DOWN,
        '',
        `* Description: \`${start}\` http://evil.test \`) Run book:\` ${RUNBOOK} \`, tell <!channel> and @\u034fall\``,
        `* Project: \`${start}\` http://evil.test \`)\``,
        '* Tags: `"a", <b>, 🎉, $NAME, @\u034fall`',
        ...FACTS.slice(3),
        '',
        'Last Ping Body:',
        '',
        '```text',
        HOSTILE_BODY,
        '```',
      ].join('\n'),
    })
  })

  test('mentions nobody', async () => {
    const everybody = '`@**all**`'
    const hostile = { name: everybody, description: everybody, project: everybody, tags: [everybody] }
    expect((await sent(saying(hostile))).body.content).not.toContain('@**all**')
  })

  test('cuts very long texts', async () => {
    const long = '🎉'.repeat(10_000)
    const { topic = '', content = '' } = (await sent(saying({ name: long, description: long, project: long }))).body
    expect(topic.length).toBeLessThanOrEqual(60)
    expect(content.length).toBeLessThan(10_000)
  })
})

describe('the settings', () => {
  test.each([
    ['without a server', { site: undefined }, { path: '/site', violation: 'missing' }],
    ['with a server that is no URL', { site: 'zulip.test' }, { path: '/site', violation: 'mismatch' }],
    ['with a bot that is no address', { bot_email: 'bot' }, { path: '/bot_email', violation: 'mismatch' }],
    ['with an address that holds a colon', { bot_email: 'a:b@c' }, { path: '/bot_email', violation: 'mismatch' }],
    ['with an empty key', { api_key: '' }, { path: '/api_key', violation: 'mismatch' }],
    ['for another type', { mtype: 'topic' }, { path: '/mtype', violation: 'unexpected' }],
    ['without a recipient', { to: ' ' }, { path: '/to', violation: 'mismatch' }],
    ['with a topic of 101 characters', { topic: 'a'.repeat(101) }, { path: '/topic', violation: 'too long' }],
  ])('may not be %s', (_, given, problem) => {
    expect(firstProblem(zulip.settings, { ...BOT, ...given })).toEqual(problem as never)
  })
})

describe('answers', () => {
  test('say why a message was rejected', () => {
    expect(judged(zulip, 400, '{"result":"error","msg":"Stream does not exist"}')).toBe(
      'retry: Received status code 400 with a message: "Stream does not exist"',
    )
  })

  test.each(['', 'null', '{"msg":1}', '<html>'])('of an unknown form are judged by their status: %s', (body) => {
    expect(judged(zulip, 400, body)).toBe('retry: Received status code 400')
  })
})
