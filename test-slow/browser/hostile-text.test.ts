/**
 * Hostile text that the script of a page inserts: changes while a page is open, previews while typing, filtered lists, and emails in their
 * frames. `test/http/web/hostile-text.test.ts` reads the answers of the server.
 */
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { createPingReceiver } from '../../src/services/pings/pings.ts'
import { aSignal, bytes } from '../../test/support/builders.ts'
import { HOSTILE, mailWith } from '../../test/support/hostile-texts.ts'
import { type MadeCheck, openSiteWithFakeClock, type SiteWithFakeClock } from './support/site-with-fake-clock.ts'

/** Groups of texts: a test fails if any text of a group has an effect. */
const GROUPS = Array.from({ length: 5 }, (_, group) => HOSTILE.filter((_, index) => index % 5 === group).join(' '))
const LIST = '/p/tests/checks'
/** Returns a text as a page shows it. */
const plain = (text: string) => text.replace(/\s+/g, ' ').trim()
/** Returns a text as browsers send it from a field, whose kind decides about line ends. */
const onOneLine = (text: string) => text.replace(/[\r\n]/g, '')
const short = (text: string) => text.slice(0, 100).toWellFormed()

let site: SiteWithFakeClock
let page: Page
let check: MadeCheck

beforeAll(async () => {
  site = await openSiteWithFakeClock()
  page = await site.tab({ as: await site.person('owner') })
  await page
    .context()
    .addInitScript(`document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    console.error('Content Security Policy: ' + violatedDirective + ' ' + blockedURI))`)
  check = await site.check('Pinged')
  for (const text of HOSTILE) await site.check(short(text), { tags: text.slice(0, 500), desc: text })
})
afterEach(() => expect(site.troubles()).toEqual([]))
afterAll(() => site.close())

/** Expects that the page is ours and runs nothing but our script. */
async function expectSafe(where: Page = page): Promise<void> {
  const state = await where.evaluate(`({
    ran: window.ran,
    scripts: [...document.querySelectorAll('script')].map(({ src }) => src && new URL(src).pathname)
      .filter((path) => !/^\\/assets\\/(htmx|overdue|rhythm|strips)\\.\\w+\\.js$/.test(path)),
    inline: document.querySelectorAll('style, object, embed, base, meta[http-equiv]').length,
    frames: [...document.querySelectorAll('iframe')].filter(({ sandbox, src }) => sandbox.value !== '' || src !== '').length,
    commands: document.querySelectorAll('hx-partial, [hx-get], [hx-post], [hx-on], [hx-trigger]:not(#main)').length,
    handlers: [...document.querySelectorAll('*')].flatMap((one) => one.getAttributeNames()).filter((name) => name.startsWith('on')),
    addresses: [...document.querySelectorAll('[href], [src], [action]')].map((one) => one.href ?? one.src ?? one.action)
      .filter((url) => typeof url === 'string' && new URL(url).origin !== location.origin),
    headings: document.querySelectorAll('h1').length,
    styled: getComputedStyle(document.documentElement).getPropertyValue('--text') !== '',
  })`)
  expect(state).toEqual({
    ran: undefined,
    scripts: [],
    inline: 0,
    frames: 0,
    commands: 0,
    handlers: [],
    addresses: [],
    headings: 1,
    styled: true,
  })
}

async function openSafely(path: string, where: Page = page): Promise<void> {
  await where.goto(path)
  await expectSafe(where)
}

async function openLive(path: string, where: Page = page): Promise<void> {
  await where.goto(path)
  await where.locator('#live', { hasText: 'Live' }).waitFor({ state: 'attached' })
}

test('names and tags in a list, in what a pointer shows, and in its menus', async () => {
  await openSafely(LIST)
  const shown = (await page.locator('#list tr[id] th > a:first-child').allTextContents()).map(plain)
  for (const text of HOSTILE) expect(shown).toContain(plain(short(text)))
  for (const one of (await page.locator('#list th').all()).slice(0, 20)) await one.dispatchEvent('pointerover')
  await page.locator('#filters summary', { hasText: 'Tags' }).click()
  await expectSafe()
  await page.keyboard.press('Escape')
  await page.getByLabel('Select all shown').check()
  await page.locator('#bulk summary', { hasText: 'Alerts…' }).click()
  await expectSafe()
})

test('what is typed into the search of a list, which the script fetches anew', async () => {
  await page.goto(`${LIST}?status=up`)
  // The field accepts no longer text.
  for (const text of GROUPS.map((each) => each.slice(0, 200).toWellFormed())) {
    const answered = page.waitForResponse((answer) => new URL(answer.url()).searchParams.get('q') === onOneLine(text))
    await page.getByRole('searchbox').fill(text)
    await answered
    await page.locator('#found[aria-busy]').waitFor({ state: 'detached' })
    await expectSafe()
  }
})

test('made-up pings and the keywords in them, as they are typed', async () => {
  await page.goto(`${LIST}/${check.publicId}/edit?tab=rules`)
  await page.getByText('Request body', { exact: true }).click()
  const found = page.locator('#tried .found')
  for (const [index, text] of GROUPS.entries()) {
    // A comma would make two keywords of it.
    const [keyword = ''] = text.trim().split(',')
    await page.getByLabel('Failure keywords').fill(keyword.slice(0, 200))
    await page.getByRole('textbox', { name: 'Body of the request', exact: true }).fill(`text ${index}: ${text} after`)
    await found.filter({ hasText: `text ${index}:` }).waitFor()
    await expectSafe()
  }
})

test('a schedule and its mistake, as they are typed', async () => {
  await page.goto(`${LIST}/${check.publicId}/edit?tab=schedule`)
  await page.getByText('Cron', { exact: true }).click()
  for (const text of GROUPS.map((each) => each.slice(0, 80).toWellFormed())) {
    const answered = page.waitForResponse((answer) => {
      const typed = new URLSearchParams(answer.request().postData() ?? '').get('cron') ?? ''
      return answer.url().endsWith('/schedule/preview') && onOneLine(typed) === onOneLine(text)
    })
    await page.getByLabel('Cron expression').fill(text)
    await answered
    await page.locator('#mistake[aria-busy]').waitFor({ state: 'detached' })
    await page.locator('#mistake', { hasText: 'Cron expression: ' }).waitFor()
    await expectSafe()
  }
})

test('emails in frames, which can do nothing', async () => {
  const pings = createPingReceiver(site.t.app.deps)
  for (const [index, text] of GROUPS.entries()) {
    const body = bytes(mailWith(text))
    await pings.receive({ kind: 'id', id: check.uuid }, aSignal({ scheme: 'email', method: '', ua: 'Email', body }))
    await openSafely(`${LIST}/${check.publicId}/log/${index + 1}`)
    for (const part of await page.locator('details.part').all()) await part.locator('summary').click()
    await expectSafe()
    const frame = page.frameLocator('iframe.mail').locator('body')
    expect(await frame.locator('script, style, img, iframe, a[href], form, input').count()).toBe(0)
  }
})

test('what changes while pages are open comes by the stream, as text too', async () => {
  const another = () => page.context().newPage()
  const others = await Promise.all([another(), another(), another(), another()])
  const [list, wrong, one, log, alerts] = [page, ...others]
  if (!wrong || !one || !log || !alerts) throw new Error('there are five pages')
  const own = `${LIST}/${check.publicId}`
  for (const [where, at] of [
    [list, LIST],
    [wrong, '/'],
    [one, own],
    [log, `${own}/log`],
    [alerts, '/p/tests/alerts'],
  ] as const) {
    await openLive(at, where)
  }
  for (const [index, text] of GROUPS.entries()) {
    const edit = { name: short(`${index} ${text}`), tags: text.slice(0, 500), desc: text }
    await site.t.call('POST', `/api/v3/checks/${check.uuid}`, { key: site.t.keys.apiKey, json: edit })
    await fetch(`${check.pingUrl}/fail`, {
      method: 'POST',
      body: `round ${index} ${text}`,
      headers: { 'User-Agent': text.replace(/[^\x20-\x7e]/g, '') },
    })
    await list.locator('#needs').getByText(`round ${index} `).waitFor()
    await wrong.locator('#wrong').getByText(`round ${index} `).waitFor()
    await one.locator('#runs').getByText(`round ${index} `).waitFor()
    // Items that a stream adds to the list have names that strangers chose, too.
    const added = await site.check(short(`new ${index} ${text}`), { tags: text.slice(0, 500) })
    await list.locator(`tr#c${added.publicId}`).waitFor()
    await fetch(`${added.pingUrl}/fail`)
    await list.locator(`#needs tr#c${added.publicId}.down`).waitFor()
    for (const where of [list, wrong, one, log, alerts]) await expectSafe(where)
  }
  // A screen reader announces the names of checks that go down.
  await list.locator('#announcements', { hasText: /is down|checks changed/ }).waitFor({ state: 'attached' })
  expect(await list.locator('#announcements *').count()).toBe(0)
  for (const where of others) await where.close()
}, 120_000)

test('the name of a check that is paused, beside the toast that says so', async () => {
  await openSafely(`${LIST}/${check.publicId}`)
  await page.locator('.menu summary').click()
  await Promise.all([page.waitForNavigation(), page.getByRole('button', { name: 'Pause', exact: true }).click()])
  await page.locator('[data-toast]', { hasText: 'paused' }).waitFor()
  await expectSafe()
})
