/** Memory of an instance is not older than the writes of another one. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { signBadge } from '../../src/domain/badge-urls.ts'
import type { Check } from '../../src/domain/check/check.ts'
import { upsertCheck } from '../../src/services/checks/checks.ts'
import { createKey, revokeKey } from '../../src/services/projects/keys.ts'
import { setPingLogLimit } from '../../src/services/projects/projects.ts'
import type { TestApp } from '../support/test-app.ts'
import { type TwoApps, twoApps } from '../support/two-apps.ts'

const LIST = '/api/v3/checks/'

let apps: TwoApps
let a: TestApp
let b: TestApp
let check: Check
beforeEach(async () => {
  apps = await twoApps()
  ;({ a, b } = apps)
  check = (await upsertCheck(a.app.deps, a.actor, { name: 'Backup', slug: 'backup', tags: 'prod', timeout: 60 }, false))
    .check
})
afterEach(() => apps.close())

const ping = (t: TestApp, action = '') => t.call('POST', `/ping/${check.id}${action}`)
const statusOf = async (answer: Promise<Response>) => (await answer).status

describe('a key that one instance has revoked', () => {
  const revoke = (key: string) => revokeKey(a.app.deps, a.actor, key)

  test('to the API is refused by the other, though it has just let it in', async () => {
    for (const key of [a.keys.apiKey, a.keys.apiKeyReadonly]) {
      expect(await statusOf(b.call('GET', LIST, { key }))).toBe(200)
      await revoke(key)
      expect(await statusOf(b.call('GET', LIST, { key }))).toBe(401)
    }
  })

  test('to the metrics of the project is refused by the other', async () => {
    const path = `/projects/${a.project.id}/metrics/${a.keys.apiKeyReadonly}`
    expect(await statusOf(b.call('GET', path))).toBe(200)
    await revoke(a.keys.apiKeyReadonly)
    expect(await statusOf(b.call('GET', path))).not.toBe(200)
  })

  test('for pings finds no check on the other', async () => {
    const path = `/ping/${a.keys.pingKey}/backup`
    expect(await statusOf(b.call('POST', path))).toBe(200)
    await revoke(a.keys.pingKey)
    expect(await statusOf(b.call('POST', path))).toBe(404)
  })
})

test('a key that one instance has made works on the other at once', async () => {
  const { key } = await createKey(a.app.deps, a.actor, 'read-only')
  expect(await statusOf(b.call('GET', LIST, { key }))).toBe(200)
})

test('a limit of the project that one instance has set holds for what the other logs', async () => {
  for (let n = 0; n < 3; n += 1) await ping(b)
  await setPingLogLimit(a.app.deps, a.actor, 1)
  await ping(b)
  await b.app.settle('retention')
  const path = `${LIST}${check.id}/pings/`
  expect((await b.json<{ pings: unknown[] }>('GET', path, { key: a.keys.apiKey })).pings).toHaveLength(1)
})

describe('a list of checks', () => {
  const key = () => a.keys.apiKeyReadonly
  const list = async (t: TestApp, headers = {}) => {
    const answer = await t.call('GET', LIST, { key: key(), headers })
    const body = answer.status === 200 ? ((await answer.json()) as { checks: Record<string, unknown>[] }) : null
    return { status: answer.status, etag: answer.headers.get('etag') ?? '', checks: body?.checks ?? [] }
  }
  const changes: readonly [string, () => Promise<unknown>, Readonly<Record<string, unknown>>][] = [
    ['pinged', () => ping(a), { n_pings: 1, status: 'up' }],
    [
      'edited',
      () => upsertCheck(a.app.deps, a.actor, { name: 'Backup', desc: 'new', unique: ['name'] }, false),
      { desc: 'new' },
    ],
    ['put down', () => ping(a, '/fail'), { status: 'down' }],
  ]

  test.each(changes)(
    'shows on one instance that the other has %s a check, and its tag matches no more',
    async (_, change, shown) => {
      const { etag } = await list(b)
      expect((await list(b, { 'if-none-match': etag })).status).toBe(304)
      await change()
      const after = await list(b, { 'if-none-match': etag })
      expect([after.status, after.checks]).toMatchObject([200, [shown]])
    },
  )

  test('has no longer what the other instance has deleted, and has what it has made', async () => {
    await list(b)
    await a.call('DELETE', `${LIST}${check.id}`, { key: a.keys.apiKey })
    expect((await list(b)).checks).toEqual([])
    await upsertCheck(a.app.deps, a.actor, { name: 'Sync' }, false)
    expect((await list(b)).checks).toMatchObject([{ name: 'Sync' }])
  })

  test('of one instance is not taken for that of the other, which may be older', async () => {
    const { etag } = await list(a)
    expect((await list(b, { 'if-none-match': etag })).status).toBe(200)
  })
})

describe('a badge', () => {
  const ofTag = () =>
    `/badge/${a.project.badgeKey}/${signBadge(a.project.badgeKey, 'prod', a.app.deps.site.secret)}/prod.json`
  const ofCheck = () => `/b/2/${check.badgeKey}.json`

  test('shows within a second what the other instance has been told', async () => {
    const read = async () => [(await b.json('GET', ofTag())).status, (await b.json('GET', ofCheck())).status]
    await ping(a)
    expect(await read()).toEqual(['up', 'up'])
    await ping(a, '/fail')
    a.clock.advance({ seconds: 1 })
    expect(await read()).toEqual(['down', 'down'])
  })

  test('that one instance has signed is known to the other', async () => {
    expect(a.app.deps.site.secret).toBe(b.app.deps.site.secret)
    expect(await statusOf(b.call('GET', ofTag()))).toBe(200)
  })
})
