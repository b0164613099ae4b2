/** The menu of each role in the app, and its keys in the documents. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import pages from '../../../../docs/pages.md' with { type: 'text' }
import { ROLES } from '../../../../src/domain/account/role.ts'
import { MENU } from '../../../../src/http/web/pages/index.ts'
import { administrator, type Browser, memberWith } from '../../../support/browser.ts'
import { scanPage } from '../../../support/page-scan.ts'
import { type TestApp, testApp } from '../../../support/test-app.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

/** Returns the status of every link in the menus of a page. */
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

test('the documents have its keys in its order, with its words', () => {
  const rows = pages.matchAll(/^\| `g` then (.*?) \| (.*?) \|$/gm)
  const documented = Array.from(rows, ([, keys = '', words = '']) => [keys.match(/\w/g)?.join(''), words])
  const placed = [...MENU.main, MENU.search, MENU.account, MENU.help].filter((place) => !place.isForAdministrators)
  const words = placed.map(({ text }) => text.replace(' everything', '').toLowerCase())
  expect(documented).toEqual([
    [placed.map(({ key }) => key).join(''), words.join(', ')],
    ...MENU.main.flatMap(({ key, text, isForAdministrators }) =>
      isForAdministrators ? [[key, `${text.toLowerCase()} (administrators)`]] : [],
    ),
  ])
})
