/** An incident from its alert to its end: people take it, mute it and write notes, and others see that at once. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { addAccount, setRole } from '../../test/support/browser.ts'
import { HOSTILE } from '../../test/support/hostile-texts.ts'
import { eventually } from '../support/eventually.ts'
import { fillSignIn, PASSWORD, type Person, send } from './support/site.ts'
import { type MadeCheck, openSiteWithFakeClock, type SiteWithFakeClock } from './support/site-with-fake-clock.ts'
import { smallTargets } from './support/small-targets.ts'

let site: SiteWithFakeClock
let ann: Person
let bob: Person
let reader: Person

beforeAll(async () => {
  site = await openSiteWithFakeClock()
  ann = await site.person('owner')
  bob = await site.person('member')
  reader = await site.person('read-only')
})
afterEach(() => expect(site.troubles()).toEqual([]))
afterAll(() => site.close())

const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const LIST = '/p/tests/checks'
const ALERTS = '/p/tests/alerts'

interface Down extends MadeCheck {
  readonly path: string
  readonly n: number
}

/** Creates a check that has just gone down. */
async function downCheck(name: string): Promise<Down> {
  const check = await site.check(name)
  await fetch(check.pingUrl)
  await site.wind({ minutes: 1 })
  await fetch(`${check.pingUrl}/fail`)
  await site.wind({ minutes: 1 })
  const [incident] = await site.t.app.deps.store.incidents.list(check.uuid, null, 1)
  const n = incident?.n ?? 0
  return { ...check, n, path: `${ALERTS}/${check.publicId}-${n}` }
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
const head = (page: Page) => page.locator('#now')
const openLive = async (page: Page, path: string) => {
  await page.goto(path)
  await page.locator('#live', { hasText: 'Live' }).waitFor({ state: 'attached' })
}
const shows = (page: Page, selector: string, words: string | RegExp) =>
  page.locator(selector).filter({ hasText: words }).first().waitFor({ state: 'attached' })

test('what one does with it, others see on the pages that they have open', async () => {
  const check = await downCheck('Offsite copy')
  const own = await site.tab({ as: ann })
  const other = await site.tab({ as: bob })
  const pages = await Promise.all(
    [check.path, `${LIST}/${check.publicId}`, LIST, '/', ALERTS].map(async (path, index) => {
      const page = index === 0 ? other : await other.context().newPage()
      await openLive(page, path)
      return page
    }),
  )
  const [incident, one, list, overview, alerts] = pages as [Page, Page, Page, Page, Page]
  for (const page of pages) await page.evaluate('window.isMarked = true')
  await own.goto(check.path)
  await press(own, 'I’m on it')
  await own.getByText('You are on it.').waitFor()
  const on = `On it: ${ann.email} since`
  await shows(incident, '#now', on)
  await incident.getByRole('link', { name: 'Take over…' }).waitFor()
  await shows(one, '#now', on)
  await shows(overview, `#c${check.publicId}`, on)
  await shows(alerts, '.alert-rows', `${ann.email} is on it.`)

  await incident.getByLabel('Note').fill('Typed, and not sent yet')
  await own.getByLabel('Note').fill('The disk is full')
  await press(own, 'Add note')
  await shows(incident, '#timeline q', 'The disk is full')
  expect(await incident.getByLabel('Note').inputValue()).toBe('Typed, and not sent yet')

  await press(own, 'Mute until…')
  await own.getByRole('button', { name: 'For 1 h' }).click()
  await own.getByText('Muted. No alerts are sent until then.').waitFor()
  await shows(list, `tr#c${check.publicId}`, 'Muted until')
  await shows(one, '#now', 'Muted until')
  await shows(overview, `#c${check.publicId}`, 'Muted until')
  await shows(incident, '#now', 'until')

  await press(own, 'Hand back')
  for (const page of [incident, one]) await shows(page, '#now', 'Nobody is on it.')
  await shows(alerts, '.alert-rows', 'Nobody is on it.')
  await fetch(check.pingUrl)
  await site.wind({ minutes: 1 })
  await shows(incident, '#now', 'Recovered after')
  await title(incident, 'Offsite copy was down')
  expect(await Promise.all(pages.map((page) => page.evaluate('window.isMarked === true')))).toEqual(
    pages.map(() => true),
  )
})

test('a mute ends by time before the eyes of its reader, and what it held is sent then', async () => {
  const check = await site.check('Publisher feeds')
  await fetch(check.pingUrl)
  const page = await site.tab({ as: ann })
  await page.goto(`${LIST}/${check.publicId}/mute`)
  await page.getByLabel('For 1 h').check()
  await page.getByLabel('Reason').fill('The server moves')
  await press(page, 'Mute')
  await head(page).getByText('‘The server moves’').waitFor()
  await site.wind({ seconds: 1 })
  await fetch(`${check.pingUrl}/fail`)
  await site.wind({ seconds: 1 })
  await openLive(page, ALERTS)
  await page.getByText(/not sent, muted until .* by .*: ‘The server moves’/).waitFor()
  const list = await page.context().newPage()
  await openLive(list, LIST)
  await shows(list, `tr#c${check.publicId}`, 'Muted until')
  await site.wind({ minutes: 59, seconds: 50 })
  await site.wind({ seconds: 10 })
  await eventually('the list no longer shows the mute', async () => {
    return !(await list.locator(`tr#c${check.publicId}`).textContent())?.includes('Muted until')
  })
  const sent = site.alerts.length
  await site.t.app.settle('incidents')
  await site.wind({ seconds: 1 })
  expect(site.alerts.length).toBe(sent + 1)
  await eventually('no row is held', async () => (await page.getByText('not sent, muted').count()) === 0)
  await fetch(check.pingUrl)
  await site.wind({ seconds: 1 })
})

describe('with the keyboard', () => {
  test('a takes it, m mutes it, and the palette does both', async () => {
    const check = await downCheck('Price list')
    const page = await site.tab({ as: ann })
    await page.goto(check.path)
    await page.keyboard.press('a')
    await page.getByText('You are on it.').waitFor()
    await page.keyboard.press('m')
    const menu = page.getByRole('group', { name: 'Mute until' })
    await menu.waitFor()
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'hidden' })
    await press(page, 'Hand back')
    await page.getByText('Nobody is on it now.').waitFor()

    await page.goto(`${LIST}/${check.publicId}`)
    await page.keyboard.press('a')
    await title(page, 'Price list is down')
    await page.getByText('You are on it.').waitFor()
    await press(page, 'Hand back')
    await page.getByText('Nobody is on it now.').waitFor()

    const palette = page.getByRole('dialog', { name: 'Search or do' })
    const look = async () => {
      await page.keyboard.press('Control+k')
      await palette.getByRole('option').first().waitFor()
      await page.keyboard.type('price list')
    }
    await look()
    await palette.getByRole('option', { name: 'I’m on it' }).click()
    await page.getByText('You are on it.').waitFor()
    await look()
    await palette.getByRole('option', { name: /^Price list/ }).waitFor()
    await page.keyboard.press('Tab')
    await palette.getByRole('option', { name: 'Mute until…' }).click()
    await title(page, 'Mute Price list')
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByText('I’m on it').waitFor()
  })
})

describe('on a phone', () => {
  test('everything is in reach of a thumb, and nothing is wider than the page', async () => {
    const check = await downCheck('Warehouse sync')
    const page = await site.tab({ as: ann, ...PHONE })
    const fits = async () => {
      expect(await smallTargets(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    }
    await page.goto(check.path)
    await fits()
    await page.getByRole('button', { name: 'Mute until…' }).tap()
    const menu = page.getByRole('group', { name: 'Mute until' })
    await menu.waitFor()
    const box = await menu.boundingBox()
    expect([box?.x, box?.width, Math.round((box?.y ?? 0) + (box?.height ?? 0))]).toEqual([0, 390, 844])
    await fits()
    await menu.getByRole('button', { name: 'Until healthy' }).tap()
    await page.getByText('Muted. No alerts are sent until then.').waitFor()
    await fits()
    for (const path of [`${check.path}/take`, `${LIST}/${check.publicId}/mute`, ALERTS, LIST]) {
      await page.goto(path)
      await fits()
    }
    await page.setViewportSize({ width: 320, height: 640 })
    for (const path of [check.path, `${check.path}/take`, `${LIST}/${check.publicId}/mute`, ALERTS, LIST]) {
      await page.goto(path)
      expect([path, await page.evaluate('document.documentElement.scrollWidth > innerWidth')]).toEqual([path, false])
    }
  })
})

describe('without a script', () => {
  test('it is taken, taken over after a question, muted and unmuted, and notes are kept', async () => {
    const check = await downCheck('Media library')
    const own = await site.tab({ as: ann, javaScriptEnabled: false })
    await own.goto(check.path)
    await press(own, 'I’m on it')
    const other = await site.tab({ as: bob, javaScriptEnabled: false })
    await other.goto(check.path)
    await other.getByRole('link', { name: 'Take over…' }).click()
    await title(other, 'Take over: Media library')
    await other.getByText(`${ann.email} has been on it since`).waitFor()
    await other.getByLabel('Note').fill('She sleeps')
    await press(other, 'Take over')
    await head(other).getByText(`On it: ${bob.email}`).waitFor()
    await own.goto(check.path)
    await own.getByLabel('Note').fill('Thank you')
    await press(own, 'Add note')
    await own.getByText('took over from').waitFor()
    await own.locator('#timeline q').filter({ hasText: 'Thank you' }).waitFor()

    await own.getByRole('button', { name: 'Mute until…' }).click()
    await own.getByLabel('Time, 24 hours').fill('noon')
    await own.getByRole('group', { name: 'Mute until' }).getByRole('button', { name: 'Mute', exact: true }).click()
    await own.getByText('type a time such as 08:00').waitFor()
    await own.getByLabel('Time, 24 hours').fill('8:15')
    await press(own, 'Mute')
    await head(own).getByText('until tomorrow 08:15').waitFor()
    await press(own, 'Unmute')
    await own.getByText('No longer muted.').waitFor()
  })
})

describe('a reader without rights', () => {
  test('sees it, gets no button, and is refused', async () => {
    const check = await downCheck('Rebuild index')
    const page = await site.tab({ as: reader })
    await page.goto(check.path)
    await head(page).getByText('Nobody is on it.').waitFor()
    const names = ['I’m on it', 'Mute until…', 'Add note', 'Hand back', 'Retry']
    for (const path of [check.path, `${LIST}/${check.publicId}`, '/', ALERTS]) {
      await page.goto(path)
      for (const name of names)
        expect([path, name, await page.getByRole('button', { name }).count()]).toEqual([path, name, 0])
    }
    const { cookie } = reader
    for (const [path, fields] of [
      [check.path, { action: 'take' }],
      [`${check.path}/take`, { note: '' }],
      ['/p/tests/mute', { c: check.publicId, until: '1h' }],
      [`${LIST}/${check.publicId}`, { action: 'take' }],
    ] as const) {
      expect([path, (await send(site.baseUrl, path, fields, { cookie })).status]).toEqual([path, 403])
    }
    for (const path of [`${check.path}/take`, `${LIST}/${check.publicId}/mute`, '/p/tests/mute?project=on']) {
      expect([path, (await page.goto(path))?.status()]).toEqual([path, 403])
    }
    const [incident] = await site.t.app.deps.store.incidents.list(check.uuid, null, 1)
    expect(incident?.acknowledgement).toBeNull()
  })
})

describe('the address in a message', () => {
  test('leads through the sign-in to the incident', async () => {
    const check = await downCheck('Nightly export')
    expect(site.alerts.join()).toContain(`/i/${check.publicId}-${check.n}`)
    const account = await addAccount(site.t, { email: 'carol@example.org' }, PASSWORD)
    await setRole(site.t, account, 'member')
    const page = await site.tab()
    await page.goto(`/i/${check.publicId}-${check.n}`)
    await fillSignIn(page, account.email)
    await title(page, 'Nightly export is down')
    expect(new URL(page.url()).pathname).toBe(check.path)
    await page.goto(`/i/${check.publicId}-99`)
    await title(page, 'Page not found')
  })
})

test('hostile notes and reasons are text', async () => {
  const check = await downCheck('Hostile job')
  for (const text of HOSTILE) {
    if (text.trim() === '') continue
    const body = { action: 'note', note: text.slice(0, 1_000) }
    expect((await send(site.baseUrl, check.path, body, { cookie: ann.cookie })).status).toBe(303)
  }
  for (const [index, text] of HOSTILE.slice(0, 20).entries()) {
    const reason = text.slice(0, 1_000)
    const fields = index % 2 === 0 ? { c: check.publicId } : { project: 'on' }
    await send(site.baseUrl, '/p/tests/mute', { ...fields, until: 'morning', reason }, { cookie: ann.cookie })
  }
  await send(site.baseUrl, `${check.path}/take`, { note: HOSTILE[0] ?? '', day: '' }, { cookie: ann.cookie })
  const page = await site.tab({ as: bob })
  const paths = [
    check.path,
    `${check.path}/take`,
    `${LIST}/${check.publicId}`,
    `${LIST}/${check.publicId}/mute`,
    ALERTS,
    LIST,
    '/',
  ]
  for (const path of paths) {
    await page.goto(path)
    expect([path, await page.evaluate('window.ran === undefined')]).toEqual([path, true])
    expect([path, await page.evaluate('document.documentElement.scrollWidth > innerWidth')]).toEqual([path, false])
  }
})
