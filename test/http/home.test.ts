import { afterEach, expect, test } from 'bun:test'
import { type TestApp, testApp } from '../support/test-app.ts'

let t: TestApp
afterEach(() => t.close())

test('the address of the server leads to what there is, whatever its name', async () => {
  t = await testApp({ env: { SITE_NAME: '<b>Ours</b>', SITE_ROOT: 'https://example.org/watch' } })
  for (const path of ['/', '/watch', '/watch/']) {
    const answer = await t.call('GET', path)
    expect(answer.status).toBe(200)
    const page = await answer.text()
    expect(page).toContain('&lt;b&gt;Ours&lt;/b&gt;')
    expect(page).toContain('href="https://example.org/watch/docs/api"')
  }
  expect((await t.call('POST', '/')).status).toBe(405)
  expect((await t.call('HEAD', '/')).status).toBe(200)
})
