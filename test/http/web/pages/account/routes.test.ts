/** A person's choices for all pages. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { administrator, type Browser, memberWith } from '../../../../support/browser.ts'
import { type TestApp, testApp } from '../../../../support/test-app.ts'

const PATH = '/account'

let t: TestApp
let browser: Browser
beforeEach(async () => {
  t = await testApp()
  browser = await memberWith(t, 'member', { email: 'ann@example.org' })
})
afterEach(() => t.close())

test('names the account, and its role for who administers', async () => {
  const { text } = await browser.get(PATH)
  expect(text).toContain('<dd><bdi>ann@example.org</bdi></dd>')
  expect(text).not.toContain('Administrator')
  expect((await (await administrator(t)).get(PATH)).text).toContain('Administrator: sees every project')
})

test('says so when nobody has confirmed the email', async () => {
  const words = 'not confirmed: open a link that was mailed to it'
  const stranger = await memberWith(t, 'member', { email: 'joe@example.org', isEmailConfirmed: false })
  expect((await stranger.get(PATH)).text).toContain(words)
  const known = await memberWith(t, 'member', { email: 'eve@example.org', isEmailConfirmed: true })
  expect((await known.get(PATH)).text).not.toContain(words)
})

test('the zone, the theme and the shortcuts are kept, and hold for all pages', async () => {
  const before = (await browser.get('/projects')).text
  expect(before).toContain('<html lang="en" data-tz="UTC" data-shortcuts>')
  expect(before).toContain('id="key-help"')
  const answer = await browser.post(PATH, { tz: ' Europe/Riga ', theme: 'dark' })
  expect([answer.status, answer.location]).toEqual([303, `${PATH}?done=saved`])
  const { text } = await browser.get(answer.location ?? '')
  expect(text).toContain('Saved.')
  expect(text).toContain('value="Europe/Riga"')
  expect(text).toContain('<option value="dark" selected>')
  expect(text).toContain('<html lang="en" data-theme="dark" data-tz="Europe/Riga">')
  const after = (await browser.get('/projects')).text
  expect(after).toContain('<html lang="en" data-theme="dark" data-tz="Europe/Riga">')
  expect(after).not.toContain('id="key-help"')
  await browser.post(PATH, { tz: 'UTC', theme: 'system', shortcuts: 'on' })
  expect((await browser.get('/projects')).text).toContain('<html lang="en" data-tz="UTC" data-shortcuts>')
})

test('a theme that is none is that of the system', async () => {
  await browser.post(PATH, { tz: 'UTC', theme: '"><script>' })
  expect((await browser.get('/projects')).text).toContain('<html lang="en" data-tz="UTC">')
})

test('times are in the zone of who reads', async () => {
  await browser.post(PATH, { tz: 'Asia/Kathmandu', theme: 'system' })
  expect((await browser.get('/account/sessions')).text).toContain(
    'title="Wed 4 Mar 2026, 17:45:00 GMT+5:45 (12:00:00 UTC)"',
  )
})

test('a zone that does not exist is refused, with all that was chosen', async () => {
  const { status, text } = await browser.post(PATH, { tz: '<b>Mars</b>', theme: 'light', shortcuts: 'on' })
  expect(status).toBe(422)
  expect(text).toContain('&quot;&lt;b&gt;Mars&lt;/b&gt;&quot; is not a time zone; use a name such as Europe/Riga.')
  expect(text).toContain('value="&lt;b&gt;Mars&lt;/b&gt;"')
  expect(text).toContain('<option value="light" selected>')
  expect(text).toMatch(/name="shortcuts"[^>]* checked/)
  expect((await browser.get('/projects')).text).toContain('<html lang="en" data-tz="UTC" data-shortcuts>')
})
