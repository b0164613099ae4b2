/** What each role sees in a browser, and what it may do. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import {
  administrator,
  become,
  openSiteWithAdministrator,
  type Person,
  plainSlugs,
  type Site,
  send,
} from './support/site.ts'

const ROLES = ['owner', 'manager', 'member', 'read-only'] as const
/** Every page of a project. */
const PAGES = ['checks', 'first-ping', 'settings', 'team'] as const

interface Keys {
  readonly api_key: string
  readonly api_key_readonly: string
  readonly ping_key: string
}

let site: Site
let people: Readonly<Record<(typeof ROLES)[number] | 'stranger' | 'administrator', Person>>
let keys: Keys
let pingUrl: string
let page: Page

beforeAll(async () => {
  site = await openSiteWithAdministrator()
  const { server } = site
  keys = await server.overdue<Keys>('project', 'create', 'Harbour Books')
  await plainSlugs(server)
  const answer = await fetch(`${server.baseUrl}/api/v3/checks/`, {
    method: 'POST',
    headers: { 'X-Api-Key': keys.api_key },
    body: JSON.stringify({ name: 'Nightly backup', slug: 'nightly-backup', tags: 'prod' }),
  })
  pingUrl = ((await answer.json()) as { ping_url: string }).ping_url
  const person = async (role: string) => {
    const created = await site.person(`${role}@example.org`)
    if (role !== 'stranger') {
      await server.overdue('project', 'member', 'add', 'Harbour Books', created.email, '--role', role)
    }
    return [role, created] as const
  }
  const all = await Promise.all([...ROLES, 'stranger'].map(person))
  people = { ...Object.fromEntries(all), administrator: await administrator(site) } as typeof people
  page = await site.tab()
})
afterEach(() => expect(site.troubles()).toEqual([]))
afterAll(() => site.close())

function secrets(): readonly string[] {
  return [new URL(pingUrl).pathname.replace('/ping/', ''), keys.ping_key, keys.api_key, keys.api_key_readonly]
}

describe('An account that is no member', () => {
  test('sees an empty list of projects, and the project in no menu', async () => {
    await become(page, site, people.stranger)
    await page.goto('/projects')
    expect(await page.getByRole('heading', { name: 'No projects' }).count()).toBe(1)
    expect(await page.content()).not.toContain('Harbour Books')
  })

  test.each(PAGES)('gets the same 404 for its page %s as for a project that does not exist', async (name) => {
    await become(page, site, people.stranger)
    const read = async (slug: string) => {
      const answer = await page.goto(`/p/${slug}/${name}`)
      return [answer?.status(), await page.content()]
    }
    const [status, text] = await read('harbour-books')
    expect(status).toBe(404)
    expect(text).toContain('There is no such page')
    expect(await read('no-such-project')).toEqual([status, text])
  })
})

describe('A read-only member', () => {
  test('finds no ping URL and no key in any page of the project', async () => {
    await become(page, site, people['read-only'])
    for (const name of ['checks', 'first-ping', 'settings', 'live?view=first-ping']) {
      await page.goto(`/p/harbour-books/${name}`)
      const text = await page.content()
      for (const secret of secrets()) expect(text).not.toContain(secret)
    }
    await page.goto('/p/harbour-books/checks')
    await page.getByRole('row', { name: 'Nightly backup' }).waitFor()
  })

  test('is told by words that changes are for others', async () => {
    await become(page, site, people['read-only'])
    await page.goto('/p/harbour-books/first-ping')
    expect(await page.locator('main').textContent()).toContain('You may look at this project, not change it.')
  })
})

/** The status of each page, and of a POST to it. */
const ALLOWED = {
  administrator: { checks: 200, 'first-ping': 200, settings: 200, team: 200, ping: 303, rename: 303 },
  owner: { checks: 200, 'first-ping': 200, settings: 200, team: 200, ping: 303, rename: 303 },
  manager: { checks: 200, 'first-ping': 200, settings: 200, team: 200, ping: 303, rename: 403 },
  member: { checks: 200, 'first-ping': 200, settings: 200, team: 200, ping: 303, rename: 403 },
  'read-only': { checks: 200, 'first-ping': 403, settings: 403, team: 200, ping: 403, rename: 403 },
  stranger: { checks: 404, 'first-ping': 404, settings: 404, team: 404, ping: 404, rename: 404 },
} as const

test.each(Object.entries(ALLOWED))('%s may open and change exactly what the role includes', async (role, allowed) => {
  const person = people[role as keyof typeof people]
  const { baseUrl } = site.server
  for (const name of PAGES) {
    const answer = await fetch(`${baseUrl}/p/harbour-books/${name}`, { headers: { cookie: person.cookie } })
    expect([name, answer.status]).toEqual([name, allowed[name]])
  }
  const change = (path: string, fields: Record<string, string>) =>
    send(baseUrl, `/p/harbour-books/${path}`, fields, { cookie: person.cookie })
  expect((await change('first-ping', { action: 'send-ping' })).status).toBe(allowed.ping)
  expect((await change('settings', { name: 'Harbour Books', limit: '100' })).status).toBe(allowed.rename)
})

test.each(['administrator', 'owner', 'manager', 'member', 'read-only'] as const)(
  'the menu of %s has no link that is refused',
  async (role) => {
    await become(page, site, people[role])
    await page.goto('/p/harbour-books/checks')
    const links = await page.locator('nav a').evaluateAll((all) => all.map((link) => String(link.getAttribute('href'))))
    for (const path of new Set(links)) {
      const answer = await page.request.get(path)
      expect([path, answer.status()]).toEqual([path, 200])
    }
  },
)

test('A page that waits for the first ping leads its reader away when the role is lost', async () => {
  const { server } = site
  const leaver = await site.person('leaver@example.org')
  await server.overdue('project', 'create', 'Short Term')
  await plainSlugs(server)
  await server.overdue('project', 'member', 'add', 'Short Term', leaver.email)
  await become(page, site, leaver)
  await page.goto('/p/short-term/first-ping')
  const opened = page.waitForRequest(/live\?view=first-ping&/)
  await page.getByRole('button', { name: 'Make the first check' }).click()
  await opened
  await page.getByText('Waiting for the first ping…').waitFor()
  await server.overdue('project', 'member', 'remove', 'Short Term', leaver.email)
  // The server notices within a second or so what the command has written, and the browser opens the stream again.
  await page.getByRole('heading', { name: 'There is no such page' }).waitFor({ timeout: 30_000 })
}, 60_000)
