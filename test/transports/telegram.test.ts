/** `telegram`: whole messages, their HTML and length, and the answers that disable a channel. */
import { describe, expect, test } from 'bun:test'
import { firstProblem } from '../../src/domain/schema.ts'
import { escapeHtml } from '../../src/lib/text/text.ts'
import { telegram } from '../../src/transports/telegram.ts'
import { MissingSetting } from '../../src/transports/transport.ts'
import { NOON } from '../support/builders.ts'
import { CAME_UP, HOSTILE_BODY, HOSTILE_LINE, HOSTILE_LINES, WENT_DOWN } from './parsed.ts'
import { downAlert, hostileAlert, judged, messageOf, RUNBOOK, saying, upAlert } from './support.ts'

const CHAT = { id: -1001, type: 'supergroup', name: 'Ops' }
const OPERATOR = { TELEGRAM_TOKEN: '1:secret' }
const ADDRESS = 'https://api.telegram.org/bot1:secret/sendMessage'
const LINK = downAlert().message.link

const sent = async (alert = downAlert(), settings: unknown = CHAT) => {
  const message = await messageOf(telegram, settings, { ...alert, operator: OPERATOR })
  return { ...message, body: JSON.parse(message.body) }
}

const FACTS = [
  '<b>Project:</b> Home lab',
  '<b>Tags:</b> prod, db',
  '<b>Period:</b> 2 hours',
  '<b>Total Pings:</b> 12',
  '<b>Last Ping:</b> Success, 3 hours ago',
  '<b>Last Ping Body:</b>',
  '<pre>42 files</pre>',
]

/** Returns the visible text, to which the limit of the length applies. */
const seen = (html: string) => html.replace(/<[^>]*>/g, '').replace(/&(?:\w+|#\d+);/g, '.')

describe('the message', () => {
  test('of a check that went down', async () => {
    expect(await sent()).toEqual({
      method: 'POST',
      url: ADDRESS,
      headers: { 'content-type': 'application/json' },
      body: {
        chat_id: -1001,
        text: [`🔴 <a href="${LINK}">Nightly backup</a> is <b>DOWN</b>.`, WENT_DOWN, 'Database to tape', ...FACTS].join(
          '\n',
        ),
        parse_mode: 'html',
      },
    })
  })

  test('of a check that recovered', async () => {
    expect(await sent(upAlert())).toEqual({
      method: 'POST',
      url: ADDRESS,
      headers: { 'content-type': 'application/json' },
      body: {
        chat_id: -1001,
        text: [`🟢 <a href="${LINK}">Nightly backup</a> is <b>UP</b>.`, CAME_UP, 'Database to tape', ...FACTS].join(
          '\n',
        ),
        parse_mode: 'html',
      },
    })
  })

  test('goes to a topic of a group', async () => {
    expect((await sent(downAlert(), { id: '@ops', thread_id: 7 })).body).toMatchObject({
      chat_id: '@ops',
      message_thread_id: 7,
    })
    expect((await sent(downAlert(), { id: 1, thread_id: null })).body).not.toHaveProperty('message_thread_id')
  })

  test('describes the other checks', async () => {
    const othersDown = [
      { label: 'A <b>', value: 'last ping: never' },
      { label: 'B', value: 'last ping: 5 minutes ago' },
    ]
    const { body } = await sent(saying({ others: 'The following checks are also down:', othersDown }))
    expect(body.text).toEndWith(
      '</pre>\n\nThe following checks are also down:\n- A &lt;b&gt; (last ping: never)\n- B (last ping: 5 minutes ago)',
    )
    expect((await sent(saying({ others: 'All the other checks are up.' }))).body.text).toEndWith(
      '</pre>\n\nAll the other checks are up.',
    )
  })

  test('needs the token of a bot', () => {
    expect(() => telegram.render(downAlert(), CHAT)).toThrow(new MissingSetting('TELEGRAM_TOKEN'))
  })

  test('contains no HTML from hostile text', async () => {
    expect((await sent(hostileAlert())).body).toEqual({
      chat_id: -1001,
      text: [
        `🔴 <b>${escapeHtml(HOSTILE_LINE)}</b> is <b>DOWN</b>.`,
        WENT_DOWN,
        `${escapeHtml(HOSTILE_LINES)}`,
        `Run book: ${RUNBOOK.replace('&', '&amp;')}, tell &lt;!channel&gt; and @all`,
        `<b>Project:</b> ${escapeHtml(HOSTILE_LINE)}`,
        '<b>Tags:</b> &quot;a&quot;, &lt;b&gt;, 🎉, $NAME, @all',
        ...FACTS.slice(2, 5),
        '<b>Last Ping Body:</b>',
        `<pre>${escapeHtml(HOSTILE_BODY.slice(0, 999))}…</pre>`,
      ].join('\n'),
      parse_mode: 'html',
    })
  })

  test.each(['🎉', '<', 'x'])('stays within 4096 characters: %s', async (sign) => {
    const long = sign.repeat(10_000)
    const timing = ['Schedule', 'Time Zone'].map((label) => ({ label, value: sign.repeat(100) }))
    const othersDown = Array.from({ length: 10 }, () => ({ label: long, value: 'last ping: 11 months, 3 weeks ago' }))
    const others = 'The following checks are also down:'
    const outputs = { newLines: Array(3).fill(sign.repeat(160 / sign.length)), body: long }
    const endless = { name: long, sentence: long, description: long, project: long, tags: [long], timing, ...outputs }
    const { text } = (await sent(saying({ ...endless, others, othersDown }))).body
    expect(seen(text).length).toBeLessThanOrEqual(4096)
  })
})

describe('the settings', () => {
  test.each([
    ['without a chat', {}, { path: '/id', violation: 'missing' }],
    ['with a chat that is neither a number nor a name', { id: 'ops' }, { path: '/id', violation: 'mismatch' }],
    ['with half a number', { id: 1.5 }, { path: '/id', violation: 'unexpected' }],
    ['with a topic by name', { id: 1, thread_id: 'x' }, { path: '/thread_id', violation: 'unexpected' }],
    ['a number', 1, { path: '', violation: 'not an object' }],
  ])('may not be %s', (_, settings, problem) => {
    expect(firstProblem(telegram.settings, settings)).toEqual(problem as never)
  })
})

describe('answers', () => {
  test.each([
    [403, 'Forbidden: the group chat was deleted'],
    [403, 'Forbidden: bot was blocked by the user'],
    [403, 'Forbidden: user is deactivated'],
    [403, 'Forbidden: bot was kicked from the group chat'],
    [403, 'Forbidden: bot was kicked from the supergroup chat'],
    [400, 'Bad Request: chat not found'],
  ])('of %p with "%s" disable the channel', (status, description) => {
    expect(judged(telegram, status, JSON.stringify({ ok: false, description }))).toBe(
      `disable: Received status code ${status} with a message: "${description}"`,
    )
  })

  test('that name a new chat update the channel', () => {
    const description = 'Bad Request: group chat was upgraded to a supergroup chat'
    const answer = { ok: false, error_code: 400, description, parameters: { migrate_to_chat_id: -100234 } }
    const body = JSON.stringify(answer)
    expect(telegram.judge({ kind: 'answered', status: 400, headers: new Headers(), body }, NOON)).toEqual({
      kind: 'retry',
      error: 'The group became a supergroup with the chat number -100234',
      retryAfterSeconds: null,
      moved: { id: -100234 },
    })
  })

  test('may say when to try again', () => {
    const answer = { ok: false, description: 'Too Many Requests: retry after 12', parameters: { retry_after: 12 } }
    expect(judged(telegram, 429, JSON.stringify(answer))).toBe(
      'retry after 12 s: Received status code 429 with a message: "Too Many Requests: retry after 12"',
    )
  })

  test.each([
    '',
    'null',
    '[]',
    '"x"',
    '{"description":1,"parameters":"x"}',
    '{"parameters":null}',
    '{"parameters":{"migrate_to_chat_id":"../x"}}',
    '<html>',
  ])('of an unknown form are judged by their status: %s', (body) => {
    expect(judged(telegram, 400, body)).toBe('retry: Received status code 400')
  })
})
