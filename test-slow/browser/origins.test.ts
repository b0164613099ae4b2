/** Pages of other sites: they can neither write with the reader's cookie nor put a page into a frame. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { administrator, openSiteWithAdministrator, type Person, type Site } from './support/site.ts'

let site: Site
let owner: Person
let elsewhere: ReturnType<typeof Bun.serve>
let served = ''

beforeAll(async () => {
  site = await openSiteWithAdministrator()
  owner = await administrator(site)
  elsewhere = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => new Response(served, { headers: { 'content-type': 'text/html' } }),
  })
})
afterAll(async () => {
  await elsewhere.stop(true)
  await site.close()
})

/** Opens a page of another origin. @param host `127.0.0.1`: the same site, so the browser sends the cookie */
async function openElsewhere(html: string, host: '127.0.0.1' | 'localhost'): Promise<Page> {
  served = html
  const page = await site.tab({ as: owner })
  await page.goto(`http://${host}:${elsewhere.port}/`)
  return page
}

const projectNames = async () => {
  const answer = await fetch(`${site.server.baseUrl}/projects`, { headers: { cookie: owner.cookie } })
  return [...(await answer.text()).matchAll(/<b><bdi>(.*?)<\/bdi><\/b><small>/g)].map(([, name]) => name)
}

test.each([
  ['an address on the same site, with the cookie', '127.0.0.1', 403],
  ['another site, without the cookie', 'localhost', 401],
] as const)('A form on %s changes nothing', async (_, host, status) => {
  const form = `<form method="post" action="${site.server.baseUrl}/projects/new"><input name="name" value="Forged"><button>Win</button></form>`
  const page = await openElsewhere(form, host)
  const answered = page.waitForResponse((response) => response.request().method() === 'POST')
  await page.getByRole('button').click()
  expect((await answered).status()).toBe(status)
  expect(await projectNames()).toEqual(['Default'])
})

test('A script on another origin can neither send a form nor read a page', async () => {
  const page = await openElsewhere('', '127.0.0.1')
  const { baseUrl } = site.server
  const outcome = await page.evaluate(`Promise.all([
    fetch('${baseUrl}/projects/new', { method: 'POST', credentials: 'include', body: new URLSearchParams({ name: 'Forged' }) }),
    fetch('${baseUrl}/projects', { credentials: 'include' }),
  ].map((answer) => answer.then(() => 'read', (error) => error.name)))`)
  expect(outcome).toEqual(['TypeError', 'TypeError'])
  expect(await projectNames()).toEqual(['Default'])
})

test.each(['127.0.0.1', 'localhost'] as const)('No page shows in a frame of a page at %s', async (host) => {
  const page = await openElsewhere('', host)
  const refusals: string[] = []
  page.on('console', (message) => refusals.push(message.text()))
  const paths = ['/projects', '/sign-in', '/docs/api', '/no-such-page']
  served = paths.map((path) => `<iframe src="${site.server.baseUrl}${path}"></iframe>`).join('')
  await page.reload()
  for (const frame of page.frames().slice(1)) {
    await frame.waitForLoadState()
    expect(await frame.locator('main').count()).toBe(0)
  }
  expect(refusals.filter((text) => text.includes('frame-ancestors')).length).toBe(paths.length)
})
