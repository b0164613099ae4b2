/** The list of checks: their states, what hostile clients wrote, and what readers may not see. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { pauseCheck, upsertCheck } from '../../../../src/services/checks.ts'
import { type Browser, memberWith } from '../../../support/browser.ts'
import { type TestApp, testApp } from '../../../support/test-app.ts'

const PATH = '/p/tests/checks'

let t: TestApp
let member: Browser
beforeEach(async () => {
  t = await testApp()
  member = await memberWith(t, 'member', { tz: 'Europe/Riga' })
})
afterEach(() => t.close())

const add = async (spec: Readonly<Record<string, unknown>>) =>
  (await upsertCheck(t.app.deps, t.actor, spec, false)).check
const page = async () => (await member.get(PATH)).text
const rows = (text: string) =>
  Array.from(text.matchAll(/<span class="word \w+">.*?<span>(\w+)<\/span>.*?<th scope="row">(.*?)<\/th>/g), (row) =>
    [row[1], row[2]?.replace(/<[^>]+>/g, '').trim()].join(' '),
  )

test('a project without checks leads who may write to the first ping, and a reader nowhere', async () => {
  const text = await page()
  expect(text).toContain('<h2>No checks yet</h2>')
  expect(text).toContain('href="/p/tests/first-ping"')
  const reader = await memberWith(t, 'read-only')
  const read = await reader.get(PATH)
  expect(read.text).toContain('<h2>No checks yet</h2>')
  expect(read.text).not.toContain('first-ping')
})

test('each state has its word, and those that need the reader come first', async () => {
  const paused = await add({ name: 'is paused' })
  await pauseCheck(t.app.deps, t.actor, paused)
  await add({ name: 'is new' })
  const down = await add({ name: 'is down', timeout: 60, grace: 60 })
  const late = await add({ name: 'is late', timeout: 60, grace: 3600 })
  const up = await add({ name: 'is up', timeout: 86_400 })
  const started = await add({ name: 'is running', timeout: 86_400 })
  for (const { id } of [down, late, up]) await t.call('GET', `/ping/${id}`)
  await t.call('GET', `/ping/${started.id}/start`)
  t.clock.advance({ minutes: 10 })
  await t.app.settle('overdue')
  const text = await page()
  expect(rows(text)).toEqual([
    'Down is down',
    'Late is late',
    'Running is running',
    'Up is up',
    'New is new',
    'Paused is paused',
  ])
  expect(text).toContain('6 checks, 1 down, 1 late.')
  expect(text).toContain('title="Wed 4 Mar 2026, 14:00:00 EET (12:00:00 UTC)" data-relative>10 min ago</time>')
})

test('a project in which all is well says so', async () => {
  await add({ name: 'one' })
  expect(await page()).toContain('1 check, none is down or late.')
})

test('names and tags are text, and controls that would reorder a line are enclosed', async () => {
  await add({ name: `<script>alert(1)</script>"'\u0007`, tags: `<b> a"onclick=x \u202egnp` })
  await add({ name: '' })
  const text = await page()
  expect(text).toContain('<bdi>&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;␇</bdi>')
  expect(text).toContain('<span class="tag"><bdi>&lt;b&gt;</bdi></span>')
  expect(text).toContain('<span class="tag"><bdi>a&quot;onclick=x</bdi></span>')
  expect(text).toContain('<bdi>\u202egnp</bdi>')
  expect(text).toContain('<span class="muted">no name</span>')
  expect(text).not.toMatch(/<script>|<b> |\sonclick=/)
})

test('of more than 500 checks, those that need the reader are shown, and all are counted', async () => {
  for (let index = 0; index < 501; index++) await add({ name: `job ${index}` })
  const failed = await add({ name: 'broken' })
  await t.call('GET', `/ping/${failed.id}/fail`)
  const text = await page()
  expect(rows(text)).toHaveLength(500)
  expect(rows(text)[0]).toBe('Down broken')
  expect(text).toContain('Only 500 are shown, those that are down or late first.')
  expect(text).toContain('502 checks, 1 down.')
})

describe('a read-only member', () => {
  test('gets no UUID, no ping URL and no key in any page', async () => {
    const check = await add({ name: 'Backup', slug: 'backup' })
    await t.call('GET', `/ping/${check.id}`)
    const reader = await memberWith(t, 'read-only')
    const secrets = [check.id, check.badgeKey, t.project.id, '/ping/', ...Object.values(t.keys)]
    const paths = [
      PATH,
      '/projects',
      '/projects/new',
      '/p/tests/first-ping',
      '/p/tests/live?view=first-ping',
      '/p/tests/settings',
      '/account',
      '/account/security',
      '/account/sessions',
    ]
    for (const path of paths) {
      const { text } = await reader.get(path)
      expect([path, secrets.filter((secret) => text.includes(secret))]).toEqual([path, []])
    }
    expect((await reader.get(PATH)).text).toContain('<bdi>Backup</bdi>')
    expect((await reader.post('/p/tests/first-ping')).status).toBe(403)
  })
})

test('who is no member can’t tell the project from one that does not exist', async () => {
  const outsider = await memberWith(t, 'owner')
  await t.app.deps.store
    .by({ changeId: 'x', kind: 'command', accountId: null, name: '', address: null, at: t.clock.now() })
    .removeMember(outsider.account.id, t.project.id)
  const [real, made] = [await outsider.get(PATH), await outsider.get('/p/nowhere/checks')]
  expect([real.status, made.status]).toEqual([404, 404])
  expect(real.text).toBe(made.text)
})
