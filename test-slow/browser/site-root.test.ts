/** Unusual addresses: below a path behind a proxy, and plain http on a name in the network. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { freePort } from '../../test/support/free-port.ts'
import { ADMINISTRATOR, fillSignIn, openSite, openSiteWithAdministrator, PASSWORD, type Site } from './support/site.ts'

let site: Site

afterEach(() => expect(site.troubles()).toEqual([]))

describe('below a path', () => {
  let proxy: ReturnType<typeof Bun.serve>
  const refused: string[] = []

  beforeAll(async () => {
    const port = freePort()
    site = await openSiteWithAdministrator({ SITE_ROOT: `http://127.0.0.1:${port}/tools/overdue` })
    proxy = Bun.serve({
      port,
      hostname: '127.0.0.1',
      idleTimeout: 0,
      fetch(request) {
        const { pathname, search } = new URL(request.url)
        // Another program has the rest of the name.
        if (!pathname.startsWith('/tools/overdue/') && pathname !== '/tools/overdue') {
          refused.push(pathname)
          return new Response('another program', { status: 418 })
        }
        const { method, headers, body } = request
        const url = site.server.baseUrl + pathname + search
        return fetch(url, { method, headers, body, redirect: 'manual', decompress: false })
      },
    })
  })
  afterAll(async () => {
    await proxy.stop(true)
    await site.close()
  })

  test('every link, form, file and redirect of a walk stays below the path', async () => {
    const page = await site.tab({ baseURL: `${proxy.url.origin}/tools/overdue/` })
    const failed: string[] = []
    page.on('response', (response) => {
      if (response.status() >= 400) failed.push(`${response.status()} ${response.url()}`)
    })
    await page.goto('')
    await fillSignIn(page, ADMINISTRATOR)
    await page.getByRole('link', { name: 'Default' }).click()
    await page.getByRole('link', { name: 'Set up the first ping' }).click()
    await page.getByLabel('Name').fill('First job')
    await page.getByRole('button', { name: 'Create the first check' }).click()
    const pingUrl = String(await page.getByLabel('Ping URL', { exact: true }).textContent())
    expect(pingUrl).toStartWith(`${proxy.url.origin}/tools/overdue/ping/`)
    await Promise.all([page.getByText('First ping received.').waitFor(), fetch(pingUrl)])
    await page.getByRole('link', { name: 'Go to checks' }).click()
    await page.locator('#live', { hasText: 'Live' }).waitFor({ state: 'attached' })
    await fetch(`${pingUrl}/fail`)
    await page.locator('#list tr.down').getByRole('link', { name: 'First job' }).click()
    await page.locator('#live', { hasText: 'Live' }).waitFor({ state: 'attached' })
    await page.locator('.menu summary').click()
    await page.getByRole('button', { name: 'Pause', exact: true }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('restored.').waitFor()
    await page.getByRole('link', { name: 'Open the log' }).click()
    await page.getByRole('link', { name: 'Failed #2' }).click()
    await page.getByRole('link', { name: 'Close' }).click()
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.locator('#live', { hasText: 'Live' }).waitFor({ state: 'attached' })
    await page.locator('#wrong').getByRole('button', { name: 'Pause' }).click()
    await page.getByText('1 check paused.').waitFor()
    await page.getByRole('link', { name: 'Checks', exact: true }).first().click()
    await page.getByRole('checkbox', { name: 'Select', exact: true }).check()
    await page.getByRole('button', { name: 'Resume', exact: true }).click()
    await page.getByText('1 check resumed.').waitFor()
    await page.getByRole('link', { name: 'Project settings' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('Tools')
    await page.getByRole('button', { name: 'Save settings' }).click()
    await page.getByText('Saved.').waitFor()
    await page.getByRole('link', { name: 'Help' }).first().click()
    await page.getByRole('link', { name: 'API reference' }).first().click()
    await page.getByRole('link', { name: 'Overdue', exact: true }).click()
    await page.getByRole('link', { name: ADMINISTRATOR }).click()
    const [cookie] = await page.context().cookies()
    expect(cookie?.path).toBe('/tools/overdue')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('You are signed out.').waitFor()
    expect(await page.context().cookies()).toEqual([])
    expect([...failed, ...refused]).toEqual([])
  })
})

describe('over plain http on a name in the network', () => {
  let page: Page

  beforeAll(async () => {
    site = await openSite({ ADMIN_EMAIL: ADMINISTRATOR, ADMIN_PASSWORD: PASSWORD }, [
      '--host-resolver-rules=MAP overdue.test 127.0.0.1',
    ])
    page = await site.tab({ baseURL: site.server.baseUrl.replace('127.0.0.1', 'overdue.test') })
  })
  afterAll(() => site.close())

  test('the sign-in works, although SITE_ROOT has another name', async () => {
    await page.goto('/sign-in?next=/p/default/first-ping')
    await fillSignIn(page, ADMINISTRATOR)
    await page.getByLabel('Name').fill('First job')
    await page.getByRole('button', { name: 'Create the first check' }).click()
    await page.getByText('Waiting for the first ping…').waitFor()
    expect(await page.evaluate('isSecureContext')).toBe(false)
  })

  test('there is no button that could not copy, and a click selects the whole text', async () => {
    expect(await page.getByRole('button', { name: /copy/i }).count()).toBe(0)
    for (const name of ['Ping URL', 'bash snippet']) {
      const source = page.getByLabel(name, { exact: true })
      await source.click()
      expect(await page.evaluate('getSelection().toString().trim()')).toBe(String(await source.textContent()).trim())
    }
  })
})
