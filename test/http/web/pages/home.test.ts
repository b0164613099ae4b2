import { afterEach, expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../../support/test-app.ts'

let t: TestApp
afterEach(() => t.close())

test('the home page links to what there is and escapes the name of the site', async () => {
  t = await testApp({ env: { SITE_NAME: '<b>Ours</b>', SITE_ROOT: 'https://example.org/watch' } })
  for (const path of ['/', '/watch', '/watch/']) {
    const answer = await t.call('GET', path)
    expect(answer.status).toBe(200)
    const page = await answer.text()
    expect(page).toContain('&lt;b&gt;Ours&lt;/b&gt;')
    expect(page).toContain('href="/watch/docs/api"')
  }
  expect((await t.call('POST', '/')).status).toBe(405)
  expect((await t.call('HEAD', '/')).status).toBe(200)
})

test('the title of a site without a name of its own is Overdue, once', async () => {
  t = await testApp()
  expect(await (await t.call('GET', '/')).text()).toContain('<title>Overdue</title>')
})
