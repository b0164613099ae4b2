/** The page of a check's rules: a made-up ping is judged while it is typed, and real ones are judged the same. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import type { Person } from './support/site.ts'
import { type MadeCheck, openSiteWithFakeClock, type SiteWithFakeClock } from './support/site-with-fake-clock.ts'
import { smallTargets } from './support/small-targets.ts'

let site: SiteWithFakeClock
let member: Person
let page: Page
let check: MadeCheck

beforeAll(async () => {
  site = await openSiteWithFakeClock()
  member = await site.person('member')
  page = await site.tab({ as: member })
})
beforeEach(async () => {
  check = await site.check('Backup')
})
afterEach(() => expect(site.troubles()).toEqual([]))
afterAll(() => site.close())

const TRY = '**/rules/preview'

const pathOf = (part = '/edit?tab=rules') => `/p/tests/checks/${check.publicId}${part}`
const verdict = (words: string, where = page) => where.locator('#tried', { hasText: words }).waitFor()
const choose = (words: string, where = page) => where.getByText(words, { exact: true }).click()
const field = (name: string, where = page) => where.getByLabel(name, { exact: true })
/** Finds a field. One of them has two labels, of which one is shown. */
const text = (name: string, where = page) => where.getByRole('textbox', { name, exact: true })
const kept = async () => (await site.t.app.deps.store.checks.find(check.uuid))?.check
const lastKind = async () => {
  const { pings } = await site.t.json<{ pings: readonly { type: string }[] }>(
    'GET',
    `/api/v3/checks/${check.uuid}/pings/`,
    {
      key: site.t.keys.apiKey,
    },
  )
  return pings[0]?.type
}

test('rules are changed from the check page, tried while they are typed, and judge pings as they said', async () => {
  await page.goto(pathOf(''))
  await page.getByRole('link', { name: 'Edit rules' }).click()
  await page.getByRole('heading', { level: 1, name: 'Edit Backup' }).waitFor()
  await verdict('This would be a success. The URL has no suffix.')
  await text('Body of the request').pressSequentially('3 files copied\nERROR: disk full\nbackup complete')
  await field('Failure keywords').fill('ERROR, FATAL')
  await verdict('This would be a success. The URL has no suffix. Request bodies are not searched for keywords.')
  await choose('Request body')
  await verdict('This would be a failure. ‘ERROR’ is in line 2 of the body.')
  expect(await page.locator('#tried mark').allTextContents()).toEqual(['ERROR'])
  await field('Success keywords').fill('complete')
  await field('Failure keywords').fill('FATAL')
  await verdict('This would be a success. ‘complete’ is in line 3 of the body.')
  await choose('POST only')
  await field('Method').selectOption('GET')
  await verdict('This would be ignored: logged without changing the status.')
  expect(await kept()).toMatchObject({ failureKw: '', filterHttpBody: false, methods: '' })
  await page.getByRole('button', { name: 'Save rules' }).click()
  await page.locator('.toast', { hasText: 'Rules saved.' }).waitFor()
  await page.locator('.kv', { hasText: 'Failure: FATAL' }).waitFor()
  await fetch(`${check.pingUrl}/fail`, { method: 'POST', body: 'ERROR: disk full\nbackup complete' })
  expect(await lastKind()).toBe('success')
  await fetch(check.pingUrl)
  expect(await lastKind()).toBe('ign')
})

describe('the answer', () => {
  beforeEach(() => page.goto(pathOf()))
  afterEach(() => page.unroute(TRY))

  test('leaves the focus and what is typed alone, and is announced where it stands', async () => {
    await choose('Request body')
    await text('Body of the request').pressSequentially('all done')
    await verdict('The body contains no keyword.')
    await page.keyboard.type(' ERROR')
    await field('Failure keywords').fill('x'.repeat(201))
    await verdict('Failure keywords: This is too long: use at most 200 characters.')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('ERR')
    await verdict('‘ERR’ is in line 1 of the body.')
    expect(await page.evaluate('document.activeElement.id')).toBe('failure_kw')
    expect(await page.locator('#tried').getAttribute('role')).toBe('status')
    expect(await text('Body of the request').inputValue()).toBe('all done ERROR')
  })

  test('is asked for once after many changes', async () => {
    let asked = 0
    await page.route(TRY, (route) => {
      asked += 1
      return route.continue()
    })
    await page.evaluate(`for (const end of ['/start', '/fail', '/log']) {
      const field = document.getElementById('end')
      field.value = end
      field.dispatchEvent(new Event('input', { bubbles: true }))
    }`)
    await verdict('The URL ends in /log.')
    expect(asked).toBe(1)
  })

  test('is the newest, also when an older one comes after it', async () => {
    const held = Promise.withResolvers<void>()
    const isHeld = Promise.withResolvers<void>()
    await page.route(TRY, async (route) => {
      const isFirst = route.request().postData()?.includes('end=%2Fstart') === true
      if (!isFirst) return route.continue()
      isHeld.resolve()
      await held.promise
      // The page has given it up.
      await route.continue().catch(() => {})
    })
    await field('URL suffix').selectOption('/start')
    await isHeld.promise
    expect(await page.locator('#tried').getAttribute('aria-busy')).toBe('true')
    await field('URL suffix').selectOption('/fail')
    await verdict('The URL ends in /fail.')
    held.resolve()
    await field('URL suffix').selectOption('/log')
    await verdict('The URL ends in /log.')
    expect(await page.locator('#tried').getAttribute('aria-busy')).toBeNull()
  })

  test('says that the server cannot be reached or refuses, and comes with the next change', async () => {
    await page.route(TRY, (route) => route.abort())
    await field('URL suffix').selectOption('/start')
    await verdict('The server did not answer. The next change tries again.')
    await page.unroute(TRY)
    await field('URL suffix').selectOption('/fail')
    await verdict('The URL ends in /fail.')
    await page.route(TRY, (route) => route.fulfill({ status: 401, body: '<p>no</p>' }))
    await field('URL suffix').selectOption('/start')
    await verdict('The server did not answer.')
    await page.unroute(TRY)
    await field('URL suffix').selectOption('/log')
    await verdict('The URL ends in /log.')
  })
})

test('with the keyboard alone: Enter in a field saves nothing, and Ctrl and Enter save', async () => {
  await page.goto(pathOf())
  await field('Failure keywords').focus()
  await page.keyboard.type('ERROR')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Space')
  await text('Body of the request').focus()
  await page.keyboard.type('ERROR')
  await verdict('‘ERROR’ is in line 1 of the body.')
  expect(await kept()).toMatchObject({ failureKw: '', filterHttpBody: false })
  await page.keyboard.press('Control+Enter')
  await page.locator('.toast', { hasText: 'Rules saved.' }).waitFor()
  expect(await kept()).toMatchObject({ failureKw: 'ERROR', filterHttpBody: true })
})

test('on a phone the box stands below the rules, and a thumb hits everything', async () => {
  const phone = await site.tab({ as: member, viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true })
  await phone.goto(pathOf())
  await choose('Request body', phone)
  await field('Failure keywords', phone).fill('ERROR')
  await text('Body of the request', phone).fill(`${'x'.repeat(300)}ERROR${'y'.repeat(300)}`)
  await verdict('This would be a failure.', phone)
  expect(await phone.evaluate('document.documentElement.scrollWidth')).toBe(320)
  expect(await smallTargets(phone)).toEqual([])
  await phone.context().close()
})
