/** Pages that reload themselves in a browser without scripts. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { upsertCheck } from '../../../src/services/checks/checks.ts'
import { type Browser, memberWith } from '../../support/browser.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

let t: TestApp
let member: Browser
let check: string
beforeAll(async () => {
  t = await testApp()
  member = await memberWith(t, 'member')
  const made = await upsertCheck(t.app.deps, t.actor, { name: 'Backup' }, false)
  check = `/p/tests/checks/${made.check.publicId}`
  await t.call('GET', `/ping/${made.check.id}`)
})
afterAll(() => t.close())

const open = async (path: string) => {
  const { text, headers } = await member.get(path)
  return { text, refresh: headers.get('refresh') }
}
const links = (path: string, words: string) => `<a href="${path.replaceAll('&', '&amp;')}">${words}</a>`

test('are the first page, the list, a check and its log, when their address says so', async () => {
  for (const path of ['/', '/p/tests/checks', check, `${check}/log`]) {
    const plain = await open(path)
    expect(plain.refresh).toBeNull()
    expect(plain.text).toContain(`Reload it to see changes. ${links(`${path}?refresh=60`, 'Reload every minute')}`)
    const reloading = await open(`${path}?refresh=60`)
    expect(reloading.refresh).toBe('60')
    expect(reloading.text).toContain(`This page reloads every minute. ${links(path, 'Stop')}`)
  }
})

test('keep the filter, and do not say again what was done', async () => {
  const { text } = await open('/p/tests/checks?q=is&tag=db&done=saved&done-n=1')
  expect(text).toContain(links('/p/tests/checks?q=is&tag=db&refresh=60', 'Reload every minute'))
  expect((await open('/p/tests/checks?q=is&refresh=60')).text).toContain(links('/p/tests/checks?q=is', 'Stop'))
})

test('are no pages that show nothing live, and reload at no other pace', async () => {
  const account = await open('/account?refresh=60')
  expect(account.refresh).toBeNull()
  expect(account.text).not.toContain('Reload every minute')
  expect((await open('/?refresh=1')).refresh).toBeNull()
})
