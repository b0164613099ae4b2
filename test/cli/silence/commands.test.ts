/** `overdue silence …`: checks without alerts, and the end of that. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { systemClock } from '../../../src/app/system-clock.ts'
import { Temporal } from '../../../src/lib/time.ts'
import { upsertCheck } from '../../../src/services/checks/checks.ts'
import { listSilences } from '../../../src/services/silences/silences.ts'
import { run } from '../../support/command-line.ts'
import { only } from '../../support/store-builders.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

let t: TestApp
let id: string
beforeEach(async () => {
  t = await testApp({ isShared: true })
  const { check } = await upsertCheck(t.app.deps, t.actor, { name: 'Backup', slug: 'backup', tags: 'prod' }, false)
  id = check.id
})
afterEach(() => t.close())

/** The time a day after that of the machine's clock, as people type it. */
const tomorrow = () => systemClock().add({ hours: 24 }).toString({ smallestUnit: 'second' })
const overdue = (...words: string[]) => run([...words, '--project', 'Tests'], { DATABASE_URL: t.databaseUrl })
/** Lists the silences at the time of the machine's clock, which commands use. */
const silences = () => listSilences(t.app.deps, t.actor)

describe('overdue silence set', () => {
  const WEEKLY = ['--schedule', '0 22 * * 6', '--tz', 'Europe/Riga', '--for', '2h']
  const made = async (...words: string[]) => {
    await overdue('silence', 'create', 'backup', ...words)
    return only(await silences())
  }

  test('changes the end and the reason, and nothing else', async () => {
    const { id: typed, startsAt, match } = await made('--for', '2h', '--reason', 'New disk.')
    const { code, out } = await overdue('silence', 'set', typed.slice(0, 6), '--until', '2099-01-01T00:00Z')
    expect([code, out]).toEqual([2, ''])
    const answer = await overdue('silence', 'set', typed.slice(0, 6), '--for', '5h', '--reason', 'Two disks.')
    expect(answer.out).toMatch(/^Backup: Muted until .*: ‘Two disks.’\n$/)
    const changed = only(await silences())
    expect(changed).toMatchObject({ id: typed, startsAt, match, reason: 'Two disks.' })
    expect(startsAt.until(changed.endsAt ?? startsAt).total('hours')).toBeCloseTo(5, 1)
  })

  test('changes a window, gives it a last end, and takes that away', async () => {
    const { id: typed } = await made(...WEEKLY)
    const { out } = await overdue('silence', 'set', typed, '--for', '3h', '--until', '2099-01-01T00:00Z')
    expect(out).toContain('\nagain at 22:00 on Saturday (Europe/Riga), for 3 hours\n')
    expect(only(await silences())).toMatchObject({ window: { schedule: '0 22 * * 6', seconds: 10_800 } })
    expect(only(await silences()).endsAt?.toString()).toBe('2099-01-01T00:00:00Z')
    await overdue('silence', 'set', typed, '--until', 'never', '--tz', 'UTC')
    expect(only(await silences())).toMatchObject({ endsAt: null, window: { tz: 'UTC', seconds: 10_800 } })
  })

  test('moves a silence that has not begun, and its span counts from its start', async () => {
    const from = tomorrow()
    const { id: typed } = await made('--from', from, '--for', '2h')
    const begin = Temporal.Instant.from(from)
    await overdue('silence', 'set', typed, '--for', '3h')
    expect(only(await silences())).toMatchObject({ startsAt: begin, endsAt: begin.add({ hours: 3 }) })
    await overdue('silence', 'set', typed, '--from', begin.add({ hours: 1 }).toString())
    expect(only(await silences())).toMatchObject({ startsAt: begin.add({ hours: 1 }), endsAt: begin.add({ hours: 3 }) })
    const { err } = await overdue('silence', 'set', typed, '--from', begin.add({ hours: 4 }).toString())
    expect(err).toContain('the end is not after --from')
  })

  test('makes a silence come again', async () => {
    const { id: typed } = await made('--for', '2h')
    expect((await overdue('silence', 'set', typed, '--schedule', '0 22 * * 6')).err).toContain('--schedule needs --for')
    await overdue('silence', 'set', typed, ...WEEKLY)
    expect(only(await silences())).toMatchObject({
      endsAt: null,
      window: { schedule: '0 22 * * 6', tz: 'Europe/Riga', seconds: 7_200 },
    })
  })

  test.each([
    [[], 'say what to change'],
    [['--for', 'soon'], '--for soon is not valid'],
    [['--until', 'never'], '--until never is not valid'],
    [['--for', '31d'], 'the end is more than 30 days after the start'],
    [['--tz', 'UTC'], '--tz is the zone of a schedule, which the silence lacks'],
    [['--schedule', '0 25 * * *', '--for', '1h'], 'hour'],
    [['--schedule', 'daily', '--for', '1d'], '--for leaves no pause between the occurrences of --schedule'],
  ] as const)('with %p changes nothing, and says what to write', async (words, problem) => {
    const before = await made('--for', '2h')
    const { code, err } = await overdue('silence', 'set', before.id, ...words)
    expect(code).toBeGreaterThan(0)
    expect(err).toContain(problem)
    expect(only(await silences())).toEqual(before)
  })
})

describe('overdue silence create', () => {
  test('silences the checks that are named, and says how to end that', async () => {
    const { code, out } = await overdue('silence', 'create', 'backup', '--for', '2h', '--reason', 'New disk.')
    const { id: made, match, reason, startsAt, endsAt } = only(await silences())
    expect(code).toBe(0)
    expect(out).toStartWith('Backup: Muted until ')
    expect(out).toEndWith(`: ‘New disk.’\nto end it, run \`overdue silence end ${made}\`\n`)
    expect([match, reason]).toEqual([{ checks: [id], tags: [] }, 'New disk.'])
    expect(endsAt).toEqual(startsAt.add({ minutes: 120 }))
  })

  test('by tag, until healthy', async () => {
    const { out } = await overdue('silence', 'create', '--tag', 'prod', '--tag', 'db', '--until-healthy', '--json')
    expect(JSON.parse(out)).toMatchObject({ match: { checks: [], tags: ['prod', 'db'] }, until_healthy: true })
    expect((await overdue('silence', 'list')).out).toContain('tagged prod db')
  })

  test('of the whole project only when that is said', async () => {
    expect(await overdue('silence', 'create', '--for', '2h')).toMatchObject({
      code: 2,
      err: 'name checks, give --tag, or silence the whole project with --all\n→ see `overdue silence create --help`\n',
    })
    expect((await overdue('silence', 'create', 'backup', '--all', '--for', '2h')).code).toBe(2)
    expect((await overdue('silence', 'create', '--all', '--for', '2h')).out).toStartWith('all checks: Muted until ')
  })

  test('by a schedule, and says when it is next and when again', async () => {
    const { code, out } = await overdue(
      ...['silence', 'create', 'backup', '--schedule', '0 22 * * 6', '--tz', 'Europe/Riga', '--for', '2h'],
    )
    const { endsAt, window } = only(await silences())
    expect([code, endsAt, window]).toEqual([0, null, { schedule: '0 22 * * 6', tz: 'Europe/Riga', seconds: 7_200 }])
    expect(out).toContain('\nagain at 22:00 on Saturday (Europe/Riga), for 2 hours\n')
    expect((await overdue('silence', 'list')).out).toContain('at 22:00 on Saturday (Europe/Riga), for 2 hours')
    const [listed] = JSON.parse((await overdue('silence', 'list', '--json')).out)
    expect(listed).toMatchObject({ ends_at: null, schedule: '0 22 * * 6', tz: 'Europe/Riga', duration: 7_200 })
    expect(Date.parse(listed.next.ends_at) - Date.parse(listed.next.starts_at)).toBeLessThanOrEqual(7_200_000)
  })

  test('from a time on, from which the span counts', async () => {
    const from = tomorrow()
    const { out } = await overdue('silence', 'create', 'backup', '--from', from, '--for', '2h')
    expect(out).toMatch(/^Backup: Muted from .* until /)
    const { startsAt, endsAt } = only(await silences())
    expect([startsAt, endsAt]).toEqual([Temporal.Instant.from(from), Temporal.Instant.from(from).add({ hours: 2 })])
  })

  test('by a schedule from a time on', async () => {
    const from = tomorrow()
    await overdue('silence', 'create', '--all', '--schedule', 'daily', '--for', '1h', '--from', from)
    expect(only(await silences())).toMatchObject({ startsAt: Temporal.Instant.from(from), window: { seconds: 3_600 } })
  })

  test('by a schedule until a time', async () => {
    await overdue('silence', 'create', '--all', '--schedule', 'daily', '--for', '1h', '--until', '2099-01-01T00:00Z')
    expect(only(await silences()).endsAt?.toString()).toBe('2099-01-01T00:00:00Z')
  })

  test.each([
    [['backup'], 'an end is missing'],
    [['backup', '--schedule', 'daily'], '--schedule needs --for'],
    [['backup', '--schedule', '0 25 * * *', '--for', '1h'], 'hour'],
    [['backup', '--schedule', 'daily', '--tz', 'Riga', '--for', '1h'], '"Riga" is not a time zone'],
    [['backup', '--tz', 'UTC', '--for', '1h'], '--tz is the zone of --schedule, which is missing'],
    [['backup', '--schedule', 'daily', '--for', '1d'], '--for leaves no pause between the occurrences of --schedule'],
    [['backup', '--schedule', 'daily', '--for', '1h', '--until-healthy'], 'use only one'],
    [['backup', '--for', '31d'], 'the end is more than 30 days after the start'],
    [['backup', '--for', '8d', '--until-healthy'], 'the end is more than 7 days after the start'],
    [['backup', '--for', 'soon'], '--for soon is not valid'],
    [['backup', '--until', '2020-01-01T00:00Z'], 'the end is in the past'],
    [['backup', '--until', 'noon'], '--until noon is not valid'],
    [['backup', '--from', 'noon', '--for', '1h'], '--from noon is not valid'],
    [['backup', '--from', '+275760-09-13T00:00:00Z', '--for', '1h'], '--from +275760-09-13T00:00:00Z is not valid'],
    [['backup', '--from', '2099-01-01T00:00Z', '--for', '1h'], '--from is more than 365 days ahead'],
    [['backup', '--for', '1h', '--until', '2099-01-01T00:00Z'], '--for and --until: use only one'],
    [['--tag', 'two words', '--for', '1h'], '--tag "two words" is not a tag'],
    [['nothing', '--for', '1h'], 'has no check "nothing"'],
  ])('%j is refused with a sentence', async (words, sentence) => {
    const { code, err } = await overdue('silence', 'create', ...words)
    expect(code).toBeGreaterThan(0)
    expect(err).toContain(sentence)
    expect(await silences()).toEqual([])
  })
})

test('overdue silence end ends one by the beginning of its id, once', async () => {
  await overdue('silence', 'create', 'backup', '--for', '2h')
  const { id: made } = only(await silences())
  expect(await overdue('silence', 'end', made.slice(0, 8))).toMatchObject({
    code: 0,
    out: `ended silence ${made}; checks that are still down alert now\n`,
  })
  expect(await overdue('silence', 'end', made)).toMatchObject({
    code: 1,
    err: `project "Tests" has no active or planned silence "${made}"\n→ see \`overdue silence list --project "Tests"\`\n`,
  })
})

test('overdue silence list --ended lists those that have ended, the last to end first', async () => {
  const create = async (...words: string[]): Promise<string> =>
    JSON.parse((await overdue('silence', 'create', ...words, '--for', '2h', '--json')).out).id
  const listed = async (...words: string[]): Promise<string[]> =>
    JSON.parse((await overdue('silence', 'list', ...words, '--json')).out).map((silence: { id: string }) => silence.id)
  const [first, second, third] = [await create('backup'), await create('--all'), await create('--tag', 'prod')]
  for (const made of [second, first]) await overdue('silence', 'end', made)
  expect(await listed()).toEqual([third])
  expect(await listed('--ended')).toEqual([first, second])
  expect(await listed('--ended', '--limit', '1')).toEqual([first])
  expect((await overdue('silence', 'list', '--limit', '0')).err).toStartWith('--limit 0 is not valid\n')
})
