/** Signing in and out, and sessions, in a browser. */
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { changeRows } from '../../test/support/rows.ts'
import { fillSignIn, openSiteWithAdministrator, PASSWORD, type Person, type Site, send } from './support/site.ts'

let site: Site
let jane: Person

beforeAll(async () => {
  site = await openSiteWithAdministrator()
  jane = await site.person('jane@example.org')
})
afterEach(() => expect(site.troubles()).toEqual([]))
afterAll(() => site.close())

/** Without times, which differ by seconds. */
const plain = (words: string | null | undefined) => words?.replace(/\d+ (min|s)( \d+ s)?/g, 'some time') ?? ''

test('A wrong password and an unknown email get the same words, which count the tries that are left, then a wait', async () => {
  await site.person('victim@example.org')
  const page = await site.tab()
  await page.goto('/sign-in')
  const words: string[] = []
  for (let tries = 0; tries < 6; tries++) {
    const answered = page.waitForResponse((response) => response.request().method() === 'POST')
    await fillSignIn(page, 'victim@example.org', 'wrong horse battery')
    expect((await answered).status()).toBe(tries < 5 ? 422 : 429)
    await page.waitForLoadState()
    expect(await page.getByLabel('Email').inputValue()).toBe('victim@example.org')
    expect(await page.getByLabel('Password').inputValue()).toBe('')
    words.push(plain(await page.getByRole('alert').textContent()))
  }
  expect(words).toEqual([
    ...[4, 3, 2].map((left) => `Email and password do not match. ${left} tries left, then a wait of some time.`),
    'Email and password do not match. 1 try left, then a wait of some time.',
    'Email and password do not match. Wait some time, then try again.',
    'Too many tries. Wait some time, then try again.',
  ])
  const wordsForUnknown: string[] = []
  for (let tries = 0; tries < 6; tries++) {
    const answer = await send(site.server.baseUrl, '/sign-in', { email: 'nobody@example.org', password: PASSWORD })
    wordsForUnknown.push(plain((await answer.text()).match(/role="alert">.*<p>(.*?)<\/p>/)?.[1]))
  }
  expect(wordsForUnknown).toEqual(words)
})

test('The right password has to wait too after five wrong ones, and other people sign in meanwhile', async () => {
  const page = await site.tab()
  await page.goto('/sign-in')
  await fillSignIn(page, 'victim@example.org')
  await page.getByText('Too many tries.').waitFor()
  await fillSignIn(page, jane.email)
  await page.getByRole('heading', { name: 'What is wrong' }).waitFor()
})

test('The cookie of a session is out of reach of scripts and of other sites', async () => {
  const page = await site.tab()
  await page.goto('/sign-in')
  await fillSignIn(page, jane.email)
  await page.getByRole('heading', { name: 'What is wrong' }).waitFor()
  const [cookie, ...others] = await page.context().cookies()
  expect(others).toEqual([])
  expect(cookie).toMatchObject({ name: 'overdue_session', path: '/', httpOnly: true, sameSite: 'Lax', secure: false })
  expect(await page.evaluate('document.cookie')).toBe('')
})

test('After the sign-in comes the page that was asked for, never another site', async () => {
  const page = await site.tab()
  await page.goto('/account/sessions?x=1')
  await fillSignIn(page, jane.email)
  await page.getByRole('heading', { name: 'Sessions' }).waitFor()
  // Who is signed in already goes on at once.
  await page.goto('/sign-in?next=//example.org/')
  expect(page.url()).toBe(`${site.server.baseUrl}/`)
})

test('A sign-out ends the session, for every window and for a copy of its cookie', async () => {
  const person = await site.person('out@example.org')
  const page = await site.tab({ as: person })
  await page.goto('/account')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByText('You are signed out.').waitFor()
  expect(await page.context().cookies()).toEqual([])
  await page.goBack()
  await page.waitForURL(/\/sign-in/)
  const copy = await site.tab({ as: person })
  await copy.goto('/projects')
  expect(copy.url()).toContain('/sign-in?next=%2Fprojects')
})

test('"End all other sessions" sends the other browsers to the sign-in, and so does a new password', async () => {
  const others = await site.tab({ as: await site.person('many@example.org') })
  const page = await site.tab()
  await page.goto('/sign-in?next=/account/sessions')
  await fillSignIn(page, 'many@example.org')
  await page.getByRole('button', { name: 'End all other sessions' }).click()
  await page.getByText('All other sessions have ended.').waitFor()
  expect(await page.getByRole('row').count()).toBe(2)
  expect(await page.getByRole('button', { name: /^End/ }).count()).toBe(0)
  await others.goto('/account')
  await fillSignIn(others, 'many@example.org')
  await others.getByRole('heading', { name: 'Account' }).waitFor()

  await page.getByRole('link', { name: 'Security' }).click()
  await page.getByRole('link', { name: 'Change password' }).click()
  await page.getByLabel('New password').fill('another horse battery')
  await page.getByRole('button', { name: 'Save password' }).click()
  await page.getByText('The password is changed. Your other sessions ended.').waitFor()
  await others.reload()
  await others.getByRole('heading', { name: 'Sign in' }).waitFor()
})

test('One session of the list is ended by its button', async () => {
  const other = await site.tab({ as: jane })
  const page = await site.tab({ userAgent: 'The browser at the office' })
  await page.goto('/sign-in?next=/account/sessions')
  await fillSignIn(page, jane.email)
  await page.getByRole('row', { name: 'The browser at the office' }).getByText('this browser').waitFor()
  await page.getByRole('row', { name: /^Bun/ }).getByRole('button', { name: 'End' }).click()
  await page.getByText('The session has ended.').waitFor()
  await other.goto('/projects')
  expect(other.url()).toContain('/sign-in')
})

test('Times are in the zone of the account, wherever the browser is', async () => {
  const page = await site.tab({ as: await site.person('far@example.org'), timezoneId: 'America/New_York' })
  await page.goto('/account')
  await page.getByLabel('Time zone').fill('Asia/Kathmandu')
  await page.getByRole('button', { name: 'Save settings' }).click()
  await page.getByText('Saved.').waitFor()
  await page.goto('/account/sessions')
  // The script rewrites each time when it starts.
  expect(await page.locator('time').first().getAttribute('title')).toContain('GMT+5:45')
})

test.each([
  ['14 days without use', 'last_seen_at', 14],
  ['90 days', 'created_at', 90],
])('A session ends after %s', async (_, column, days) => {
  const person = await site.person(`${crypto.randomUUID()}@example.org`)
  const page = await site.tab({ as: person })
  const ofPerson = 'WHERE account_id = (SELECT id FROM accounts WHERE email = $1)'
  const move = (seconds: number) => {
    const statement = `UPDATE sessions SET ${column} = ${column} - ${seconds}000000 ${ofPerson}`
    return changeRows(site.server.databaseUrl, statement, [person.email])
  }
  await move(days * 86_400 - 60)
  await page.goto('/projects')
  expect(page.url()).toEndWith('/projects')
  // What was just used counts as used now.
  await move(column === 'last_seen_at' ? days * 86_400 : 60)
  // The page goes there by itself when its stream ends, which breaks off a reload.
  await page.reload().catch(() => null)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(page.url()).toContain('/sign-in?next=%2Fprojects')
})
