/**
 * `/i/<id>-<n>`, the address of an incident in messages. It is no secret, so it reveals nothing; people who may see the incident reach it.
 */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { type CourierFixture, courierFixture } from '../../../../services/courier/courier-fixture.ts'
import { addAccount, openBrowser, setRole, signedIn } from '../../../../support/browser.ts'
import { answered, type TestApp, testApp } from '../../../../support/test-app.ts'

let t: TestApp
let d: CourierFixture
let short: string
let path: string
beforeEach(async () => {
  t = await testApp()
  d = courierFixture(t)
  const channel = await d.addChannel({ name: 'Pager' })
  const id = await d.addCheck(channel.id, 'Backup')
  await d.ping(id, '/fail')
  t.answerWith(answered(200))
  await d.deliver()
  const found = await t.app.deps.store.checks.find(id)
  short = `/i/${found?.check.publicId}-1`
  path = `/p/${t.project.slug}/alerts/${found?.check.publicId}-1`
})
afterEach(() => t.close())

const PASSWORD = 'tide-lamp-orchard'
const NOBODYS = '/i/zzzzzzzz-1'

test('asks whoever is not signed in to do so, whether or not there is such an incident', async () => {
  const visitor = openBrowser(t)
  for (const address of [short, NOBODYS]) {
    const { status, location, text } = await visitor.get(address)
    expect({ status, location, text }).toEqual({
      status: 303,
      location: `/sign-in?next=${encodeURIComponent(address)}`,
      text: '',
    })
  }
})

test('leads from there to the incident', async () => {
  const account = await addAccount(t, {}, PASSWORD)
  await setRole(t, account, 'read-only')
  const browser = openBrowser(t)
  expect((await browser.get((await browser.get(short)).location ?? '')).text).toContain(`name="next" value="${short}"`)
  const { location } = await browser.post('/sign-in', { email: account.email, password: PASSWORD, next: short })
  expect(location).toBe(short)
  expect((await browser.get(short)).location).toBe(path)
  expect((await browser.get(path)).status).toBe(200)
})

test('is as unknown to whoever may not see the incident as one that never was', async () => {
  const stranger = await signedIn(t, await addAccount(t))
  const answers = [await stranger.get(short), await stranger.get(NOBODYS)]
  expect(answers.map(({ status }) => status)).toEqual([404, 404])
  const [unseen, unknown] = answers.map(({ text }) => text.replaceAll(/\/i\/[a-z0-9-]+/g, '/i/ID'))
  expect(unseen).toBe(unknown)
})
