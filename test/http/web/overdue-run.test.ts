/** Download of `overdue-run` from the server. `test/run/` runs it. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../support/test-app.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp({ env: { SITE_ROOT: 'https://x.example/a$&b', PING_BODY_LIMIT: '5000' } })
})
afterAll(() => t.close())

const get = (headers: Record<string, string> = {}, method = 'GET') => t.call(method, '/overdue-run', { headers })

test('overdue-run has the address of the server in it, whatever Host says, and what it keeps of an output', async () => {
  const text = await (await get({ host: 'evil.example' })).text()
  const { stdout } = Bun.spawnSync([
    'sh',
    '-c',
    `${text.match(/^(?:server|limit)=.*$/gm)?.join('\n')}\necho "$server $limit"`,
  ])
  expect(stdout.toString()).toBe('https://x.example/a$&b 5000\n')
  expect(text).toStartWith('#!/bin/sh\n')
  expect(text).not.toContain('evil.example')
})

test('whoever has it is told so', async () => {
  const { headers } = await get()
  const again = await get({ 'if-none-match': headers.get('etag') ?? '' })
  expect([again.status, await again.text()]).toEqual([304, ''])
  expect((await get({}, 'HEAD')).headers.get('etag')).toBe(headers.get('etag'))
})
