/** A check from its creation to its recovery, as open pages show it, with a day of silence in an instant. */

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Page, Request } from 'playwright-core'
import { createProject } from '../../src/services/projects/projects.ts'
import { addAccount, setRole, signedIn } from '../../test/support/browser.ts'
import { anAuthor } from '../../test/support/store-builders.ts'
import { eventually } from '../support/eventually.ts'
import type { Person } from './support/site.ts'
import { type MadeCheck, openSiteWithFakeClock, type SiteWithFakeClock } from './support/site-with-fake-clock.ts'

let site: SiteWithFakeClock
let owner: Person

beforeAll(async () => {
  site = await openSiteWithFakeClock()
  owner = await site.person('owner')
})
afterEach(() => expect(site.troubles()).toEqual([]))
afterAll(() => site.close())

const LIST = '/p/tests/checks'
const row = (page: Page, { publicId }: Pick<MadeCheck, 'publicId'>) => page.locator(`tr#c${publicId}`)
const stateOf = (page: Page, check: Pick<MadeCheck, 'publicId'>, state: string) =>
  page.locator(`tr#c${check.publicId}.${state}`).waitFor()
const ping = (url: string) => fetch(url)

/** Opens a page, and waits until its stream is open. */
async function openLive(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.locator('#live', { hasText: 'Live' }).waitFor({ state: 'attached' })
}

/** Marks the current document. A page that is loaded again has no mark. */
const mark = (page: Page) => page.evaluate('window.isMarked = true')
const isMarked = (page: Page) => page.evaluate('window.isMarked === true')
const titled = (page: Page, start: string) =>
  eventually(`the title begins with ${start}`, async () => (await page.title()).startsWith(start))
const iconed = (page: Page, name: string) =>
  page.locator(`link[rel="icon"][href$="/${name}.svg"]`).waitFor({ state: 'attached' })
const said = (page: Page, words: string) =>
  page.locator('#announcements', { hasText: words }).waitFor({ state: 'attached' })

test('a check is made, pinged, falls silent, is told, and recovers, before the eyes of its reader', async () => {
  const list = await site.tab({ as: owner })
  await list.goto(LIST)
  await list.getByRole('link', { name: 'New check' }).click()
  await list.getByLabel('Name', { exact: true }).fill('Nightly backup')
  await list.getByRole('button', { name: 'Create check' }).click()
  await list.getByRole('heading', { level: 1, name: 'Nightly backup' }).waitFor()
  const path = new URL(list.url()).pathname
  const check = { publicId: String(path.split('/').at(-1)) }
  const pingUrl = String(await list.getByLabel('Ping URL', { exact: true }).textContent())

  const [wrong, one] = [await list.context().newPage(), await list.context().newPage()]
  await openLive(list, LIST)
  await openLive(wrong, '/')
  await openLive(one, path)
  const all = [list, wrong, one]
  for (const page of all) await mark(page)
  await stateOf(list, check, 'new')

  await ping(pingUrl)
  await stateOf(list, check, 'up')
  await row(list, check)
    .getByText(/^\d+ s$|^now$/)
    .first()
    .waitFor()
  await one.locator('#now').getByText('Up.').waitFor()
  await one.locator('#runs').getByText('OK', { exact: true }).waitFor()
  await wrong.getByText('1 check, all good.').waitFor()

  await site.wind({ hours: 24, minutes: 1 })
  await stateOf(list, check, 'late')
  await row(list, check).getByText(', no ping yet').waitFor()
  await wrong.locator(`#c${check.publicId}`).getByText(', no ping yet').waitFor()
  await one.locator('#now').getByText(', no ping yet').waitFor()
  for (const page of all) expect(await page.title()).not.toMatch(/^\(/)
  expect(site.alerts).toEqual([])

  await site.wind({ hours: 1 })
  await stateOf(list, check, 'down')
  await said(list, 'Nightly backup is down')
  await list.locator('#needs').locator(`#c${check.publicId}`).waitFor()
  await wrong.locator(`#c${check.publicId}`).getByText('Down for').waitFor()
  await wrong.getByText('1 check down').waitFor()
  await one.locator('#now').getByText('Down for').waitFor()
  await one.locator('#now').getByText('1 of 1').waitFor()
  for (const page of all) {
    await titled(page, '(1) ')
    await iconed(page, 'favicon-down')
    await page.locator('nav.side [data-tally="down"]', { hasText: '1' }).waitFor()
  }

  const link = /http[^"\s|>]+\/cloaked\/[0-9a-f]{40}\//.exec(site.alerts.join())?.[0]
  const fromAlert = await list.context().newPage()
  await fromAlert.goto(String(link))
  expect(new URL(fromAlert.url()).pathname).toBe(path)
  await fromAlert.close()

  await ping(pingUrl)
  await stateOf(list, check, 'up')
  await said(list, 'Nightly backup is up again')
  await list.locator('#expected').locator(`#c${check.publicId}`).waitFor()
  await wrong.locator('#back-to-normal').getByText('Nightly backup').waitFor()
  await wrong.getByText('1 check, all good.').waitFor()
  await one.locator('#now').getByText('Up again after').waitFor()
  for (const page of all) {
    await iconed(page, 'favicon')
    await page.locator('nav.side [data-tally="down"]').waitFor({ state: 'hidden' })
    expect(await page.title()).not.toMatch(/^\(/)
    expect(await isMarked(page)).toBe(true)
  }
  await site.t.app.settle('deliveries')
  expect(site.alerts).toHaveLength(2)
  await list.context().close()
}, 120_000)

test('the menu of every page of a project says how many alerts wait or failed', async () => {
  const check = await site.check('Owed')
  const page = await site.tab({ as: owner })
  await openLive(page, '/p/tests/badges')
  const tally = page.locator('nav.side [data-tally="undelivered"]')
  expect(await tally.isVisible()).toBe(false)
  await ping(`${check.pingUrl}/fail`)
  await tally.getByText('1 waiting or failed').waitFor()
  await site.t.app.settle('deliveries')
  await tally.waitFor({ state: 'hidden' })
  await ping(check.pingUrl)
  await site.t.app.settle('deliveries')
  await page.context().close()
}, 60_000)

test('times of a page go on by themselves', async () => {
  const check = await site.check('Ticking')
  await ping(check.pingUrl)
  const page = await site.tab({ as: owner })
  await openLive(page, LIST)
  await page.clock.setFixedTime(site.t.clock.now().epochMilliseconds + 3 * 3_600_000)
  await row(page, check).getByText('3 h', { exact: true }).waitFor()
  await page.context().close()
})

describe('a reader who is busy with the list', () => {
  let page: Page
  let quiet: MadeCheck
  let other: MadeCheck

  beforeAll(async () => {
    quiet = await site.check('A quiet one', { timeout: 3600, grace: 3600 })
    other = await site.check('Another one', { timeout: 3600, grace: 3600 })
    page = await site.tab({ as: owner })
    await page.goto(LIST)
  })
  afterAll(() => page.context().close())

  const place = (check: MadeCheck) =>
    page.evaluate<number>(
      `[...document.querySelectorAll('#list tr[id]')].findIndex(({ id }) => id === 'c${check.publicId}')`,
    )

  test('keeps the tick and the place of a row that changes while it is selected', async () => {
    await ping(quiet.pingUrl)
    await ping(other.pingUrl)
    await openLive(page, LIST)
    await mark(page)
    await row(page, quiet).getByRole('checkbox').check()
    await page.mouse.move(0, 0)
    const before = await place(quiet)
    await ping(`${quiet.pingUrl}/fail`)
    await stateOf(page, quiet, 'down')
    await page.getByText('1 check has moved.').waitFor()
    expect(await row(page, quiet).getByRole('checkbox').isChecked()).toBe(true)
    expect(await place(quiet)).toBe(before)
    await ping(`${other.pingUrl}/fail`)
    await page.getByText('2 checks have moved.').waitFor()
    await page.getByRole('button', { name: 'Sort now' }).click()
    await page.locator('#needs').locator(`#c${quiet.publicId}`).waitFor()
    expect(await row(page, quiet).getByRole('checkbox').isChecked()).toBe(true)
    expect(await isMarked(page)).toBe(true)
  })

  test('sees no row move under the pointer, and it moves when the pointer leaves', async () => {
    await row(page, quiet).getByRole('checkbox').uncheck()
    await page.locator('h1').click()
    await row(page, other).locator('td').nth(1).hover()
    const before = await place(other)
    await ping(other.pingUrl)
    await stateOf(page, other, 'up')
    await page.getByText('1 check has moved.').waitFor()
    expect(await place(other)).toBe(before)
    await page.mouse.move(0, 0)
    await page.locator('#expected').locator(`#c${other.publicId}`).waitFor()
  })

  test('keeps the focus on the link of a row that changes', async () => {
    const link = row(page, other).getByRole('link', { name: 'Another one' })
    await link.focus()
    await ping(`${other.pingUrl}/fail`)
    await stateOf(page, other, 'down')
    await page.locator('a:focus', { hasText: 'Another one' }).waitFor()
  })
})

test('the numbers of the list count checks that have no row on the page too', async () => {
  const check = await site.check('A first number')
  const page = await site.tab({ as: owner })
  await openLive(page, LIST)
  const number = async (id: string) => Number(await page.locator(`#n-${id}`).textContent())
  const before = { down: await number('down'), unpinged: await number('unpinged'), needs: await number('needs') }
  const unseen = await site.check('A second number')
  for (const { pingUrl } of [check, unseen]) await ping(`${pingUrl}/fail`)
  await eventually('both are counted', async () => (await number('down')) === before.down + 2)
  expect(await number('needs')).toBe(before.needs + 2)
  expect(await number('unpinged')).toBe(before.unpinged - 1)
  await page.context().close()
})

test('the foot of the menu has the words in line with its entries, and a phone has them at the top', async () => {
  const page = await site.tab({ as: owner })
  await openLive(page, LIST)
  const start = (selector: string) =>
    page.evaluate<number>(
      `(() => { const range = document.createRange(); range.selectNodeContents(document.querySelector('${selector}')); return range.getBoundingClientRect().left })()`,
    )
  expect(await start('#live')).toBe(await start('.side-foot a > span'))
  await page.setViewportSize({ width: 390, height: 800 })
  await page.locator('#live', { hasText: 'Live' }).waitFor({ state: 'visible' })
  await page.context().close()
})

test('what a reader has typed stays when the session ends', async () => {
  const person = await site.person('member')
  const page = await site.tab({ as: person })
  await openLive(page, `${LIST}/new`)
  await page.getByLabel('Name', { exact: true }).fill('Half a name')
  await page.locator('h1').click()
  const { store } = site.t.app.deps
  const account = await store.accounts.find(person.email)
  await store.by(anAuthor()).sessions.endAll(String(account?.id), null)
  await site.cut()
  site.mend()
  await page.getByText('You are signed out').waitFor({ timeout: 20_000 })
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Half a name')
  // htmx logs the refusal.
  expect(site.troubles().filter((trouble) => !trouble.includes('status 401'))).toEqual([])
  await page.context().close()
}, 60_000)

describe('a check that is made while the list is open', () => {
  const placeOf = async (page: Page, name: string) =>
    (await page.locator('#list tr[id] th > a:first-child').allTextContents()).indexOf(name)

  test('comes into its place by name, with all that happens to it later', async () => {
    for (const name of ['Row 9', 'Row 11']) await site.check(name)
    const page = await site.tab({ as: owner })
    await openLive(page, LIST)
    await mark(page)
    const number = Number(await page.locator('#n-unpinged').textContent())
    const check = await site.check('Row 10')
    await row(page, check).waitFor()
    expect(await placeOf(page, 'Row 10')).toBe((await placeOf(page, 'Row 9')) + 1)
    expect(await placeOf(page, 'Row 11')).toBe((await placeOf(page, 'Row 10')) + 1)
    expect(await page.locator('#n-unpinged').textContent()).toBe(String(number + 1))
    await ping(`${check.pingUrl}/fail`)
    await page.locator('#needs').locator(`#c${check.publicId}.down`).waitFor()
    await page.locator('#select-all').check()
    expect(await page.locator('#select-matching').isHidden()).toBe(true)
    expect(await isMarked(page)).toBe(true)
    await page.context().close()
  })

  test('waits while somebody points at the list, and comes as it is then', async () => {
    const page = await site.tab({ as: owner })
    await openLive(page, LIST)
    await page.locator('#list tr[id]').first().hover()
    const [check, gone] = [await site.check('Row 12'), await site.check('Row 13')]
    await page.getByText('2 checks are new.').waitFor()
    await ping(`${check.pingUrl}/fail`)
    await site.t.call('DELETE', `/api/v3/checks/${gone.uuid}`, { key: site.t.keys.apiKey })
    await page.getByText('1 check is new.').waitFor()
    expect(await placeOf(page, 'Row 12')).toBe(-1)
    await page.mouse.move(0, 0)
    await page.locator('#needs').locator(`#c${check.publicId}.down`).waitFor()
    await page.locator('#pill').waitFor({ state: 'detached' })
    await page.context().close()
  })

  test('is only told of in a list that is filtered or sorted otherwise', async () => {
    for (const search of ['?status=new', '?sort=-last']) {
      const page = await site.tab({ as: owner })
      await openLive(page, LIST + search)
      const check = await site.check('Not shown')
      await page.getByText('There are new checks.').waitFor()
      expect(await row(page, check).count()).toBe(0)
      await page.context().close()
    }
  })
})

describe('hidden tabs', () => {
  let check: MadeCheck
  let tabs: readonly [Page, Page]
  /** open streams, including those of hidden tabs */
  const streams = new Map<Request, Page>()
  const leaders = () => [...streams].filter(([request]) => request.url().endsWith('/live?view=counts'))

  beforeAll(async () => {
    check = await site.check('Out of sight', { timeout: 3600, grace: 3600 })
    const list = await site.tab({ as: owner })
    tabs = [list, await list.context().newPage()]
    for (const page of tabs) {
      page.on('request', (request) => request.url().includes('/live?') && streams.set(request, page))
      for (const event of ['requestfailed', 'requestfinished'] as const)
        page.on(event as 'requestfailed', (request) => streams.delete(request))
      page.on('close', () => {
        for (const [request, of] of streams) if (of === page) streams.delete(request)
      })
    }
    await openLive(tabs[0], LIST)
    await openLive(tabs[1], '/')
  })
  afterAll(() => tabs[1].context().close())

  /** Makes a page believe that it is hidden or visible, because Playwright keeps every page visible. */
  const hide = (page: Page, isHidden: boolean) =>
    page.evaluate(`
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${isHidden} })
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${isHidden ? 'hidden' : 'visible'}' })
      document.dispatchEvent(new Event('visibilitychange'))`)
  const down = async () => (await site.t.app.deps.store.projects.countDown([site.project.id]))[0] ?? 0
  const allShow = async (number: number) => {
    for (const page of tabs.filter((tab) => !tab.isClosed())) {
      await (number > 0
        ? titled(page, `(${number}) `)
        : eventually('no number', async () => !/^\(/.test(await page.title())))
      await iconed(page, number > 0 ? 'favicon-down' : 'favicon')
    }
  }

  test('have one stream together, and each shows the number of checks that are down', async () => {
    const before = await down()
    for (const page of tabs) await hide(page, true)
    await eventually('one stream is left', async () => streams.size === 1 && leaders().length === 1)
    await ping(`${check.pingUrl}/fail`)
    await allShow(before + 1)
    await ping(check.pingUrl)
    await allShow(before)
    expect([streams.size, leaders().length]).toEqual([1, 1])
  })

  test('go on when the tab that has the stream is shown, and when it is closed', async () => {
    const before = await down()
    const [[, leader] = []] = leaders()
    const follower = tabs.find((page) => page !== leader)
    if (!leader || !follower) throw new Error('one of the tabs has the stream')
    await hide(leader, false)
    await eventually('the other tab has the stream', async () => leaders().some(([, page]) => page === follower))
    await hide(leader, true)
    await follower.close()
    await eventually('the last tab has the stream', async () => leaders().some(([, page]) => page === leader))
    await ping(`${check.pingUrl}/fail`)
    await allShow(before + 1)
  })

  test('try again when the server refuses the stream for a while', async () => {
    const [page] = tabs.filter((tab) => !tab.isClosed())
    if (!page) throw new Error('one tab is open')
    await hide(page, false)
    let refusals = 0
    await page.route('**/live?view=counts', (route) => {
      refusals += 1
      return refusals > 2 ? route.continue() : route.fulfill({ status: 503 })
    })
    await hide(page, true)
    await eventually('the server has refused it twice', () => refusals > 2)
    const before = await down()
    await ping(check.pingUrl)
    await allShow(before - 1)
  })
})

describe('a stream that is cut', () => {
  let page: Page
  let check: MadeCheck

  beforeAll(async () => {
    check = await site.check('Far away', { timeout: 3600, grace: 3600 })
    page = await site.tab({ as: owner })
  })
  afterAll(() => page.context().close())

  test('is told at the foot of the menu, opens again, and brings what was missed', async () => {
    await openLive(page, LIST)
    await mark(page)
    await site.cut()
    await page.locator('#live', { hasText: 'Reconnecting' }).waitFor({ state: 'attached' })
    await site.t.call('GET', `/ping/${check.uuid}/fail`)
    expect(await row(page, check).getAttribute('class')).toContain('new')
    site.mend()
    await stateOf(page, check, 'down')
    await page.locator('#live', { hasText: 'Live' }).waitFor({ state: 'attached' })
    await titled(page, '(')
    expect(await isMarked(page)).toBe(true)
  }, 120_000)

  test('makes the page load itself again when too much was missed', async () => {
    const many = await Promise.all(Array.from({ length: 201 }, (_, index) => site.check(`Many ${index}`)))
    await openLive(page, LIST)
    await mark(page)
    await site.cut()
    await Promise.all(many.map(({ uuid }) => site.t.call('GET', `/ping/${uuid}`)))
    site.mend()
    await eventually('the page was loaded again', async () => !(await isMarked(page).catch(() => true)), 60_000)
    await page.locator('tr.up', { hasText: 'Many 200' }).waitFor()
  }, 180_000)
})

test('who becomes read-only sees neither buttons nor the ping URL any more, on a page that is open', async () => {
  const check = await site.check('Handed over', { timeout: 3600 })
  const person = await site.person('member')
  const page = await site.tab({ as: person })
  await openLive(page, `/p/tests/checks/${check.publicId}`)
  await page.getByLabel('Ping URL', { exact: true }).waitFor()
  const { store } = site.t.app.deps
  const account = await store.accounts.find(person.email)
  if (!account) throw new Error('the account is gone')
  await setRole(site.t, account, 'read-only')
  await site.wind({ seconds: 3 })
  await page.getByLabel('Ping URL', { exact: true }).waitFor({ state: 'detached' })
  expect(await page.getByRole('button', { name: 'Pause' }).count()).toBe(0)
  await page.context().close()
}, 60_000)

test('who loses the role is led away from a page that waits for the first ping', async () => {
  const { deps } = site.t.app
  const { project } = await createProject(deps, 'Short term')
  const account = await addAccount(site.t)
  await setRole(site.t, account, 'member', project)
  const cookie = `overdue_session=${(await signedIn(site.t, account)).token()}`
  const page = await site.tab({ as: { email: account.email, cookie } })
  await page.goto(`/p/${project.slug}/first-ping`)
  const opened = page.waitForResponse(/live\?view=first-ping&/)
  await page.getByLabel('Name').fill('Backup')
  await page.getByRole('button', { name: 'Create the first check' }).click()
  await opened
  await page.getByText('Waiting for the first ping…').waitFor()
  await deps.store.by(anAuthor()).team.removeMember(account.id, project.id)
  await site.wind({ seconds: 3 })
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  await page.context().close()
}, 60_000)
