/** The page of a night. The clock begins on Wednesday at noon in UTC, the zone of readers and checks. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { operatorIn } from '../../../../../src/domain/actor.ts'
import type { Check, CheckSpec } from '../../../../../src/domain/check/check.ts'
import type { Project } from '../../../../../src/domain/project.ts'
import { upsertCheck } from '../../../../../src/services/checks/checks.ts'
import { flipOverdue } from '../../../../../src/services/pings/flips.ts'
import { createProject } from '../../../../../src/services/projects/projects.ts'
import { addAccount, type Browser, memberWith, signedIn } from '../../../../support/browser.ts'
import { wordsOf } from '../../../../support/page-words.ts'
import { type TestApp, testApp } from '../../../../support/test-app.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

async function make(spec: CheckSpec, project: Project = t.project): Promise<Check> {
  const timing = { kind: 'cron', tz: 'UTC', graceSeconds: 3_600 } as const
  return (await upsertCheck(t.app.deps, operatorIn(project), { ...timing, ...spec }, true)).check
}
const ping = (check: Check, action = '') => t.call('POST', `/ping/${check.id}${action}`)

async function read(browser: Browser, query = '') {
  const { text, status } = await browser.get(`/night${query}`)
  expect(status).toBe(200)
  const [main = ''] = /<main[\s\S]*<\/main>/.exec(text) ?? []
  return { main, words: wordsOf(main) }
}

/** Makes a night: a backup ran, an export is missing, an import failed. */
async function night(): Promise<void> {
  const [backup, missing, failed] = [
    await make({ name: 'Backup', schedule: '0 2 * * *' }),
    await make({ name: 'Export', schedule: '0 3 * * *' }),
    await make({ name: 'Import', schedule: '0 4 * * *' }),
  ]
  await make({ name: 'Monthly', schedule: '0 4 1 * *' })
  for (const check of [backup, missing, failed]) await ping(check)
  t.clock.set('2026-03-05T02:00:00Z')
  await ping(backup, '/start')
  t.clock.advance({ minutes: 27 })
  await ping(backup)
  t.clock.set('2026-03-05T04:05:00Z')
  await flipOverdue(t.app.deps, t.clock.now())
  await ping(failed, '/fail')
  t.clock.set('2026-03-05T08:30:00Z')
}

test('says in a sentence how the night went, and at the end of each row what became of the check', async () => {
  await night()
  const { words } = await read(await memberWith(t, 'member'))
  expect(words).toContain('Night of 4 to 5 March All your checks in 1 project. Times in UTC.')
  expect(words).toContain('1 of 3 ran; 1 missing, 1 failed.')
  expect(words).toContain('Missing: Export. Failed: Import.')
  expect(words).toContain('Backup 02:00, 27 min Export missing since 03:00 Import failed 04:05')
  expect(words).toContain('at most 1, at 02:00')
  expect(words).toContain('1 not due Monthly (not pinged yet)')
})

test('says of another night, and of 24 hours, what was then', async () => {
  await night()
  const reader = await memberWith(t, 'member')
  expect((await read(reader, '?night=2026-03-03')).words).toContain('Night of 3 to 4 March All')
  expect((await read(reader, '?night=2025-12-31')).words).toContain('Night of 31 December to 1 January All')
  expect((await read(reader, '?night=2025-01-01')).words).toContain('Night of 1 to 2 January 2025 All')
  expect((await read(reader, '?view=24h')).words).toContain('The last 24 hours')
  const from = await read(reader, '?view=24h&from=2026-03-04T20:00Z')
  expect(from.words).toContain('24 hours from 4 Mar 2026, 20:00')
  expect(from.words).toContain('Export missing since 03:00')
  for (const unreadable of ['?night=2026-02-31', '?night=9999-12-31', '?view=24h&from=x', '?at=99:99&night=']) {
    expect((await read(reader, unreadable)).words).toMatch(/Night of 4 to 5 March|The last 24 hours/)
  }
})

test('follows a ping at once, although it keeps what it has read', async () => {
  await night()
  const reader = await memberWith(t, 'member')
  await read(reader)
  const failed = await make({ name: 'Late job', schedule: '0 7 * * *' })
  await ping(failed, '/fail')
  expect((await read(reader, '?view=24h')).words).toContain('Late job failed 08:30')
  t.clock.set('2026-03-05T17:00:00Z')
  const coming = await read(reader)
  expect(coming.words).toContain('Night of 5 to 6 March')
  expect(coming.words).toContain('Backup due 02:00')
})

test('marks the rows that ran in the minute that the address names', async () => {
  await night()
  const { main, words } = await read(await memberWith(t, 'member'), '?night=2026-03-04&at=02:10')
  expect(words).toContain('Backup ran then: 02:00, 27 min')
  expect(main.match(/ at"/g)).toHaveLength(1)
})

test('shows a reader the checks of their projects only, and no address that pings', async () => {
  await night()
  const { project: other } = await createProject(t.app.deps, 'Neighbours')
  const secret = await make({ name: 'Not yours', schedule: '0 2 * * *' }, other)
  await ping(secret)
  const { main, words } = await read(await memberWith(t, 'read-only'))
  expect(words).toContain('All your checks in 1 project.')
  expect(main).not.toContain('Not yours')
  expect(main).not.toContain(secret.publicId)
  expect(main).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-4/)
  expect((await read(await signedIn(t, await addAccount(t)))).words).toContain('No checks yet')
})

test('says which checks were muted, by whom and why, and judges them as without', async () => {
  await night()
  const plain = await read(await memberWith(t, 'member'))
  t.clock.set('2026-03-04T22:00:00Z')
  const ann = await memberWith(t, 'member', { email: 'ann@example.org' })
  await ann.post(`/p/${t.project.slug}/mute`, { project: 'on', until: 'morning', reason: '<b>New disk</b>' })
  t.clock.set('2026-03-05T08:30:00Z')
  const { main, words } = await read(ann)
  expect(words).toContain(
    'Missing: Export. Failed: Import. Muted: 4 checks from yesterday 22:00 to 08:00 by ann@example.org: ‘ &lt;b&gt;New disk&lt;/b&gt; ’.',
  )
  expect(words).toContain('Export missing since 03:00, muted from 22:00 Import failed 04:05, muted from 22:00')
  expect(main).toContain('<path class="mu" d="M240 .5H840M240 2.5H840"/>')
  expect(main).not.toContain('<b>New')
  expect(words.replaceAll(', muted from 22:00', '').replace(/Muted: .*?’\. /, '')).toBe(plain.words)
  const ofReader = await read(await memberWith(t, 'read-only'))
  expect(ofReader.words).toContain('Muted: 4 checks from yesterday 22:00 to 08:00 by somebody: ‘ ')
  expect(ofReader.main).not.toContain('ann@example.org')
})

test('shows a hostile name as text', async () => {
  const check = await make({ name: '<script>alert(1)</script>"\u202e', schedule: '0 2 * * *' })
  await ping(check)
  t.clock.set('2026-03-05T08:30:00Z')
  const { main } = await read(await memberWith(t, 'member'))
  expect(main).not.toContain('<script')
  expect(main).toContain('<bdi>&lt;script&gt;alert(1)&lt;/script&gt;&quot;\u202e</bdi>')
})

test('says what to do when nothing was due', async () => {
  await ping(await make({ name: 'Noon', schedule: '0 12 * * *' }))
  t.clock.set('2026-03-05T08:30:00Z')
  const { words } = await read(await memberWith(t, 'member'))
  expect(words).toContain('Nothing was due between 18:00 and 08:00. See 24 hours.')
})

test('says how far the log reaches for a night that it no longer knows', async () => {
  const often = await make({ name: 'Backup', schedule: '0 2 * * *' })
  for (let day = 0; day < 220; day++) {
    await ping(often)
    t.clock.advance({ hours: 24 })
  }
  const { words } = await read(await memberWith(t, 'member'), '?night=2026-03-10')
  expect(words).toContain('The log reaches back to ')
})
