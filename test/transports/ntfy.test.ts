/** `ntfy`: whole messages, the receiver of each token, settings and conclusions. */
import { describe, expect, test } from 'bun:test'
import { firstProblem } from '../../src/domain/schema.ts'
import { ntfy } from '../../src/transports/ntfy.ts'
import { aCheck, CHECK_ID } from '../support/builders.ts'
import { CAME_UP, HOSTILE_LINE, HOSTILE_PUSH_TEXT, jsonOf, LINK, WENT_DOWN } from './parsed.ts'
import { downAlert, hostileAlert, upAlert } from './support.ts'

const SETTINGS = { topic: 'my-topic_1', url: 'https://ntfy.test', priority: 5, priority_up: 3 }
const request = { method: 'POST', url: 'https://ntfy.test/', headers: { 'content-type': 'application/json' } }
const always = {
  topic: 'my-topic_1',
  markdown: true,
}
const view = { actions: [{ action: 'view', label: 'View on Overdue', url: LINK }] }
const FACTS = `- **Project:** Home lab
- **Description:** Database to tape
- **Tags:** prod, db
- **Period:** 2 hours
- **Total Pings:** 12
- **Last Ping:** Success, 3 hours ago`

describe('the message', () => {
  test('of a check that went down', async () => {
    expect(await jsonOf(ntfy, SETTINGS, downAlert())).toEqual({
      ...request,
      body: {
        ...always,
        ...view,
        priority: 5,
        title: 'Nightly backup is DOWN',
        message: `${WENT_DOWN}\n\n${FACTS}`,
        tags: ['red_circle'],
      },
    })
  })

  test('of a check that recovered', async () => {
    expect(await jsonOf(ntfy, SETTINGS, upAlert())).toEqual({
      ...request,
      body: {
        ...always,
        ...view,
        priority: 3,
        title: 'Nightly backup is UP',
        message: `${CAME_UP}\n\n${FACTS}`,
        tags: ['green_circle'],
      },
    })
  })

  test('has no markup from names', async () => {
    expect(await jsonOf(ntfy, SETTINGS, hostileAlert())).toEqual({
      ...request,
      body: {
        ...always,
        priority: 5,
        title: `${HOSTILE_LINE} is DOWN`,
        message: HOSTILE_PUSH_TEXT,
        tags: ['red_circle'],
      },
    })
  })

  test('stays within the 4096 bytes that ntfy shows', async () => {
    const name = '🎉'.repeat(100)
    const check = aCheck({ status: 'down', name, desc: '€'.repeat(10_000), tags: '€'.repeat(500) })
    const down = Array.from({ length: 10 }, () => ({ id: CHECK_ID, name, lastPingAt: null }))
    const siblings = { exist: true, downCount: 10, counts: null, down }
    const { body } = await jsonOf(ntfy, SETTINGS, downAlert({ check, siblings }))
    const { message } = body as { message: string }
    expect(Buffer.byteLength(message)).toBeLessThanOrEqual(4096)
    expect(message).toStartWith('No ping yet.\n\n- **Project:** Home lab\n')
    expect(message).toEndWith(`- **${name}:** last ping: never\n…`)
  })
})

describe('the token', () => {
  const operator = { NTFY_SH_TOKEN: 'tk_operator' }
  const authorization = async (given: object) => {
    const { headers } = await jsonOf(ntfy, { ...SETTINGS, ...given }, downAlert({ operator }))
    return headers.authorization
  }

  test('of the user goes to their server', async () => {
    expect(await authorization({ token: 'tk_mine' })).toBe('Bearer tk_mine')
  })

  test('of the user is preferred to that of the operator', async () => {
    expect(await authorization({ url: 'https://ntfy.sh', token: 'tk_mine' })).toBe('Bearer tk_mine')
  })

  test('of the operator goes to ntfy.sh', async () => {
    expect(await authorization({ url: 'https://ntfy.sh' })).toBe('Bearer tk_operator')
    expect(await authorization({ url: 'https://ntfy.sh', token: '' })).toBe('Bearer tk_operator')
  })

  test.each([
    'http://ntfy.sh',
    'https://ntfy.sh/',
    'https://NTFY.SH',
    'https://ntfy.sh.',
    'https://ntfy.sh:443',
    'https://ntfy.sh:8443',
    'https://ntfy.sh.evil.test',
    'https://ntfy.sh/evil',
    'https://evil.test/https://ntfy.sh',
    'https://ntfy.test',
  ])('of the operator does not go to %s', async (url) => {
    expect(await authorization({ url })).toBeUndefined()
  })
})

describe('the settings', () => {
  test.each([
    [{}, true, true],
    [{ priority: 0 }, false, true],
    [{ priority_up: 0 }, true, false],
    [{ priority: 0, priority_up: 0 }, false, false],
  ])('with %j want a message: down %p, up %p', (given, down, up) => {
    const settings = { ...SETTINGS, ...given }
    const wants = (newStatus: 'down' | 'up') => ntfy.wants(settings, { newStatus })
    expect([wants('down'), wants('up')]).toEqual([down, up])
  })

  test.each([
    ['an empty topic', { topic: '' }, { path: '/topic', violation: 'mismatch' }],
    ['a topic that is a path', { topic: 'a/b' }, { path: '/topic', violation: 'mismatch' }],
    ['a topic of 65 characters', { topic: 'x'.repeat(65) }, { path: '/topic', violation: 'too long' }],
    ['another scheme', { url: 'ntfy://ntfy.sh' }, { path: '/url', violation: 'mismatch' }],
    ['a priority below 0', { priority: -1 }, { path: '/priority', violation: 'too small' }],
    ['a priority above 5', { priority_up: 6 }, { path: '/priority_up', violation: 'too large' }],
    ['no priority', { priority: undefined }, { path: '/priority', violation: 'missing' }],
    ['a line end in the token', { token: 'a\r\nX-Evil: 1' }, { path: '/token', violation: 'mismatch' }],
  ] as const)('are rejected with %s', (_, given, problem) => {
    expect(firstProblem(ntfy.settings, { ...SETTINGS, ...given })).toEqual(problem)
  })
})
