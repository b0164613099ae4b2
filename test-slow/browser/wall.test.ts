/** Walls on screens: with a session, and with keys that stay in the browser. */
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { administrator, openSiteWithAdministrator, type Person, type Site } from './support/site.ts'

let site: Site
let owner: Person
let key: string
let pingUrl: string

beforeAll(async () => {
  site = await openSiteWithAdministrator()
  owner = await administrator(site)
  const created = await site.server.overdue<{ key: string }>('key', 'create', 'Default', '--kind', 'read-write')
  key = created.key
  const made = await fetch(`${site.server.baseUrl}/api/v3/checks/`, {
    method: 'POST',
    headers: { 'X-Api-Key': key },
    body: JSON.stringify({ name: 'Nightly backup' }),
  })
  const check = (await made.json()) as { readonly ping_url: string }
  pingUrl = site.server.baseUrl + new URL(check.ping_url).pathname
})
afterEach(() => expect(site.troubles()).toEqual([]))
afterAll(() => site.close())

const large = (page: Page) => page.locator('.wall-bad h3', { hasText: 'Nightly backup' })
const counted = (page: Page) => page.locator('.big-n.up', { hasText: '1' })

test('a wall with a session and one with a key follow what happens, and no URL has the key', async () => {
  const [wall, tv] = [await site.tab({ as: owner }), await site.tab()]
  const asked: string[] = []
  tv.on('request', (request) => asked.push(request.url()))
  await wall.goto('/wall?p=default')
  await wall.locator('#live', { hasText: 'Live' }).waitFor()
  await tv.goto(`/tv/#${key}=The%20kitchen&theme=dark`)
  await tv.getByRole('heading', { level: 2, name: 'The kitchen' }).waitFor()
  expect(await tv.evaluate('document.documentElement.dataset.theme')).toBe('dark')
  expect(await tv.locator('#tv-help').count()).toBe(0)
  for (const page of [wall, tv]) await page.locator('.big-n.new', { hasText: '1' }).waitFor()

  await fetch(`${pingUrl}/fail`)
  for (const page of [wall, tv]) await large(page).waitFor()
  await fetch(pingUrl)
  for (const page of [wall, tv]) await counted(page).waitFor()

  expect(asked.filter((url) => new URL(url).pathname === '/tv/part').length).toBeGreaterThan(1)
  // The fragment of the page itself is not sent.
  expect(asked.filter((url) => url.replace(/#.*/, '').includes(key))).toEqual([])
})

test('a key that is unknown is told beside the others, and a title is only text', async () => {
  const tv = await site.tab()
  await tv.goto(`/tv/#unknown=${encodeURIComponent('<b>Attic</b>')}&${key}=`)
  await tv.getByText('<b>Attic</b>: This API key is unknown or has been revoked.').waitFor()
  await tv.getByRole('heading', { level: 2, name: 'Default' }).waitFor()
})
