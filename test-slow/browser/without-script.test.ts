/** All pages in a browser that runs no scripts. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { UNTOLD } from '../../test/support/advice.ts'
import { rowsIn } from '../../test/support/rows.ts'
import { storeAdvice } from './support/filled.ts'
import { openSite, PASSWORD, plainSlugs, type Site } from './support/site.ts'

let site: Site
let page: Page

beforeAll(async () => {
  site = await openSite({ INTEGRATIONS_ALLOW_PRIVATE_IPS: 'True' })
  page = await site.tab({ javaScriptEnabled: false })
})
afterEach(() => expect(site.troubles()).toEqual([]))
afterAll(() => site.close())

const said = async () => String(await page.locator('.toast').textContent())
const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
const follow = (name: string) => page.getByRole('link', { name, exact: true }).click()

/** Stores the loop's advice about a check that alerts no one. */
async function adviseFirstJob(): Promise<void> {
  const [first] = await rowsIn<{ id: string }>(
    site.server.databaseUrl,
    "SELECT id FROM checks WHERE name = 'First job'",
  )
  await storeAdvice(site.server, first?.id ?? '', UNTOLD)
}

test('The set-up leads to the first ping, which shows after a reload', async () => {
  const { url } = await site.server.overdue<{ url: string }>('account', 'link')
  await page.goto(new URL(url).pathname)
  await page.getByLabel('Email').fill('jane@example.org')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByLabel('First project').fill('Harbour Books')
  await page.getByLabel('Time zone').fill('Europe/Riga')
  await press('Create account')
  await page.getByLabel('Name').fill('First job')
  await press('Create the first check')
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Add these lines to your job')
  await page.getByText('Python', { exact: true }).click()
  expect(await page.getByLabel('Python snippet').textContent()).toContain('urllib')
  await fetch(String(await page.getByLabel('Ping URL', { exact: true }).textContent()))
  await follow('Reload to see whether it arrived')
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('First ping received.')
  await plainSlugs(site.server)
})

test('A project is made and gets another name', async () => {
  await follow('Projects')
  await follow('New project')
  await page.getByLabel('Name').fill('Harbour Books')
  await press('Create project')
  expect(await page.locator('#name-error').textContent()).toBe('A project named "Harbour Books" already exists.')
  await page.getByLabel('Name').fill('Night Shift')
  await press('Create project')
  expect(await said()).toBe('Project created.')
  await follow('Set up the first ping')
  await page.getByLabel('Name').fill('Night job')
  await press('Create the first check')
  await press('Send a test ping')
  expect(await said()).toBe('Ping sent.')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Project settings' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Day Shift')
  await press('Save settings')
  expect(await said()).toBe('Saved.')
})

test('The switcher opens and leads to another project', async () => {
  await page.locator('.switcher summary').click()
  await follow('Harbour Books')
  expect(new URL(page.url()).pathname).toBe('/p/harbour-books/checks')
})

test('A status page is set up, and everybody reads it', async () => {
  await page.goto('/p/harbour-books/status-page')
  await page.getByLabel('Address', { exact: true }).fill('harbour-books')
  await page.getByLabel('Public', { exact: true }).check()
  await page.getByLabel('Title').fill('Harbour Books status')
  await press('Save page')
  expect(await said()).toBe('Saved.')
  await page.getByLabel('Name of a new section').fill('Shop')
  await press('Add section')
  await page.getByLabel('On the page', { exact: true }).first().check()
  await page.getByLabel('Public name').first().fill('Website search')
  await Promise.all([page.waitForNavigation(), page.getByLabel('Public name').first().press('Enter')])
  expect(await said()).toBe('Saved.')
  await page.goto('/status/harbour-books')
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Harbour Books status')
  expect(await page.getByRole('heading', { level: 3 }).allTextContents()).toEqual(['Website search'])
  expect(await page.locator('.big-say p').first().textContent()).toBe('Everything is running normally.')
})

describe('Checks', () => {
  const LIST = '/p/harbour-books/checks'
  const rows = () => page.locator('#list tr[id] th > a:first-child').allTextContents()
  const row = (name: string) => page.locator('#list tr[id]', { hasText: name })
  let pingUrl: string

  test('are made, and a mistake is explained beside its field', async () => {
    await page.goto(LIST)
    await follow('New check')
    await page.getByLabel('Name', { exact: true }).fill('Nightly backup')
    await page.getByLabel('Tags').fill('db prod')
    await page.getByText('Cron', { exact: true }).click()
    await page.getByLabel('Cron expression').fill('* * * *')
    await press('Create check')
    expect(await page.locator('#cron-error').textContent()).toContain('has 4 fields, but cron needs 5.')
    await page.getByLabel('Cron expression').fill('0 2 * * *')
    await press('Create check')
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Nightly backup')
    pingUrl = String(await page.getByLabel('Ping URL', { exact: true }).textContent())
  })

  test('are pinged and read in their log, page by page', async () => {
    await press('Ping now')
    expect(await said()).toBe('Ping sent.')
    for (let n = 2; n <= 60; n++)
      await fetch(n === 30 ? `${pingUrl}/fail` : pingUrl, { method: 'POST', body: `run ${n}` })
    await follow('Open the log')
    await page.getByRole('link', { name: 'OK #60', exact: true }).waitFor()
    expect(await page.getByRole('link', { name: 'OK #1', exact: true }).count()).toBe(0)
    await follow('Older events')
    await page.getByRole('link', { name: 'OK #1', exact: true }).waitFor()
    await follow('Newer events')
    await page.getByRole('link', { name: 'OK #60', exact: true }).waitFor()
    await page.getByRole('search', { name: 'Filter the log' }).getByRole('link', { name: 'Failed' }).click()
    await follow('Failed #30')
    expect(await page.getByRole('group', { name: 'Ping body' }).textContent()).toBe('run 30')
    await page.locator('.crumbs').getByRole('link', { name: 'Nightly backup' }).click()
    await page.getByText('As a table').click()
    await page.locator('#chart table').waitFor()
  })

  test('change their name and schedule, are copied, cleared and deleted', async () => {
    await follow('Edit')
    await page.getByLabel('Name', { exact: true }).fill('Backup')
    await press('Save details')
    expect(await said()).toBe('Saved.')
    await follow('Edit schedule')
    await page.locator('fieldset').getByText('Interval', { exact: true }).click()
    await press('Save schedule')
    expect(await said()).toBe('Schedule saved.')
    const own = page.url().replace(/\?.*/, '')
    await page.goto(`${own}/copy`)
    await press('Copy check')
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Backup (copy)')
    await page.goto(`${own}/clear`)
    await press('Clear log')
    expect(await page.locator('#confirm-error').textContent()).toBe('That is not its name.')
    await page.getByLabel('Type its name to confirm').fill('Backup')
    await press('Clear log')
    expect(await page.locator('#now').textContent()).toContain('New: no ping yet.')
  })

  test('are searched, filtered by links and sorted', async () => {
    // The first job alerts no one yet, so it needs attention.
    await adviseFirstJob()
    await page.goto(LIST)
    expect(await rows()).toEqual(['First job', 'Backup', 'Backup (copy)'])
    await page.getByRole('searchbox').fill('copy')
    await page.getByRole('searchbox').press('Enter')
    expect(await rows()).toEqual(['Backup (copy)'])
    await page.goto(LIST)
    await page.getByRole('group', { name: 'Status' }).getByRole('link', { name: /^New/ }).click()
    expect(await rows()).toEqual(['Backup', 'Backup (copy)'])
    await page.locator('summary', { hasText: 'Tags' }).click()
    await page.locator('.panel').getByRole('link', { name: /^db/ }).click()
    await page.locator('summary', { hasText: 'View' }).click()
    await press('Roomy')
    expect(await page.locator('#list').getAttribute('class')).toBe('list roomy')
    await press('24 h')
    expect(await page.locator('#list').getAttribute('class')).toBe('list roomy day')
    expect((await page.locator('#list td[data-q]').first().textContent())?.trim()).toBe('nothing was due')
    await press('30 runs')
    expect(await page.locator('#list').getAttribute('class')).toBe('list roomy')
    await page.getByRole('columnheader', { name: 'Check' }).getByRole('link').click()
    expect(new URL(page.url()).searchParams.get('sort')).toBe('-name')
  })

  test('are shown anew every minute for whoever asks for it', async () => {
    await page.goto(`${LIST}?status=new`)
    const answer = page.waitForResponse((response) => response.url().endsWith('/checks?status=new&refresh=60'))
    await follow('Reload every minute')
    expect(await (await answer).headerValue('refresh')).toBe('60')
    await page.getByText('This page reloads every minute.').waitFor()
    await follow('Stop')
    expect(new URL(page.url()).search).toBe('?status=new')
    await page.getByRole('link', { name: 'Reload every minute' }).waitFor()
  })

  test('are paused together, which is undone, and deleted together', async () => {
    await page.goto(LIST)
    for (const name of ['First job', '(copy)']) await row(name).getByRole('checkbox').check()
    await press('Pause')
    expect(await said()).toContain('2 checks paused.')
    expect(await row('First job').getAttribute('class')).toStartWith('paused')
    await press('Undo')
    expect(await said()).toContain('Undone: 2 checks restored.')
    expect(await row('First job').getAttribute('class')).toStartWith('up')
    await row('(copy)').getByRole('checkbox').check()
    await press('Delete…')
    await press('Delete 1 check')
    expect(await said()).toBe('1 check deleted.')
    expect(await rows()).toEqual(['First job', 'Backup'])
  })

  test('that are down stand on the first page, and are paused there', async () => {
    await fetch(`${pingUrl}/fail`, { method: 'POST', body: 'disk full' })
    // Its pause withdrew the advice until the next look.
    await adviseFirstJob()
    await page.goto('/')
    const card = page.locator('#wrong section', { hasText: 'Backup' })
    expect(await card.textContent()).toContain('disk full')
    expect(await page.title()).toStartWith('(1) ')
    await card.getByRole('button', { name: 'Pause' }).click()
    expect(await said()).toContain('1 check paused.')
    expect(await card.count()).toBe(0)
    expect(await page.getByRole('heading', { name: 'Would fail unnoticed' }).count()).toBe(1)
    expect(await page.title()).not.toMatch(/^\(/)
  })
})

describe('Integrations', () => {
  const LIST = '/p/harbour-books/integrations'
  const received: string[] = []
  let receiver: ReturnType<typeof Bun.serve>
  beforeAll(() => {
    receiver = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      async fetch(request) {
        received.push(await request.text())
        return new Response('thanks')
      },
    })
  })
  afterAll(() => receiver.stop(true))

  test('are added and tested, and a mistake is explained beside its field', async () => {
    await page.goto(LIST)
    await page
      .locator('#add')
      .getByRole('link', { name: /^Webhook/ })
      .click()
    await page.getByLabel('Name', { exact: true }).fill('Night shift')
    await page.getByLabel('URL', { exact: true }).fill('night shift')
    await press('Add and send test')
    expect(await page.locator('#set-url-error').textContent()).toContain('That is not a URL')
    await page.getByLabel('URL', { exact: true }).fill(receiver.url.href)
    await press('Add and send test')
    expect(await page.locator('.tested').textContent()).toContain('The receiver accepted the test.')
    expect(received).toEqual([expect.stringContaining('TEST')])
    await page.getByText('Up', { exact: true }).click()
    await press('Send test')
    expect(received).toHaveLength(2)
  })

  test('get another name, are assigned, and tested from the list', async () => {
    await page.getByLabel('Name', { exact: true }).fill('Day shift')
    await press('Save integration')
    expect(await said()).toBe('Integration saved.')
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Day shift')
    await page.goto(LIST)
    await press('Send test to Day shift')
    expect(await said()).toBe('The test was sent, and the receiver accepted it.')
    await page.getByLabel('More about Day shift').click()
    await follow('Assign to checks')
    await page.getByRole('button', { name: /^Unassign all/ }).click()
    expect(await said()).toContain('2 checks changed.')
  })

  test('are deleted after a page that says what is lost', async () => {
    await page.goto(LIST)
    await page.getByLabel('More about Day shift').click()
    await follow('Delete…')
    expect(await page.locator('.bullets').textContent()).toContain('No check is directly assigned to it.')
    await press('Delete integration')
    expect(await said()).toBe('Integration deleted.')
  })
})

test('The settings of the account are kept, and a bad time zone is explained', async () => {
  await follow('jane@example.org')
  await page.getByLabel('Theme').selectOption('Dark')
  await page.getByLabel('Time zone').fill('Mars/Olympus')
  await press('Save settings')
  expect(await page.locator('#tz-error').textContent()).toContain('"Mars/Olympus" is not a time zone;')
  expect(await page.getByLabel('Theme').inputValue()).toBe('dark')
  await page.getByLabel('Time zone').fill('Asia/Kathmandu')
  await page.getByLabel('Keyboard shortcuts').uncheck()
  await press('Save settings')
  expect(await said()).toBe('Saved.')
  expect(await page.getByLabel('Time zone').inputValue()).toBe('Asia/Kathmandu')
  expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
  expect(await page.getByLabel('Keyboard shortcuts').isChecked()).toBe(false)
})

test('The password is changed, other sessions are ended, and the sign-out and the sign-in work', async () => {
  await follow('Security')
  await follow('Change password')
  await page.getByLabel('New password').fill('another horse battery')
  await press('Save password')
  expect(await said()).toBe('Password changed. Your other sessions have ended.')
  await follow('Sessions')
  expect(await page.getByRole('row').count()).toBe(2)
  await page.locator('.crumbs').getByRole('link', { name: 'Account' }).click()
  await press('Sign out')
  expect(await said()).toBe('You are signed out.')
  await page.getByLabel('Email').fill('jane@example.org')
  await page.getByLabel('Password').fill('another horse battery')
  await press('Sign in')
  expect(new URL(page.url()).pathname).toBe('/')
})
