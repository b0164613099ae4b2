/** Audit log entries of a key's changes: the beginning of the key, and the address that used it. */
import { afterEach, expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../support/test-app.ts'

type HeaderFields = Readonly<Record<string, string>>

let t: TestApp
let address: string
afterEach(() => t.close())

async function begin(env: Readonly<Record<string, string>> = {}): Promise<void> {
  t = await testApp({ env: { HOST: '127.0.0.1', PORT: '0', ...env } })
  address = `http://127.0.0.1:${await t.app.start()}`
  t.clock.advance({ minutes: 1 })
}

async function send(method: string, path: string, json: unknown, headers: HeaderFields = withKey()) {
  const answer = await fetch(`${address}/api/v3/${path}`, { method, body: JSON.stringify(json), headers })
  t.clock.advance({ minutes: 1 })
  return (await answer.json()) as { readonly uuid: string }
}

const withKey = (): HeaderFields => ({ 'x-api-key': t.keys.apiKey })
const newest = async () => (await t.app.deps.store.audit.list(1))[0]

test('each change of a check names the beginning of the key and the address of the client', async () => {
  await begin()
  const author = { kind: 'key', accountId: null, name: t.keys.apiKey.slice(0, 8), address: '127.0.0.1' }
  const { uuid } = await send('POST', 'checks/', { name: 'Backup' })
  const subject = { kind: 'check', name: 'Backup' }
  expect(await newest()).toMatchObject({ author, action: 'create', subject, projectId: t.project.id })
  await send('POST', `checks/${uuid}`, { tags: 'prod' })
  expect(await newest()).toMatchObject({ author, action: 'edit', after: { tags: 'prod' } })
  await send('POST', `checks/${uuid}/pause`, {})
  expect(await newest()).toMatchObject({ author, action: 'edit', subject })
  await fetch(`${address}/api/v3/checks/${uuid}`, { method: 'DELETE', headers: withKey() })
  expect(await newest()).toMatchObject({ author, action: 'delete', subject })
  expect(JSON.stringify(await t.app.deps.store.audit.list(100))).not.toContain(t.keys.apiKey)
})

test('a key in the body is named too', async () => {
  await begin()
  await send('POST', 'checks/', { name: 'Backup', api_key: t.keys.apiKey }, {})
  expect((await newest())?.author).toMatchObject({ kind: 'key', name: t.keys.apiKey.slice(0, 8) })
})

test('behind a trusted proxy the address is the client’s; nobody else is believed', async () => {
  const forwarded = { 'x-forwarded-for': '203.0.113.9' }
  await begin()
  await send('POST', 'checks/', { name: 'Backup' }, { ...withKey(), ...forwarded })
  expect((await newest())?.author.address).toBe('203.0.113.9')
  await t.close()
  await begin({ TRUSTED_PROXIES: '192.0.2.1' })
  await send('POST', 'checks/', { name: 'Backup' }, { ...withKey(), ...forwarded })
  expect((await newest())?.author.address).toBe('127.0.0.1')
})

test('pings write no rows', async () => {
  await begin()
  const { uuid } = await send('POST', 'checks/', { name: 'Backup' })
  const before = await t.app.deps.store.audit.list(100)
  for (const path of ['', '/start', '/fail', '/7', '/log']) await (await fetch(`${address}/ping/${uuid}${path}`)).text()
  expect(await t.app.deps.store.audit.list(100)).toEqual(before)
})
