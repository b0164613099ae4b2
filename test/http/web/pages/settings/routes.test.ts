/** The settings of a project, its keys, and its deletion. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { hashApiKey } from '../../../../../src/domain/project.ts'
import { upsertCheck } from '../../../../../src/services/checks/checks.ts'
import { createKey } from '../../../../../src/services/projects/keys.ts'
import { type Browser, memberWith } from '../../../../support/browser.ts'
import { type TestApp, testApp } from '../../../../support/test-app.ts'

const PATH = '/p/tests/settings'

let t: TestApp
let owner: Browser
beforeEach(async () => {
  t = await testApp()
  owner = await memberWith(t, 'owner', { email: 'ann@example.org' })
})
afterEach(() => t.close())

const stored = async () => {
  const project = await t.app.deps.store.projects.find(t.project.id)
  return project && { name: project.name, limit: project.pingLogLimit, isSearched: project.isSearched }
}
const ENOUGH = { name: 'Tests', limit: '100', search: 'on' }

describe('the project', () => {
  test('is renamed without a change of its addresses', async () => {
    const answer = await owner.post(PATH, { ...ENOUGH, name: ' Harbour Books ' })
    expect([answer.status, answer.location]).toEqual([303, `${PATH}?done=saved`])
    const { text } = await owner.get(answer.location ?? '')
    expect(text).toContain('<title>Project settings – Harbour Books – Overdue</title>')
    expect(text).toContain('<code>/p/tests/</code>')
    expect((await owner.get('/p/harbour-books/checks')).status).toBe(404)
  })

  test('gets another limit of the log and leaves the search, in one change', async () => {
    t.clock.advance({ minutes: 1 })
    await owner.post(PATH, { name: 'Tests', limit: '500' })
    expect(await stored()).toEqual({ name: 'Tests', limit: 500, isSearched: false })
    expect((await owner.get(PATH)).text).toContain('value="500"')
    expect(await t.app.deps.store.audit.list(1)).toMatchObject([
      {
        author: { kind: 'person', name: 'ann@example.org' },
        action: 'edit',
        before: { ping_log_limit: 100, search: true },
        after: { ping_log_limit: 500, search: false },
      },
    ])
  })

  test('gets the zone of the times in its alerts, by any of its names, and an empty field takes it away', async () => {
    const zone = async () => (await t.app.deps.store.projects.find(t.project.id))?.tz
    t.clock.advance({ minutes: 1 })
    await owner.post(PATH, { name: 'Tests', limit: '100', search: 'on', tz: 'Europe/Kiev' })
    expect(await zone()).toBe('Europe/Kyiv')
    expect((await owner.get(PATH)).text).toContain('name="tz" type="text" autocomplete="off" value="Europe/Kyiv"')
    expect(await t.app.deps.store.audit.list(1)).toMatchObject([{ before: { tz: null }, after: { tz: 'Europe/Kyiv' } }])
    const wrong = await owner.post(PATH, { name: 'Tests', limit: '100', search: 'on', tz: 'Kyiv' })
    expect([wrong.status, wrong.text.includes('id="tz-error"'), await zone()]).toEqual([422, true, 'Europe/Kyiv'])
    await owner.post(PATH, { name: 'Tests', limit: '100', search: 'on', tz: '' })
    expect(await zone()).toBeNull()
  })

  test('keeps what it has when a field is wrong, and all mistakes are shown with what was typed', async () => {
    expect((await owner.post('/projects/new', { name: 'Taken' })).status).toBe(303)
    const taken = await owner.post(PATH, { name: 'Taken', limit: '100' })
    expect([taken.status, taken.text.includes('id="name-error"')]).toEqual([422, true])
    for (const name of [' ', 'x'.repeat(201)]) {
      for (const limit of ['0', '1001', '1.5', 'many', '']) {
        const { status, text } = await owner.post(PATH, { name, limit })
        expect([status, text.includes('id="name-error"'), text.includes('id="limit-error"')]).toEqual([422, true, true])
        expect(text).toContain(`value="${name.trim()}"`)
        expect(text).toContain(`type="number" autocomplete="off" value="${limit}"`)
      }
    }
    expect(await stored()).toEqual({ name: 'Tests', limit: 100, isSearched: true })
  })

  test('names a field by its label when it refuses what is in it, and still says what a lower number does', async () => {
    for (const limit of ['0', '1001', 'many']) {
      const { text } = await owner.post(PATH, { name: 'Tests', limit })
      const error = /id="limit-error">.*?<span>(.*?)<\/span>/.exec(text)?.[1]
      expect(error).toBe(
        '&quot;Pings kept for each check&quot; must be between 1 and 1,000. If you lower it, older pings are deleted within minutes.',
      )
    }
  })
})

describe('who is no owner', () => {
  test('is offered the keys if the role may write, and no change of the project', async () => {
    for (const role of ['manager', 'member'] as const) {
      const browser = await memberWith(t, role)
      const { status, text } = await browser.get(PATH)
      expect(status).toBe(200)
      expect(text).toContain('Create API key')
      expect(text).not.toContain('Delete project')
      expect(text).not.toContain('Save settings')
    }
  })

  test('gets no link to the page if the role may only read', async () => {
    const browser = await memberWith(t, 'read-only')
    expect((await browser.get('/p/tests/checks')).text).not.toContain(PATH)
    expect((await owner.get('/p/tests/checks')).text).toContain(PATH)
  })
})

describe('an API key', () => {
  const create = (fields: Record<string, string>) => owner.post(`${PATH}/keys`, fields)
  const cookieOf = ({ headers }: { readonly headers: Headers }) => headers.get('set-cookie') ?? ''

  test('is shown once, works, and is listed by its name with its last use', async () => {
    const answer = await create({ 'key-name': ' <b>Deploy</b> ', 'key-kind': 'read-write' })
    expect([answer.status, answer.location]).toEqual([303, `${PATH}/keys/created`])
    const given = cookieOf(answer)
    expect(given).toMatch(/; Path=\/p\/tests\/settings\/keys\/created; Max-Age=60; HttpOnly; SameSite=Lax$/)
    const shown = await owner.get(`${PATH}/keys/created`, {
      cookie: `overdue_session=${owner.token()}; ${given.split(';')[0]}`,
    })
    const key = shown.text.match(/odw_\w{28}/)?.[0] ?? ''
    expect(cookieOf(shown)).toContain('overdue_new_key=; Path=/p/tests/settings/keys/created; Max-Age=0')
    expect((await owner.get(`${PATH}/keys/created`)).text).toContain('The key has been shown already')
    const listed = async () => (await owner.get(PATH)).text
    expect(await listed()).toContain('&lt;b&gt;Deploy&lt;/b&gt;')
    expect(await listed()).not.toContain('<b>Deploy')
    expect(await listed()).not.toContain(key)
    t.clock.advance({ hours: 2 })
    expect((await t.call('GET', '/api/v3/checks/', { headers: { 'x-api-key': key } })).status).toBe(200)
    t.clock.advance({ minutes: 7 })
    expect(await listed()).toContain('7 min ago')
  })

  test('only reads unless the form says otherwise', async () => {
    expect(cookieOf(await create({ 'key-name': '', 'key-kind': 'root' }))).toMatch(/^overdue_new_key=odr_\w{28};/)
  })

  test('is not shown from a cookie that holds something else', async () => {
    const cookie = `overdue_session=${owner.token()}; overdue_new_key=<b>odw_${'x'.repeat(25)}`
    expect((await owner.get(`${PATH}/keys/created`, { cookie })).text).toContain('The key has been shown already')
  })

  test('needs no name, but a long one is refused', async () => {
    await create({ 'key-name': '', 'key-kind': 'read-only' })
    expect((await owner.get(PATH)).text).toContain('<th scope="row"><i>no name</i></th>')
    const { status, text } = await create({ 'key-name': 'x'.repeat(101), 'key-kind': 'read-only' })
    expect([status, text.includes('id="key-name-error"')]).toEqual([422, true])
  })

  test('is revoked after a page that says what ends', async () => {
    const { key } = await createKey(t.app.deps, t.actor, 'read-only', 'wall')
    t.clock.advance({ minutes: 1 })
    const path = `${PATH}/keys/${hashApiKey(key, t.app.deps.site.secret)}/revoke`
    expect((await owner.get(PATH)).text).toContain(`href="${path}"`)
    expect((await owner.get(path)).text).toContain('It was never used.')
    expect((await owner.post(path)).location).toBe(`${PATH}?done=key-revoked`)
    expect((await t.call('GET', '/api/v3/checks/', { headers: { 'x-api-key': key } })).status).toBe(401)
    expect((await owner.get(path)).status).toBe(404)
    expect(await t.app.deps.store.audit.list(1)).toMatchObject([
      { action: 'delete', subject: { kind: 'key', name: 'wall' }, before: { kind: 'read-only', name: 'wall' } },
    ])
  })

  test('of another project, and a ping key, are not found', async () => {
    for (const lookup of ['0'.repeat(64), t.keys.pingKey]) {
      expect((await owner.post(`${PATH}/keys/${lookup}/revoke`)).status).toBe(404)
    }
  })
})

describe('the ping key', () => {
  test('is shown, and replaced after a page that says what breaks', async () => {
    await upsertCheck(t.app.deps, t.actor, { name: 'Backup', slug: 'backup' }, false)
    const ping = async (key: string) => (await t.call('GET', `/ping/${key}/backup`)).status
    expect((await owner.get(PATH)).text).toContain(t.keys.pingKey)
    expect(await ping(t.keys.pingKey)).toBe(200)
    expect((await owner.get(`${PATH}/ping-key`)).text).toContain('1 check has a slug')
    expect((await owner.post(`${PATH}/ping-key`)).location).toBe(`${PATH}?done=ping-key-replaced`)
    const { text } = await owner.get(PATH)
    expect(text).not.toContain(t.keys.pingKey)
    const fresh = text.match(/ping\/([a-z0-9]{22})\/backup/)?.[1] ?? ''
    expect([await ping(t.keys.pingKey), await ping(fresh)]).toEqual([404, 200])
  })

  test('gets another one beside it, and is revoked once no job uses it', async () => {
    await upsertCheck(t.app.deps, t.actor, { name: 'Backup', slug: 'backup' }, false)
    const ping = async (key: string) => (await t.call('GET', `/ping/${key}/backup`)).status
    const shown = async () => {
      await t.app.deps.background.drain()
      const { text } = await owner.get(PATH)
      const keys = text.matchAll(/aria-label="Ping key [^"]+">([a-z0-9]{22})<.*?<p class="help">(.*?) Example:/gs)
      return Array.from(keys, ([, key = '', used = '']) => [key, used.replaceAll(/<[^>]+>/g, '')] as const)
    }
    const first = t.keys.pingKey
    expect(await shown()).toEqual([[first, 'No use recorded yet.']])
    await ping(first)
    t.clock.advance({ minutes: 10 })
    expect((await owner.post(`${PATH}/ping-keys`)).location).toBe(`${PATH}?done=ping-key-made`)
    const second = (await shown())[1]?.[0] ?? ''
    expect(await ping(second)).toBe(200)
    expect(await shown()).toEqual([
      [first, 'Used by 1 of 1 check in the last 7 days · last used 10 min ago.'],
      [second, 'Used by 1 of 1 check in the last 7 days · last used now.'],
    ])
    const revoke = `${PATH}/ping-keys/${first.slice(0, 8)}/revoke`
    expect((await owner.get(revoke)).text).toContain('Used by 1 of 1 check in the last 7 days · last used <time')
    expect((await owner.get(`${PATH}/ping-key`)).text).toContain(
      `<code>${first.slice(0, 8)}…</code> Used by 1 of 1 check`,
    )
    t.clock.advance({ hours: 8 * 24 })
    expect((await shown())[0]?.[1]).toBe('Not used in the last 7 days · last used 8 days ago.')
    expect((await owner.post(revoke)).location).toBe(`${PATH}?done=key-revoked`)
    expect([await ping(first), await ping(second)]).toEqual([404, 200])
    expect((await owner.post(revoke)).status).toBe(404)
  })
})

describe('a project is deleted', () => {
  test('only when its name was typed', async () => {
    const { status, text } = await owner.post(`${PATH}/delete`, { confirm: 'tests?' })
    expect([status, text.includes('That is not its name.')]).toEqual([422, true])
    expect(await stored()).not.toBeNull()
  })

  test('with its checks and keys, and others stay', async () => {
    const { check } = await upsertCheck(t.app.deps, t.actor, { name: 'Backup' }, false)
    await owner.post('/projects/new', { name: 'Other' })
    expect((await owner.get(`${PATH}/delete`)).text).toContain('1 check with its log')
    const answer = await owner.post(`${PATH}/delete`, { confirm: ' Tests ' })
    expect([answer.status, answer.location]).toEqual([303, '/projects?done=project-deleted'])
    expect(await stored()).toBeNull()
    expect((await owner.get('/p/tests/checks')).status).toBe(404)
    expect((await t.call('GET', `/ping/${check.id}`)).status).toBe(404)
    expect((await t.call('GET', '/api/v3/checks/', { headers: { 'x-api-key': t.keys.apiKey } })).status).toBe(401)
    const { text } = await owner.get('/projects?done=project-deleted')
    expect(text).toContain('Project deleted.')
    expect(text).toContain('Other')
  })
})
