/** Pages that read long lists take turns of one budget, so pings wait no longer for all of them than for one. */
import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import { newStatusPage } from '../../../src/domain/status-page/status-page.ts'
import { upsertCheck } from '../../../src/services/checks/checks.ts'
import { type Browser, memberWith } from '../../support/browser.ts'
import { aChannel, anAuthor } from '../../support/store-builders.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

let t: TestApp
let reader: Browser
let channelId: string
beforeAll(async () => {
  t = await testApp()
  reader = await memberWith(t, 'member', { email: 'ann@example.org' })
  const channel = aChannel(t.project)
  channelId = channel.id
  const { store } = t.app.deps
  await store.by(anAuthor()).channels.create(channel)
  const { check } = await upsertCheck(t.app.deps, t.actor, { name: 'Backup', channels: '*' }, false)
  const services = [{ checkId: check.id, name: 'Backup', text: '' }]
  const page = newStatusPage({ projectId: t.project.id, slug: 'harbour', tz: 'UTC', updatedAt: t.clock.now() })
  const sections = [{ id: 's1', name: 'Jobs', tag: null, services }]
  await store.by(anAuthor()).statusPages.change(t.project.id, () => ({ ...page, isPublic: true, sections }))
})
afterAll(() => t.close())

test.each([
  '/p/tests/checks',
  '/search?q=backup',
  '/p/tests/integrations',
  '/p/tests/integrations/CHANNEL',
  '/p/tests/integrations/CHANNEL/checks',
  '/p/tests/badges',
  '/p/tests/status-page/preview',
  '/p/tests/status-page/sections/s1',
  '/status/harbour',
  '/wall?p=tests',
  '/docs/search?q=backup',
])('%s', async (path) => {
  using asked = spyOn(t.app.deps.budget, 'available')
  expect((await reader.get(path.replace('CHANNEL', channelId))).status).toBe(200)
  expect(asked).toHaveBeenCalled()
})
