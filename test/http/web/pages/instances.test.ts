/** The page of the instances on one database. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { createSharedClock } from '../../../../src/services/common/ports/shared-clock.ts'
import { createHeartbeat } from '../../../../src/services/server/outage.ts'
import { administrator, type Browser, memberWith } from '../../../support/browser.ts'
import { wordsOf } from '../../../support/page-words.ts'
import { NOON } from '../../../support/store-builders.ts'
import { type TestApp, testApp } from '../../../support/test-app.ts'

const PATH = '/admin/instances'

let t: TestApp
let browser: Browser
beforeEach(async () => {
  t = await testApp({ env: { INSTANCE_NAME: 'east <1>' } })
  browser = await administrator(t)
})
afterEach(() => t.close())

/** Returns each row as words. */
async function rows(): Promise<string[]> {
  const { text } = await browser.get(PATH)
  return Array.from(text.matchAll(/<tr><th scope="row">.*?<\/tr>/g), ([row]) => wordsOf(row))
}

test('shows each instance with its version, its last sign of life and its load', async () => {
  await createHeartbeat(t.app.deps)()
  const load = { pingsPerSecond: 120.5, commitMilliseconds: 1.25, processorShare: 0.304, memoryMegabytes: 81 }
  const seenAt = t.clock.now().subtract({ minutes: 3 })
  const other = { id: 'w', name: 'west', version: '9.9.9', startedAt: NOON.subtract({ hours: 3 }), seenAt, load }
  await t.app.deps.store.server.recordAlive(t.clock.now(), undefined, { ...other, clockAhead: 7 })
  const [west = '', east = ''] = await rows()
  expect(west).toBe('west 9.9.9 gone, 3 min ago 3 h ago 120.5 1.25 ms 30 % 81 MB')
  expect(east).toStartWith(`east &lt;1&gt; answers now ${t.app.deps.ownProcess.version} now`)
  expect((await browser.get(PATH)).text).not.toContain('ahead of')
})

test('warns of an instance that lives and whose clock is wrong', async () => {
  const { read: readClock } = createSharedClock(t.app.deps.store.server.readClock, () =>
    t.clock.now().add({ seconds: 5 }),
  )
  await createHeartbeat({ ...t.app.deps, readClock })()
  expect((await browser.get(PATH)).text).toContain(
    'The clock of <bdi>east &lt;1&gt;</bdi> is 5.0 seconds ahead of the database clock.',
  )
})

test('is linked from the first page for administrators only', async () => {
  expect((await browser.get('/')).text).toContain(`href="${PATH}"`)
  expect((await (await memberWith(t, 'owner')).get('/')).text).not.toContain(PATH)
})
