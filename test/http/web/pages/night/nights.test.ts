/**
 * Nights before the last one, and the text about trouble in a night. The clock begins on Wednesday at noon in UTC, the zone of readers and
 * checks.
 */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { operatorIn } from '../../../../../src/domain/actor.ts'
import type { Check, CheckSpec } from '../../../../../src/domain/check/check.ts'
import { packedMinutes } from '../../../../../src/domain/run/day-minutes.ts'
import { Temporal } from '../../../../../src/lib/time.ts'
import { pauseCheck, upsertCheck } from '../../../../../src/services/checks/checks.ts'
import { flipOverdue } from '../../../../../src/services/pings/flips.ts'
import { memberWith } from '../../../../support/browser.ts'
import { wordsOf } from '../../../../support/page-words.ts'
import { type TestApp, testApp } from '../../../../support/test-app.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

const actor = () => operatorIn(t.project)

async function make(spec: CheckSpec): Promise<Check> {
  return (await upsertCheck(t.app.deps, actor(), { tz: 'UTC', ...spec }, true)).check
}
const ping = (check: Check, action = '') => t.call('POST', `/ping/${check.id}${action}`)

async function at(time: string): Promise<void> {
  t.clock.set(time)
  await flipOverdue(t.app.deps, t.clock.now())
}

async function read(query = '') {
  const { text, status } = await (await memberWith(t, 'member')).get(`/night${query}`)
  expect(status).toBe(200)
  const [main = ''] = /<main[\s\S]*<\/main>/.exec(text) ?? []
  return { main, words: wordsOf(main) }
}

/** Returns the names of the links to nights, oldest first. */
function nightsOf(main: string): readonly string[] {
  const [list = ''] = /<ol class="nights">[\s\S]*?<\/ol>/.exec(main) ?? []
  return [...list.matchAll(/aria-label="([^"]*)"/g)].map(([, name = '']) => name)
}

test('the last fourteen nights are links, each with what went wrong', async () => {
  const check = await make({ name: 'Backup', schedule: '0 2 * * *' })
  await ping(check)
  await at('2026-03-05T04:00:00Z')
  await at('2026-03-06T02:05:00Z')
  await ping(check)
  await at('2026-03-07T02:05:00Z')
  await ping(check, '/fail')
  await at('2026-03-08T02:05:00Z')
  await ping(check)
  await at('2026-03-08T09:00:00Z')
  const { main } = await read()
  const nights = nightsOf(main)
  expect(nights).toHaveLength(14)
  expect(nights.slice(-6)).toEqual([
    'Night of Mon 2 Mar: nothing is known',
    'Night of Tue 3 Mar: nothing is known',
    'Night of Wed 4 Mar: 1 missing',
    'Night of Thu 5 Mar: nothing missing or failed',
    'Night of Fri 6 Mar: 1 failed',
    'Night of Sat 7 Mar: nothing missing or failed',
  ])
  expect(main).toContain('href="/night?night=2026-03-06" aria-label="Night of Fri 6 Mar')
  expect(main).toContain('href="/night" aria-current="page"')
})

test('the night before and the one after are links, with their keys', async () => {
  await ping(await make({ name: 'Backup', schedule: '0 2 * * *' }))
  t.clock.set('2026-03-05T08:30:00Z')
  const { main } = await read()
  expect(main).toContain('href="/night?night=2026-03-03" data-key="[" aria-label="The night before"')
  expect(main).toContain('href="/night?night=2026-03-05" data-key="]" aria-label="The next night"')
  expect(main).toContain('href="/night" data-key="t" aria-current="true"')
  expect(main).toContain('href="/night?view=night&amp;from=2026-03-04T17%3A00Z" data-key="Shift+ArrowLeft" hidden')
})

test('links to the present night name no evening, so that its page goes on', async () => {
  t.clock.set('2026-03-05T08:30:00Z')
  await ping(await make({ name: 'Backup', schedule: '0 2 * * *' }))
  const { main } = await read('?night=2026-03-03')
  expect(main).toContain('href="/night" data-key="]" aria-label="The next night"')
  expect(main).toContain('href="/night" data-key="t"')
  expect(main).toContain('href="/night" aria-label="Night of Wed 4 Mar')
  expect(main).not.toContain('night=2026-03-04')
})

test('a night may be moved by hours', async () => {
  const check = await make({ name: 'Backup', schedule: '0 2 * * *' })
  await ping(check)
  t.clock.set('2026-03-05T02:10:00Z')
  await ping(check)
  t.clock.set('2026-03-05T08:30:00Z')
  const { main, words } = await read('?view=night&from=2026-03-04T21:00Z')
  expect(words).toContain('14 hours from 4 Mar 2026, 21:00')
  expect(words).toContain('Backup 02:10')
  expect(main).toContain('href="/night?view=night&amp;from=2026-03-03T21%3A00Z" data-key="["')
  expect((await read('?view=night&from=2026-03-04T18:00Z')).words).toContain('Night of 4 to 5 March')
  expect((await read('?view=night&from=2027-03-04T21:00Z')).words).toContain('Night of 4 to 5 March')
})

test('from 16:00 on the coming night is planned only', async () => {
  await ping(await make({ name: 'Backup', schedule: '0 2 * * *' }))
  await ping(await make({ name: 'Queue', timeout: 600 }))
  await at('2026-03-04T16:30:00Z')
  const { main, words } = await read()
  expect(words).toContain('Night of 4 to 5 March')
  expect(words).toContain('1 to come.')
  expect(words).toContain('Backup due 02:00')
  expect(words).toContain('1 that run all the time')
  const [rows = ''] = main.split('<ul class="legend">')
  const drawn = [...rows.matchAll(/<path class="(\w+)"/g)].map(([, mark]) => mark)
  expect(drawn).toEqual(['hatch', 'gr', 'pl', 'pl'])
  expect(nightsOf(main).at(-1)).toBe('Night of Wed 4 Mar: to come')
})

test('a check that runs all the time is drawn from its first run on', async () => {
  t.clock.set('2026-03-04T20:00:00Z')
  const check = await make({ name: 'Queue', timeout: 600 })
  await ping(check)
  t.clock.advance({ minutes: 10 })
  await ping(check)
  expect((await read()).main).toContain(' d="M120 10H130"/>')
})

test('a pause is a line, and named', async () => {
  const check = await make({ name: 'Backup', schedule: '0 20 * * *' })
  await ping(check)
  t.clock.set('2026-03-04T20:05:00Z')
  await ping(check)
  t.clock.set('2026-03-04T22:00:00Z')
  await pauseCheck(t.app.deps, actor(), check)
  t.clock.set('2026-03-05T08:30:00Z')
  const { main, words } = await read()
  expect(words).toContain('Backup 20:05, paused from 22:00')
  expect(main).toContain('<path class="pa" d="M240 10H840"/>')
})

test('checks of one sender that fell silent together are one line, and each has its own in a fold', async () => {
  const often = { timeout: 600, grace: 600, tags: 'db' }
  const checks = [
    await make({ ...often, name: 'WAL' }),
    await make({ ...often, name: 'Queue' }),
    await make({ ...often, name: 'Watchdog' }),
  ]
  t.clock.set('2026-03-05T02:00:00Z')
  for (const check of checks) await ping(check)
  await at('2026-03-05T02:30:00Z')
  for (const check of checks) await ping(check)
  const { main, words } = await read()
  expect(words).toContain('3 checks with the tag db silent 02:10 to 02:30')
  expect(words).toContain('3 checks with the tag db were silent together from 02:10 to 02:30.')
  const [fold = ''] = /<details class="folded"><summary>[^<]*<svg[\s\S]*?<\/details>/.exec(main) ?? []
  expect(wordsOf(fold)).toContain('3 that were silent together')
  expect(fold).toContain('WAL')
  expect(main.replace(fold, '')).not.toContain('>WAL<')
})

test('a night that the log no longer reaches is told by the counts of its days', async () => {
  const check = await make({ name: 'Backup', schedule: '0 2 * * *' })
  const other = await make({ name: 'Export', schedule: '0 3 * * *' })
  for (let day = 0; day < 130; day++) {
    for (const each of [check, other]) await ping(each)
    t.clock.advance({ hours: 24 })
  }
  const { store } = t.app.deps
  const night = t.clock.now().toZonedDateTimeISO('UTC').toPlainDate().subtract({ days: 120 })
  const counts = { firstAt: null, lastAt: null, longest: null, failed: 0, missed: 0 }
  const of = {
    [check.id]: { ...counts, runs: 1, longest: 120_000_000, minutes: packedMinutes([121]) },
    [other.id]: { ...counts, runs: 0, missed: 1, minutes: packedMinutes([]) },
  }
  const later = t.clock.now().add({ hours: 1 })
  const claimed = await store.advice.claimLooks(later, later, 10)
  const looks = claimed.map((one) => ({
    ...{ claimed: one, lookedN: 1, advice: [], oldestDay: '', lookAfter: later },
    days: [
      {
        day: String(night.add({ days: 1 })),
        ...(of[one.checkId] ?? { ...counts, runs: 0, minutes: packedMinutes([]) }),
      },
    ],
  }))
  await store.advice.writeLooks(looks, t.clock.now())
  const { words } = await read(`?night=${night}`)
  expect(words).toContain('1 of 2 ran; 1 missing.')
  expect(words).toContain('Backup 02:01, 2 min')
  expect(words).toContain('Export missing since 03:00')
  expect(words).toContain('The log no longer reaches back to this night, so rows show daily totals.')
  const before = Temporal.PlainDate.from(night).subtract({ days: 1 })
  const unknown = await read(`?night=${before}`)
  expect(unknown.words).toContain('The log reaches back to ')
  expect(unknown.main).not.toContain('<table')
})
