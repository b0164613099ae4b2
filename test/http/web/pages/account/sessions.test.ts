/** The list of sessions, which their owner can end. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Account } from '../../../../../src/domain/account/account.ts'
import { startSession } from '../../../../../src/services/accounts/sign-in/sessions.ts'
import { addAccount, type Browser, openBrowser, signedIn } from '../../../../support/browser.ts'
import { type TestApp, testApp } from '../../../../support/test-app.ts'

const PATH = '/account/sessions'
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1'

let t: TestApp
let ann: Account
let browser: Browser
beforeEach(async () => {
  t = await testApp()
  ann = await addAccount(t, { email: 'ann@example.org' })
  browser = await signedIn(t, ann)
})
afterEach(() => t.close())

const on = async (userAgent: string, address: string | null = '198.51.100.7') =>
  openBrowser(t, (await startSession(t.app.deps, ann, { address, userAgent }, { method: 'link' })).token)
const isSignedIn = async (own: Browser) => (await own.get('/account')).status === 200
/** Returns the values that the buttons of the rows send. */
const buttons = (text: string) => Array.from(text.matchAll(/name="session" value="(\w+)"/g), ([, value = '']) => value)

test('names each browser, its address and its times, and which one this is', async () => {
  t.clock.advance({ hours: 2 })
  await on(PHONE)
  const { text } = await browser.get(PATH)
  expect(text).toContain(
    `<th scope="row" title="${PHONE}"><bdi>Safari on iPhone</bdi></th><td class="desk">198.51.100.7</td>`,
  )
  expect(text).toMatch(/<bdi>Firefox<\/bdi>.*>now<.*>2 h ago<.*this browser<\/span><\/td><\/tr>\n/)
  expect(text.match(/this browser/g)).toHaveLength(1)
  expect(buttons(text)).toHaveLength(1)
})

test('a user agent is text, whatever it is', async () => {
  await on(`"><script>alert('x')</script>`, null)
  await on('javascript:alert(1)\u202e\u0007')
  await on('')
  const { text } = await browser.get(PATH)
  expect(text).toContain(
    '<bdi>&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;</bdi></th><td class="desk">unknown</td>',
  )
  expect(text).toContain('<bdi>javascript:alert(1)</bdi>')
  expect(text).toContain('<th scope="row"><bdi>unknown</bdi></th>')
  expect(text).not.toMatch(/<script>|href="javascript/)
})

test('a button ends one session', async () => {
  const [phone, laptop] = [await on(PHONE), await on('laptop')]
  const { text } = await browser.get(PATH)
  const row = text.split('<tr>').find((each) => each.includes('Safari on iPhone')) ?? ''
  const answer = await browser.post(PATH, { session: buttons(row)[0] ?? '' })
  expect([answer.status, answer.location]).toEqual([303, `${PATH}?done=session-ended`])
  expect((await browser.get(answer.location ?? '')).text).toContain('Session ended.')
  expect([await isSignedIn(phone), await isSignedIn(laptop), await isSignedIn(browser)]).toEqual([false, true, true])
})

test('one button ends all others', async () => {
  const others = [await on(PHONE), await on('laptop')]
  const answer = await browser.submit(PATH, {})
  expect([answer.status, answer.location]).toEqual([303, `${PATH}?done=sessions-ended`])
  expect([await isSignedIn(others[0] ?? browser), await isSignedIn(others[1] ?? browser)]).toEqual([false, false])
  const { text } = await browser.get(PATH)
  expect(text).not.toContain('End all other sessions')
  expect(buttons(text)).toEqual([])
})

test('no token is on the page', async () => {
  const phone = await on(PHONE)
  const { text } = await browser.get(PATH)
  for (const token of [browser.token(), phone.token()]) expect(text).not.toContain(token ?? '')
})
