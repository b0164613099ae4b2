/** Pages below a SITE_ROOT with a path: whether the proxy strips the path or keeps it, all links lead below it. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { upsertCheck } from '../../../src/services/checks/checks.ts'
import { type Browser, memberWith, openBrowser } from '../../support/browser.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

const ROOT = '/tools/watch'

let t: TestApp
let owner: Browser
/** path of the check */
let check: string
beforeAll(async () => {
  t = await testApp({ env: { SITE_ROOT: `https://example.org${ROOT}`, EMAIL_HOST: 'mail.example.org' } })
  owner = await memberWith(t, 'owner')
  const { publicId } = (await upsertCheck(t.app.deps, t.actor, { name: 'Backup' }, false)).check
  check = `/p/tests/checks/${publicId}`
})
afterAll(() => t.close())

describe.each(['', ROOT])('asked at "%s"', (prefix) => {
  test.each([
    '/projects',
    '/projects/new',
    '/p/tests/checks',
    '/p/tests/first-ping',
    '/p/tests/settings',
    '/account',
    '/account/security',
    '/account/sessions',
    '/docs/api',
    '/wall?p=tests',
    '/tv/',
  ])('every address on %s is below SITE_ROOT', async (path) => {
    const { status, text } = await owner.get(prefix + path)
    expect(status).toBe(200)
    const links = Array.from(
      text.matchAll(/ (?:href|src|action|data-live|data-part|hx-sse:connect)="([^"#]+)"/g),
      ([, link = '']) => link,
    )
    expect(links.length).toBeGreaterThan(3)
    const outside = links.filter(
      (link) => !link.startsWith(`${ROOT}/`) && !link.startsWith(`https://example.org${ROOT}/`),
    )
    expect(outside).toEqual([])
  })

  test('so are forms about a check, and what they are previewed by', async () => {
    const { text } = await owner.get(`${prefix}${check}/edit?tab=rules`)
    expect(text).toContain(`action="${ROOT}${check}/edit?tab=rules"`)
    expect(text).toContain(`data-preview="${ROOT}${check}/edit/rules/preview"`)
  })

  test('so are redirects, with the page that was asked for', async () => {
    const stranger = openBrowser(t)
    expect((await stranger.get(`${prefix}/account?x=1`)).location).toBe(`${ROOT}/sign-in?next=%2Faccount%3Fx%3D1`)
    expect((await stranger.get(`${prefix}/`)).location).toBe(`${ROOT}/sign-in`)
    expect((await owner.get(`${prefix}/sign-in?next=/account`)).location).toBe(`${ROOT}/account`)
    expect((await owner.post(`${prefix}/p/tests/settings`, { name: `Tests${prefix}`, limit: '100' })).location).toBe(
      `${ROOT}/p/tests/settings?done=saved`,
    )
  })

  test('forms of strangers too', async () => {
    for (const path of ['/sign-in', '/sign-in/link', '/password']) {
      expect((await openBrowser(t).get(prefix + path)).text).toContain(`action="${ROOT}${path}"`)
    }
  })
})
