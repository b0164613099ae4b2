/** `matrix`: whole messages, their HTML, and the transaction id of retries. */
import { describe, expect, test } from 'bun:test'
import { firstProblem } from '../../src/domain/schema.ts'
import { escapeHtml } from '../../src/lib/text/text.ts'
import { matrix } from '../../src/transports/matrix.ts'
import { MissingSetting } from '../../src/transports/transport.ts'
import { CAME_UP, HOSTILE_BODY, HOSTILE_LINE, HOSTILE_LINES, WENT_DOWN } from './parsed.ts'
import { downAlert, hostileAlert, messageOf, RUNBOOK, saying, upAlert } from './support.ts'

const ROOM = '!abc/d:chat.test'
const OPERATOR = { MATRIX_HOMESERVER: 'https://matrix.test', MATRIX_ACCESS_TOKEN: 'syt_secret' }
const LINK = downAlert().message.link
const ADDRESS =
  'https://matrix.test/_matrix/client/v3/rooms/%21abc%2Fd%3Achat.test/send/m.room.message/dddddddd-0000-4000-8000-000000000001'

const sent = async (alert = downAlert(), operator: Record<string, string> = OPERATOR) => {
  const message = await messageOf(matrix, ROOM, { ...alert, operator })
  return { ...message, body: JSON.parse(message.body) }
}

const PLAIN = [
  'Description: Database to tape',
  'Project: Home lab',
  'Tags: prod, db',
  'Period: 2 hours',
  'Total Pings: 12',
  'Last Ping: Success, 3 hours ago',
  'Last Ping Body:',
  '42 files',
  LINK,
]
const HTML = [
  '<b>Description:</b> Database to tape',
  '<b>Project:</b> Home lab',
  '<b>Tags:</b> prod, db',
  '<b>Period:</b> 2 hours',
  '<b>Total Pings:</b> 12',
  '<b>Last Ping:</b> Success, 3 hours ago',
  '<b>Last Ping Body:</b><pre><code>42 files</code></pre>',
]

describe('the message', () => {
  test('of a check that went down', async () => {
    expect(await sent()).toEqual({
      method: 'PUT',
      url: ADDRESS,
      headers: { 'content-type': 'application/json', authorization: 'Bearer syt_secret' },
      body: {
        msgtype: 'm.text',
        body: ['🔴 Nightly backup is DOWN.', WENT_DOWN, ...PLAIN].join('\n'),
        format: 'org.matrix.custom.html',
        formatted_body: [`🔴 <a href="${LINK}">Nightly backup</a> is <b>DOWN</b>.`, WENT_DOWN, ...HTML].join('<br>'),
        'm.mentions': {},
      },
    })
  })

  test('of a check that recovered', async () => {
    expect(await sent(upAlert())).toEqual({
      method: 'PUT',
      url: ADDRESS,
      headers: { 'content-type': 'application/json', authorization: 'Bearer syt_secret' },
      body: {
        msgtype: 'm.text',
        body: ['🟢 Nightly backup is UP.', CAME_UP, ...PLAIN].join('\n'),
        format: 'org.matrix.custom.html',
        formatted_body: [`🟢 <a href="${LINK}">Nightly backup</a> is <b>UP</b>.`, CAME_UP, ...HTML].join('<br>'),
        'm.mentions': {},
      },
    })
  })

  test('has the same URL for each attempt', async () => {
    const { delivery, ...alert } = downAlert()
    expect((await sent({ ...alert, delivery: { ...delivery, attempts: 3 } })).url).toBe(ADDRESS)
    expect((await sent({ ...alert, delivery: { ...delivery, id: 'other' } })).url).not.toBe(ADDRESS)
  })

  test('goes to a homeserver whose URL ends with a slash too', async () => {
    expect((await sent(downAlert(), { ...OPERATOR, MATRIX_HOMESERVER: 'https://matrix.test/' })).url).toBe(ADDRESS)
  })

  test.each(['MATRIX_HOMESERVER', 'MATRIX_ACCESS_TOKEN'])('needs %s', (name) => {
    const operator = { ...OPERATOR, [name]: '' }
    expect(() => matrix.render({ ...downAlert(), operator }, ROOM)).toThrow(new MissingSetting(name))
  })

  test('contains no HTML from hostile text and mentions nobody', async () => {
    const html = (text: string) => escapeHtml(text).replaceAll('\n', '<br>')
    const description = `${HOSTILE_LINES}\nRun book: ${RUNBOOK}, tell <!channel> and @all`
    const tags = '"a", <b>, 🎉, $NAME, @all'
    const facts = { Description: description, Project: HOSTILE_LINE, Tags: tags }
    const others = { Period: '2 hours', 'Total Pings': '12', 'Last Ping': 'Success, 3 hours ago' }
    const lines = Object.entries({ ...facts, ...others })
    expect((await sent(hostileAlert())).body).toEqual({
      msgtype: 'm.text',
      body: [
        `🔴 ${HOSTILE_LINE} is DOWN.`,
        WENT_DOWN,
        ...lines.map(([label, value]) => `${label}: ${value}`),
        'Last Ping Body:',
        HOSTILE_BODY,
      ].join('\n'),
      format: 'org.matrix.custom.html',
      formatted_body: `${[
        `🔴 ${html(HOSTILE_LINE)} is <b>DOWN</b>.`,
        WENT_DOWN,
        ...lines.map(([label, value]) => `<b>${label}:</b> ${html(value)}`),
        '<b>Last Ping Body:</b><pre><code>',
      ].join('<br>')}${escapeHtml(HOSTILE_BODY)}</code></pre>`,
      'm.mentions': {},
    })
  })

  test('cuts very long texts', async () => {
    const { body } = await sent(saying({ name: '"'.repeat(10_000), description: '<'.repeat(100_000) }))
    expect(new TextEncoder().encode(JSON.stringify(body)).length).toBeLessThan(64_000)
  })
})

describe('the settings', () => {
  test.each([
    ['an alias', '#ops:chat.test', 'mismatch'],
    ['two rooms', '!a:b !c:d', 'mismatch'],
    ['256 characters', `!${'a'.repeat(255)}`, 'too long'],
    ['an object', { room_id: ROOM }, 'not a string'],
  ])('may not be %s', (_, settings, violation) => {
    expect(firstProblem(matrix.settings, settings)).toEqual({ path: '', violation } as never)
  })
})
