/** The home page for strangers. */
import { afterEach, expect, test } from 'bun:test'
import { addAccount, openBrowser } from '../../../../support/browser.ts'
import { type TestApp, testApp } from '../../../../support/test-app.ts'

let t: TestApp
afterEach(() => t.close())

test('while nobody has an account, it says where the link is, and escapes the name of the site', async () => {
  t = await testApp({ env: { SITE_NAME: '<b>Ours</b>', SITE_ROOT: 'https://example.org/watch' } })
  for (const path of ['/', '/watch', '/watch/']) {
    const answer = await t.call('GET', path)
    expect(answer.status).toBe(200)
    const page = await answer.text()
    expect(page).toContain('&lt;b&gt;Ours&lt;/b&gt;')
    expect(page).toContain('<code>overdue account link</code>')
    expect(page).toContain('href="/watch/docs/api"')
  }
  expect((await t.call('HEAD', '/')).status).toBe(200)
})

test('when there is an account, it leads strangers to the sign-in', async () => {
  t = await testApp({ env: { SITE_ROOT: 'https://example.org/watch' } })
  await addAccount(t)
  expect((await openBrowser(t).get('/')).location).toBe('/watch/sign-in')
})

test('the title of a site without a name of its own is Overdue, once', async () => {
  t = await testApp()
  expect(await (await t.call('GET', '/')).text()).toContain('<title>Overdue</title>')
})
