/** `gotify`: whole messages, settings and conclusions. */
import { describe, expect, test } from 'bun:test'
import { firstProblem } from '../../src/domain/schema.ts'
import { gotify } from '../../src/transports/gotify.ts'
import { aPing, at, bytes, CHECK_ID } from '../support/builders.ts'
import { CAME_UP, HOSTILE_BODY, HOSTILE_LINE, HOSTILE_PUSH_TEXT, jsonOf, LINK, WENT_DOWN } from './parsed.ts'
import { downAlert, hostileAlert, upAlert } from './support.ts'

const SETTINGS = { url: 'https://gotify.test', token: 'AbC.123', priority: 9, priority_up: 2 }
const request = {
  method: 'POST',
  url: 'https://gotify.test/message?token=AbC.123',
  headers: { 'content-type': 'application/json' },
}
const extras = {
  'client::display': { contentType: 'text/markdown' },
  'client::notification': { click: { url: LINK } },
}
const FACTS = `- **Project:** Home lab
- **Description:** Database to tape
- **Tags:** prod, db
- **Period:** 2 hours
- **Total Pings:** 12
- **Last Ping:** Success, 3 hours ago`
const BODY = '**Last Ping Body:**\n\n```\n42 files\n```'

const textOf = async (alert = downAlert()) => {
  const { body } = await jsonOf(gotify, SETTINGS, alert)
  return (body as { message: string }).message
}

describe('the message', () => {
  test('of a check that went down', async () => {
    expect(await jsonOf(gotify, SETTINGS, downAlert())).toEqual({
      ...request,
      body: {
        title: 'Nightly backup is DOWN',
        message: `${WENT_DOWN}\n\n${FACTS}\n\n${BODY}`,
        priority: 9,
        extras,
      },
    })
  })

  test('of a check that recovered', async () => {
    expect(await jsonOf(gotify, SETTINGS, upAlert())).toEqual({
      ...request,
      body: {
        title: 'Nightly backup is UP',
        message: `${CAME_UP}\n\n${FACTS}\n\n${BODY}`,
        priority: 2,
        extras,
      },
    })
  })

  test('has no priority unless one is set', async () => {
    const { priority: _, ...rest } = SETTINGS
    const { body } = await jsonOf(gotify, rest, downAlert())
    expect(Object.keys(body as object)).toEqual(['title', 'message', 'extras'])
  })

  test.each([
    ['https://gotify.test/', 'https://gotify.test/message?token=AbC.123'],
    ['http://gotify.test:8080/push/', 'http://gotify.test:8080/push/message?token=AbC.123'],
  ])('to a server at %s goes to %s', async (url, expected) => {
    expect((await jsonOf(gotify, { ...SETTINGS, url }, downAlert())).url).toBe(expected)
  })

  test('keeps a token with URL characters in its place', async () => {
    const { url } = await jsonOf(gotify, { ...SETTINGS, token: 'a&b=c#d' }, downAlert())
    expect(url).toBe('https://gotify.test/message?token=a%26b%3Dc%23d')
  })

  test('lists the other checks that are down', async () => {
    const siblings = {
      exist: true,
      downCount: 1,
      counts: null,
      down: [{ id: CHECK_ID, name: '1. *A*', lastPingAt: at('11:00') }],
    }
    expect(await textOf(downAlert({ siblings, lastPing: null }))).toEndWith(
      '\n\nThe following checks are also down:\n\n- **1. \\*A\\*:** last ping: 1 hour ago',
    )
  })

  test('says when all other checks are up', async () => {
    const siblings = { exist: true, downCount: 0, down: [], counts: { up: 2, new: 0, paused: 0 } }
    expect(await textOf(downAlert({ siblings, lastPing: null }))).toEndWith('\n\nAll the other checks are up.')
  })

  test('has no markup from names and bodies', async () => {
    const { body, ...rest } = await jsonOf(gotify, SETTINGS, hostileAlert())
    expect(rest).toEqual(request)
    expect(body).toEqual({
      priority: 9,
      extras: { 'client::display': { contentType: 'text/markdown' } },
      title: `${HOSTILE_LINE} is DOWN`,
      message: `${HOSTILE_PUSH_TEXT}

**Last Ping Body:**

\`\`\`
${HOSTILE_BODY}
\`\`\``,
    })
  })

  test('has a fence that the body cannot end', async () => {
    const lastPing = aPing({ body: bytes('```\n**bold**\n`````\nend') })
    expect(await textOf(downAlert({ lastPing }))).toEndWith('\n\n``````\n```\n**bold**\n`````\nend\n``````')
  })
})

describe('the settings', () => {
  test.each([
    [{}, true, true],
    [{ priority: 0 }, false, true],
    [{ priority_up: 0 }, true, false],
    [{ priority: undefined, priority_up: undefined }, true, true],
  ])('with %j want a message: down %p, up %p', (given, down, up) => {
    const settings = { ...SETTINGS, ...given }
    const wants = (newStatus: 'down' | 'up') => gotify.wants(settings, { newStatus })
    expect([wants('down'), wants('up')]).toEqual([down, up])
  })

  test.each([
    ['another priority', { priority: 3 }, { path: '/priority', violation: 'unexpected' }],
    ['a priority in words', { priority_up: '5' }, { path: '/priority_up', violation: 'unexpected' }],
    ['another scheme', { url: 'file:///etc' }, { path: '/url', violation: 'mismatch' }],
    ['a query in the URL', { url: 'https://gotify.test/?a=b' }, { path: '/url', violation: 'mismatch' }],
    ['too long a URL', { url: `https://${'x'.repeat(993)}` }, { path: '/url', violation: 'too long' }],
    ['an empty token', { token: '' }, { path: '/token', violation: 'mismatch' }],
    ['no token', { token: undefined }, { path: '/token', violation: 'missing' }],
  ] as const)('are rejected with %s', (_, given, problem) => {
    expect(firstProblem(gotify.settings, { ...SETTINGS, ...given })).toEqual(problem)
  })
})
