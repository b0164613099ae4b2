/** Walls: by session, and by keys that only the browser knows. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { operatorIn } from '../../../../../src/domain/actor.ts'
import { createChannel } from '../../../../../src/services/channels/channels.ts'
import { listChecks, upsertCheck } from '../../../../../src/services/checks/checks.ts'
import { flipOverdue } from '../../../../../src/services/pings/flips.ts'
import { createKey, revokeKey } from '../../../../../src/services/projects/keys.ts'
import { createProject } from '../../../../../src/services/projects/projects.ts'
import { type Browser, memberWith, setRole } from '../../../../support/browser.ts'
import { openStream } from '../../../../support/live-stream.ts'
import { wordsOf } from '../../../../support/page-words.ts'
import { webhook } from '../../../../support/store-builders.ts'
import { type TestApp, testApp } from '../../../../support/test-app.ts'

const HOSTILE = '<img src=x onerror=alert(1)>\u202e"\''

let t: TestApp
let reader: Browser
beforeEach(async () => {
  t = await testApp()
  reader = await memberWith(t, 'read-only', { email: 'ann@example.org' })
})
afterEach(() => t.close())

const add = async (name: string, action: '' | '/fail' | '/start' | null = null, actor = t.actor) => {
  const { check } = await upsertCheck(t.app.deps, actor, { name, timeout: 3600, grace: 600 }, false)
  if (action !== null) await t.call('POST', `/ping/${check.id}${action}`, { body: 'last words' })
  return check
}
const ping = async (name: string) => {
  for await (const page of listChecks(t.app.deps, t.actor, {})) {
    for (const { check } of page) if (check.name === name) await t.call('POST', `/ping/${check.id}`)
  }
}
const count = (text: string, part: string) => text.split(part).length - 1
const numbers = (text: string) =>
  [...text.matchAll(/class="big-n (\w+)">.*?<b>(\d+)<\/b>/g)].map(([, state, number]) => `${number} ${state}`)

describe('the wall of who is signed in', () => {
  test('counts the checks, has those that are down or late large, and the last hours of all below', async () => {
    await add('Late', '')
    t.clock.advance({ seconds: 3700 })
    await add('Broken', '/fail')
    await add('Running', '/start')
    await add('Fine', '')
    const { status, text } = await reader.get('/wall?p=tests')
    expect(status).toBe(200)
    expect(numbers(text)).toEqual(['1 down', '1 late', '1 started', '1 up'])
    const [, large = '', hours = ''] = text.split(/<(?:ul class="wall-bad|div class="wall-night)[^"]*">/)
    expect([large.includes('Broken'), large.includes('Late'), large.includes('Fine')]).toEqual([true, true, false])
    expect(large.indexOf('Broken')).toBeLessThan(large.indexOf('Late'))
    const names = Array.from(hours.matchAll(/<bdi>(\w+)<\/bdi>/g), ([, name]) => name)
    expect(names).toEqual(['Late', 'Broken', 'Fine'])
  })

  test('shows twelve large, and counts the rest', async () => {
    for (let n = 0; n < 6; n++) await add(`Broken ${n}`, '/fail')
    expect((await reader.get('/wall?p=tests')).text).toContain('<ul class="wall-bad">')
    for (let n = 6; n < 15; n++) await add(`Broken ${n}`, '/fail')
    const { text } = await reader.get('/wall?p=tests')
    expect(text).toContain('<ul class="wall-bad three">')
    expect(count(text, '<li class="down">')).toBe(12)
    expect(text).toContain('3 more are down or late.')
  })

  test('says how the last hours went, in two columns, with what is missing first when there are many', async () => {
    await createChannel(t.app.deps, t.actor, { kind: 'webhook', name: '', settings: webhook() })
    for (let n = 0; n < 24; n++) await add(`Job ${n}`, '')
    t.clock.advance({ minutes: 30 })
    const missing = await add('Missing', '')
    t.clock.advance({ minutes: 59 })
    for (let n = 0; n < 24; n++) await ping(`Job ${n}`)
    t.clock.advance({ minutes: 12 })
    await flipOverdue(t.app.deps, t.clock.now())
    const { text } = await reader.get('/wall?p=tests')
    const rows = Array.from(text.matchAll(/<li class="wn">[\s\S]*?<\/li>/g), ([row]) => wordsOf(row))
    expect(rows).toHaveLength(24)
    expect(rows[0]).toBe('Down: Missing missing since 13:30')
    expect(rows[1]).toMatch(/^Up: Job \d+ /)
    expect(count(text, '<li class="wn hd"')).toBe(2)
    expect(wordsOf(text)).toContain('Last 14 h 24 of 25 ran; 1 missing.')
    expect(wordsOf(text)).toContain('1 more as expected.')
    expect(text).not.toContain(missing.id)
  })

  test('of many checks does not wait for the last hours', async () => {
    for (let n = 0; n <= 100; n++) await add(`Job ${n}`)
    expect((await reader.get('/wall?p=tests')).text).toContain('Loading the last hours…')
    const stream = await openStream(t, reader, '/live?view=wall&p=tests')
    let told = ''
    while (told === '')
      told = (await stream.take()).map(({ event, data }) => (event === 'message' ? data : '')).join('')
    expect(told).not.toContain('are being read')
    await stream.leave()
  })

  test('has several projects in the order of the address, and all of the reader if that names none', async () => {
    t.clock.advance({ seconds: 1 })
    const { project } = await createProject(t.app.deps, 'Harbour Books')
    await add('Ledger', '', operatorIn(project))
    const { slug } = project
    expect((await reader.get(`/wall?p=${slug}`)).status).toBe(404)
    const account = await t.app.deps.store.accounts.find('ann@example.org')
    if (account) await setRole(t, account, 'read-only', project)
    const sections = async (query: string) =>
      [...(await reader.get(`/wall${query}`)).text.matchAll(/<section id="wall-([^"]+)">/g)].map(([, slug]) => slug)
    expect(await sections(`?p=${slug}&p=tests`)).toEqual([slug, 'tests'])
    expect(await sections('')).toEqual(['tests', slug])
    expect((await reader.get('/wall?p=tests&p=nothing')).status).toBe(404)
  })

  test('has the theme of the address, else that of the account', async () => {
    expect((await reader.get('/wall?p=tests&theme=dark')).text).toContain('data-theme="dark"')
    expect((await reader.get('/wall?p=tests&theme=red')).text).not.toContain('data-theme')
  })

  test('escapes what people wrote, and holds no UUID', async () => {
    const check = await add(HOSTILE, '/fail')
    const { text } = await reader.get('/wall?p=tests')
    expect(text).toContain('<bdi>&lt;img src=x')
    expect(text).not.toContain('<img')
    expect(text).not.toContain(check.id)
  })

  test('is live: what changes comes with its section', async () => {
    const check = await add('Backup', '')
    const { text } = await reader.get('/wall?p=tests')
    expect(text).toContain('hx-sse:connect="/live?view=wall&amp;p=tests"')
    const stream = await openStream(t, reader, '/live?view=wall&p=tests')
    await stream.take()
    await t.call('POST', `/ping/${check.id}/fail`)
    const messages = (await stream.take()).filter(({ event }) => event === 'message')
    expect(messages[0]?.data).toContain('<hx-partial hx-target="#wall-tests" hx-swap="outerMorph">')
    expect(numbers(messages[0]?.data ?? '')).toContain('1 down')
    expect((await reader.get('/live?view=wall&p=nothing')).status).toBe(404)
  })

  test('reloads itself without a script, if its address asks for that', async () => {
    expect((await reader.get('/wall?p=tests')).text).toContain('href="/wall?p=tests&amp;refresh=60"')
    expect((await reader.get('/wall?p=tests&refresh=60')).headers.get('refresh')).toBe('60')
  })
})

describe('the wall of keys', () => {
  const part = (key: string | null, headers: Readonly<Record<string, string>> = {}) =>
    t.call('GET', '/tv/part', { headers: { ...(key !== null && { 'x-api-key': key }), ...headers } })
  const keyOf = async (kind: 'read-only' | 'read-write' | 'ping') => (await createKey(t.app.deps, t.actor, kind)).key

  test('its page is the same for everybody, and may do little', async () => {
    const answer = await t.call('GET', '/tv/')
    expect(answer.status).toBe(200)
    const text = await answer.text()
    expect(text).toContain('data-part="/tv/part"')
    expect(text).not.toContain('htmx')
    const policy = answer.headers.get('content-security-policy')
    expect(policy).toStartWith("default-src 'none';")
    expect(policy).toContain("form-action 'none'")
    expect(answer.headers.has('set-cookie')).toBe(false)
    expect(await (await t.call('GET', '/tv')).text()).toBe(text)
  })

  test('a key gets the section of its project, without secrets', async () => {
    const check = await add(HOSTILE, '/fail')
    for (const kind of ['read-only', 'read-write'] as const) {
      const key = await keyOf(kind)
      const answer = await part(key)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
      const text = await answer.text()
      expect(numbers(text)).toEqual(['1 down', '0 up'])
      expect(text).toContain('<bdi>&lt;img')
      for (const secret of [check.id, key, '<img']) expect(text).not.toContain(secret)
    }
  })

  test('a screen says its zone, and one that is unknown gets UTC', async () => {
    await add('Backup', '')
    const key = await keyOf('read-only')
    const firstHour = async (query: string) => {
      const answer = await t.call('GET', `/tv/part${query}`, { headers: { 'x-api-key': key } })
      return /<ol class="hours"[^>]*><li>(\d\d)/.exec(await answer.text())?.[1]
    }
    // It is noon in UTC, and 14:00 in Riga.
    expect(await firstHour('')).toBe('23')
    expect(await firstHour('?tz=Europe/Riga')).toBe('01')
    expect(await firstHour('?tz=Mars')).toBe('23')
  })

  test('other keys get 401, also one that was revoked, and a key in the address counts for nothing', async () => {
    const key = await keyOf('read-only')
    const inAddress = await t.call('GET', `/tv/part?api_key=${key}`)
    const stranger = `odr_${'x'.repeat(28)}`
    const answers = [inAddress, await part(null), await part(stranger), await part(await keyOf('ping'))]
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401])
    expect((await part(key)).status).toBe(200)
    await revokeKey(t.app.deps, t.actor, key)
    expect((await part(key)).status).toBe(401)
  })

  test('says that nothing has changed, and shows a change within a second', async () => {
    const check = await add('Backup', '')
    const key = await keyOf('read-only')
    const first = await part(key)
    const etag = first.headers.get('etag') ?? ''
    const again = await part(key, { 'if-none-match': etag })
    expect([again.status, await again.text()]).toEqual([304, ''])
    await t.call('POST', `/ping/${check.id}/fail`)
    t.clock.advance({ seconds: 1 })
    const changed = await part(key, { 'if-none-match': etag })
    expect([changed.status, numbers(await changed.text())]).toEqual([200, ['1 down', '0 up']])
  })
})
