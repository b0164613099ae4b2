/** `trello`: the whole request for a card, hostile names, and conclusions on answers. */
import { describe, expect, test } from 'bun:test'
import { firstProblem, type Problem } from '../../src/domain/schema.ts'
import type { Alert } from '../../src/transports/transport.ts'
import { trello } from '../../src/transports/trello.ts'
import { aCheck, aFlip } from '../support/builders.ts'
import { HOSTILE_ISSUE_TEXT, HOSTILE_LINE, issueText } from './parsed.ts'
import { downAlert, hostileAlert, messageOf, wanted } from './support.ts'

const SETTINGS = { token: 'user-token', list_id: '5f00aa', board_name: 'Home', list_name: 'To do' }
const OPERATOR = { TRELLO_APP_KEY: 'app-key' }

/** Returns the request with its query parsed. */
async function sent(alert: Alert) {
  const message = await messageOf(trello, SETTINGS, alert)
  const url = new URL(message.url)
  return { ...message, url: url.origin + url.pathname, query: Object.fromEntries(url.searchParams) }
}

describe('the card', () => {
  test('of a check that went down', async () => {
    expect(await sent(downAlert({ operator: OPERATOR }))).toEqual({
      method: 'POST',
      url: 'https://api.trello.com/1/cards',
      headers: {},
      body: '',
      query: {
        idList: '5f00aa',
        name: 'Down: Nightly backup',
        desc: issueText(),
        key: 'app-key',
        token: 'user-token',
      },
    })
  })

  test('shows a schedule with its zone, and leaves out what is empty', async () => {
    const check = aCheck({ name: 'x', kind: 'cron', schedule: '*/5 * * * *', tz: 'Europe/Riga' })
    const alert = downAlert({ operator: OPERATOR, check, flip: aFlip({ reason: '' }), lastPing: null })
    expect((await sent(alert)).query.desc).toBe(
      [
        'No ping yet.',
        '',
        `[View details](${alert.message.link})`,
        '',
        '- **Project:** Home lab',
        '- **Schedule:** \\*/5 \\* \\* \\* \\*',
        '- **Time Zone:** Europe/Riga',
        '- **Total Pings:** 0',
        '- **Last Ping:** Never',
      ].join('\n'),
    )
  })

  test('has no parameter and no markup from a name', async () => {
    const alert = hostileAlert(downAlert({ operator: OPERATOR }))
    const { query } = await sent(alert)
    expect(query).toEqual({
      idList: '5f00aa',
      name: `Down: ${HOSTILE_LINE}`,
      desc: HOSTILE_ISSUE_TEXT,
      key: 'app-key',
      token: 'user-token',
    })
  })

  test("needs the operator's key", () => {
    expect(() => trello.render(downAlert(), SETTINGS)).toThrow('TRELLO_APP_KEY is not set on this server')
  })
})

test('no card is made when a check recovers', () => {
  expect(wanted(trello, SETTINGS)).toEqual(['down'])
})

test('the names of board and list are optional', () => {
  expect(firstProblem(trello.settings, { token: 't', list_id: '5f00aa' })).toBeNull()
})

test.each<[string, object, Problem]>([
  ['no token', { token: undefined }, { path: '/token', violation: 'missing' }],
  ['an empty token', { token: '' }, { path: '/token', violation: 'mismatch' }],
  ['no list', { list_id: undefined }, { path: '/list_id', violation: 'missing' }],
  ['an empty list', { list_id: '' }, { path: '/list_id', violation: 'mismatch' }],
  ['a list that is an address', { list_id: 'a/b' }, { path: '/list_id', violation: 'mismatch' }],
  ['a board that is no text', { board_name: 1 }, { path: '/board_name', violation: 'not a string' }],
])('settings with %s are rejected', (_, given, problem) => {
  expect(firstProblem(trello.settings, { ...SETTINGS, ...given })).toEqual(problem)
})
