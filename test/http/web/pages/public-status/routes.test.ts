/** The public page of a project: it shows strangers the chosen content, and nothing else. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { brotliDecompressSync } from 'node:zlib'
import { uniqueKey } from '../../../../../src/domain/check/unique-key.ts'
import type { StatusPage } from '../../../../../src/domain/status-page/status-page.ts'
import { newStatusPage } from '../../../../../src/domain/status-page/status-page.ts'
import { deleteCheck, pauseCheck, updateCheck, upsertCheck } from '../../../../../src/services/checks/checks.ts'
import { aChannel, anAuthor } from '../../../../support/store-builders.ts'
import { type TestApp, testApp } from '../../../../support/test-app.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp({ env: { SITE_NAME: 'Private Site', PUBLIC_RATE_LIMIT: '0' } })
})
afterEach(() => t.close())

const PATH = '/status/harbour'
const FORMS = ['', '.json', '.atom'] as const

const make = async (spec: Record<string, unknown>) => (await upsertCheck(t.app.deps, t.actor, spec, false)).check
type Made = Awaited<ReturnType<typeof make>>
const nightly = () => make({ name: 'stock-etl', timeout: 3600, grace: 600 })
const savePage = (over: Partial<StatusPage>) =>
  t.app.deps.store.by(anAuthor()).statusPages.change(t.project.id, (page) => ({
    ...(page ?? {
      ...newStatusPage({ projectId: t.project.id, slug: 'harbour', tz: 'UTC', updatedAt: t.clock.now() }),
      isPublic: true,
    }),
    ...over,
  }))
const service = (check: Made, name: string, text = '') => ({ checkId: check.id, name, text })
const showing = (...services: readonly ReturnType<typeof service>[]) =>
  savePage({ sections: [{ id: 's1', name: 'Shop', tag: null, services }] })
const ping = (check: Made, word = '') => t.call('POST', `/ping/${check.id}${word}`, { body: 'private body' })
const get = (path = PATH, headers: Record<string, string> = {}) => t.call('GET', path, { headers })
const text = async (path = PATH) => (await get(path)).text()
const json = async () => JSON.parse(await text(`${PATH}.json`))

describe('a page', () => {
  test('that is off, one that was never saved, and no slug at all have the same answer, in each form', async () => {
    await savePage({ isPublic: false })
    for (const form of FORMS) {
      const [off, unknown] = [await get(PATH + form), await get(`/status/nobody${form}`)]
      expect([off.status, unknown.status]).toEqual([404, 404])
      expect(await off.text()).toBe(await unknown.text())
    }
    expect((await get('/status/%00')).status).toBe(404)
  })

  test('says in a sentence how things are, and how each service is', async () => {
    const [stock, search, orders] = [await nightly(), await nightly(), await nightly()]
    await showing(
      service(stock, 'Stock levels', 'May be an hour old.'),
      service(search, 'Search'),
      service(orders, 'Orders'),
    )
    for (const check of [stock, search, orders]) await ping(check)
    expect(await text()).toContain('Everything is running normally.')
    t.clock.advance({ seconds: 60 })
    await ping(stock, '/fail')
    t.clock.advance({ seconds: 60 })
    const page = await text()
    expect(page).toMatch(
      /2 of 3 running normally\. <bdi>Stock levels<\/bdi> have not worked since <time [^>]*>12:01<\/time>\./,
    )
    expect(page).toContain('May be an hour old.')
    expect(page.match(/<span>(?:Running normally|Not working)<\/span>/g)).toHaveLength(3)
  })

  test('knows late, paused and not started', async () => {
    const [late, paused, fresh] = [await nightly(), await nightly(), await nightly()]
    await showing(service(late, 'A'), service(paused, 'B'), service(fresh, 'C'))
    await ping(late)
    await pauseCheck(t.app.deps, t.actor, paused)
    t.clock.advance({ seconds: 3700 })
    const { sections, status, summary } = await json()
    expect(sections[0].services.map((each: { status: string }) => each.status)).toEqual(['late', 'paused', 'new'])
    expect([status, summary]).toEqual(['late', 'A is delayed.'])
  })

  test('says since when a silent service has not run, in the zone of the page', async () => {
    const stock = await nightly()
    await showing(service(stock, 'Nightly backup'))
    await savePage({ tz: 'Asia/Kolkata' })
    await ping(stock)
    t.clock.advance({ hours: 2 })
    expect((await json()).summary).toBe('Nightly backup has not run since 17:30 (Asia/Kolkata).')
    expect(await text()).toMatch(/<bdi>Nightly backup<\/bdi> has not run since <time [^>]*>17:30<\/time>\./)
  })

  test('lists the incidents of ninety days, newest first, and the one that goes on', async () => {
    const stock = await nightly()
    await showing(service(stock, 'Stock levels'))
    await ping(stock)
    await ping(stock, '/fail')
    t.clock.advance({ minutes: 41 })
    await ping(stock)
    t.clock.advance({ hours: 48 })
    await ping(stock, '/fail')
    t.clock.advance({ minutes: 5 })
    const { incidents, sections } = await json()
    expect(incidents).toMatchObject([{ service: 'Stock levels', until: null }, { service: 'Stock levels' }])
    expect(sections[0].services[0].days).toHaveLength(90)
    expect(sections[0].services[0].days.at(-1)).toBe('down')
    expect(await text()).toContain('41 min.')
    const feed = await text(`${PATH}.atom`)
    expect(feed.match(/<entry>/g)).toHaveLength(2)
    expect(feed).toContain('<title>Stock levels: did not work for 41 min</title>')
  })

  test('of services that are watched for less than ninety days says since when', async () => {
    const stock = await nightly()
    await showing(service(stock, 'Stock levels'))
    expect(await text()).toContain('None yet.')
    t.clock.advance({ hours: 24 })
    await ping(stock)
    t.clock.advance({ minutes: 30 })
    const page = await text()
    expect(page).toContain('100.00 % up since Thu 12:00')
    expect(page).toContain('None since Thu 12:00.')
  })

  test('leaves out a check that was deleted, has moved away, or has lost the tag of its section', async () => {
    const [gone, moved, kept] = [await nightly(), await nightly(), await make({ name: 'x', tags: 'shop' })]
    await savePage({
      sections: [
        { id: 's1', name: 'Shop', tag: 'shop', services: [service(kept, 'Kept')] },
        { id: 's2', name: 'Other', tag: null, services: [service(gone, 'Gone'), service(moved, 'Moved')] },
      ],
    })
    expect((await json()).sections).toHaveLength(2)
    const { store } = t.app.deps
    const { id: to } = await t.app.deps.store
      .by(anAuthor())
      .projects.create(
        { ...t.project, id: crypto.randomUUID(), name: 'Other', slug: 'other', badgeKey: crypto.randomUUID() },
        [],
      )
    await store.by(anAuthor()).checks.transfer(moved.id, { from: t.project.id, to }, t.clock.now())
    await deleteCheck(t.app.deps, t.actor, gone)
    await updateCheck(t.app.deps, t.actor, kept, { tags: '' }, false)
    t.clock.advance({ seconds: 31 })
    expect((await json()).sections).toEqual([])
    expect(await text()).toContain('Nothing is monitored at the moment.')
  })
})

test('nothing private is in any form, whatever was written into checks, pings, channels and the project', async () => {
  const { store } = t.app.deps
  const secret = (what: string) => `PRIVATE-${what}`
  const check = await make({
    name: secret('name'),
    slug: 'private-slug',
    tags: `${secret('tag')} shop`,
    desc: secret('desc'),
    schedule: '7 3 * * 1',
    tz: 'Asia/Kathmandu',
    grace: 777,
    start_kw: secret('start'),
    success_kw: secret('success'),
    failure_kw: secret('failure'),
    filter_http_body: true,
  })
  const silent = await make({ name: secret('second'), timeout: 60, grace: 60 })
  const channel = aChannel(t.project, {
    name: secret('channel'),
    settings: { value: secret('setting') },
    kind: 'slack',
  })
  await store.by(anAuthor()).channels.create(channel)
  await store.by(anAuthor()).projects.edit(t.project.id, { name: secret('project') })
  for (const word of ['/start', '', '/fail']) {
    const rid = crypto.randomUUID()
    await t.call('POST', `/ping/${check.id}${word}?rid=${rid}`, {
      body: `${secret('body')} ${secret('failure')}`,
      headers: { 'user-agent': secret('agent'), 'x-forwarded-for': '203.0.113.77' },
    })
    await t.call('POST', `/ping/${silent.id}${word}`, { body: secret('body') })
    t.clock.advance({ minutes: 3 })
  }
  await savePage({
    title: 'Harbour',
    text: 'All jobs',
    tz: 'Europe/Riga',
    sections: [
      { id: 'PRIVATE-section', name: 'Shop', tag: 'shop', services: [service(check, 'Stock levels', 'An hour old')] },
      { id: 's2', name: 'Care', tag: null, services: [service(silent, 'Backup')] },
    ],
  })
  const ids = [check, silent].flatMap(({ id, publicId, badgeKey }) => [id, publicId, badgeKey, uniqueKey(id)])
  const words = [
    ...[
      'private',
      'kathmandu',
      '7 3 * *',
      '777',
      '203.0.113.77',
      'tests',
      channel.id,
      t.project.id,
      t.project.badgeKey,
    ],
    ...[t.keys.apiKey, t.keys.apiKeyReadonly, t.keys.pingKey, ...ids],
  ]
  for (const form of FORMS) {
    const answer = await get(PATH + form)
    const all = `${JSON.stringify([...answer.headers])}${await answer.text()}`.toLowerCase()
    expect(all).toContain('stock levels')
    expect(words.filter((word) => all.includes(word.toLowerCase()))).toEqual([])
  }
})

describe('an answer', () => {
  beforeEach(() => savePage({}))

  test('sets no cookie, may be kept for a minute, and runs nothing but the script of this server', async () => {
    for (const form of FORMS) {
      const { headers } = await get(PATH + form, { cookie: 'overdue_session=whatever' })
      expect(headers.get('set-cookie')).toBeNull()
      expect(headers.get('cache-control')).toBe('public, max-age=60')
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; (?!.*unsafe).*form-action 'none'/)
      expect(headers.get('access-control-allow-origin')).toBe(form === '' ? null : '*')
    }
  })

  test('asks search engines to leave it out, unless the project wants them', async () => {
    expect((await get()).headers.get('x-robots-tag')).toBe('noindex')
    await savePage({ isIndexed: true })
    t.clock.advance({ seconds: 31 })
    expect((await get()).headers.get('x-robots-tag')).toBe('all')
  })

  test('is 304 for who has it, and packed for who takes that', async () => {
    for (const form of FORMS) {
      const answer = await get(PATH + form)
      const etag = answer.headers.get('etag') ?? ''
      const again = await get(PATH + form, { 'if-none-match': etag })
      expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
      const packed = await get(PATH + form, { 'accept-encoding': 'br' })
      expect(packed.headers.get('content-encoding')).toBe('br')
      expect(brotliDecompressSync(await packed.arrayBuffer()).toString()).toBe(await answer.text())
    }
  })

  test('is written once for all readers, and again after ten seconds, for which nobody waits', async () => {
    const before = await text()
    await savePage({ title: 'Another title' })
    expect(await text()).toBe(before)
    t.clock.advance({ seconds: 10 })
    let now = await text()
    expect(now).toBe(before)
    while (now === before) {
      await new Promise(setImmediate)
      now = await text()
    }
    expect(now).toContain('<h1><bdi>Another title</bdi></h1>')
  })

  test('is not older than half a minute, and is 404 by then if somebody turned the page off', async () => {
    await text()
    await savePage({ isPublic: false })
    t.clock.advance({ seconds: 30 })
    expect((await get()).status).toBe(404)
  })
})

test('hostile names are text in each form', async () => {
  const check = await nightly()
  const hostile = `</title><script>alert(1)</script>"'&\u202e]]>`
  await savePage({
    title: hostile,
    text: hostile,
    sections: [{ id: 's1', name: hostile, tag: null, services: [service(check, hostile, hostile)] }],
  })
  await ping(check, '/fail')
  t.clock.advance({ seconds: 31 })
  expect(await text()).not.toContain('<script>alert')
  expect((await json()).title).toBe(hostile)
  const feed = await text(`${PATH}.atom`)
  expect(feed).not.toMatch(/<script|\u202e|\]\]>/)
  expect(feed).toContain('<entry>')
})

test('an address gets 300 answers a minute', async () => {
  const limited = await testApp()
  try {
    const statuses: number[] = []
    for (let turn = 0; turn < 301; turn++) statuses.push((await limited.call('GET', '/status/nobody.json')).status)
    expect([statuses[299], statuses[300]]).toEqual([404, 429])
  } finally {
    await limited.close()
  }
})
