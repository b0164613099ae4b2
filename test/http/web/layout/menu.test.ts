/** The menu of each role in the app. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { ROLES } from '../../../../src/domain/account/role.ts'
import { administrator, type Browser, memberWith } from '../../../support/browser.ts'
import { scanPage } from '../../../support/page-scan.ts'
import { type TestApp, testApp } from '../../../support/test-app.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

/** Of every link in the menus of a page. */
async function statuses(browser: Browser): Promise<readonly (readonly [path: string, status: number])[]> {
  const { text } = await browser.get('/p/tests/checks')
  const menus = Array.from(text.matchAll(/<nav[\s\S]*?<\/nav>/g), ([menu]) => `<html>${menu}</html>`)
  const paths = new Set(menus.flatMap((menu) => scanPage(menu).links.map((link) => link.replace(/#.*/, ''))))
  expect(paths.size).toBeGreaterThan(5)
  return Promise.all(Array.from(paths, async (path) => [path, (await browser.get(path)).status] as const))
}

test.each(ROLES)('the menu of %s has no link that is refused', async (role) => {
  expect((await statuses(await memberWith(t, role))).filter(([, status]) => status !== 200)).toEqual([])
})

test('nor has that of an administrator', async () => {
  expect((await statuses(await administrator(t))).filter(([, status]) => status !== 200)).toEqual([])
})
