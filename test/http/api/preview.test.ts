/** `checks/preview`: the meaning of a timing, and its judgement of the last runs of a check. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createProject } from '../../../src/services/projects/projects.ts'
import { type Call, type TestApp, testApp } from '../../support/test-app.ts'

interface Preview {
  readonly kind: string
  readonly words: string
  readonly next: readonly string[]
  readonly clock_changes: readonly { readonly date: string; readonly forward: boolean; readonly effect: string }[]
  readonly replay: { readonly runs: readonly { readonly kind: string; readonly n: number | null }[] } | null
  readonly woken: Readonly<Record<string, unknown>> | null
  readonly suggestion: Readonly<Record<string, unknown>> | null
}

const PATH = '/api/v3/checks/preview'
const NOWHERE = '00000000-0000-4000-8000-000000000000'

let t: TestApp
let key: string
let readOnly: string
beforeEach(async () => {
  // A Wednesday at noon.
  t = await testApp()
  key = t.keys.apiKey
  readOnly = t.keys.apiKeyReadonly
})
afterEach(() => t.close())

const preview = (json: unknown, by = key) => t.json<Preview>('POST', PATH, { key: by, json })
const create = (json: unknown = {}) => t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key, json })

async function answer(call: Call, method = 'POST'): Promise<string> {
  const response = await t.call(method, PATH, call)
  return `${response.status} ${JSON.parse(await response.text()).error}`
}

/** Runs ten days of a job that is due every day at noon. */
async function runDaily(uuid: string): Promise<void> {
  for (let day = 0; day < 10; day++) {
    t.clock.advance({ hours: 24 })
    await t.call('POST', `/ping/${uuid}`)
  }
}

describe('without a check', () => {
  test('a schedule is answered with its words, its next six runs, and what changes of the clocks do to it', async () => {
    t.clock.set('2026-03-28T12:00:00Z')
    const { clock_changes, ...rest } = await preview({ schedule: '30 3 * * 1-5', tz: 'Europe/Riga' })
    expect(rest).toEqual({
      kind: 'cron',
      words: 'Weekdays at 03:30',
      next: ['30', '31']
        .map((day) => `2026-03-${day}T00:30:00+00:00`)
        .concat(['01', '02', '03', '06'].map((day) => `2026-04-${day}T00:30:00+00:00`)),
      replay: null,
      woken: null,
      suggestion: null,
    })
    expect(clock_changes.map(({ date, forward }) => [date, forward])).toEqual([
      ['2026-03-29T01:00:00+00:00', true],
      ['2026-10-25T01:00:00+00:00', false],
    ])
  })

  test('a period counts from now, and has no changes of the clocks', async () => {
    const { kind, words, next, clock_changes } = await preview({ timeout: 600, tz: 'Europe/Riga' })
    expect({ kind, words, clock_changes }).toEqual({ kind: 'simple', words: 'Every 10 minutes', clock_changes: [] })
    expect(next).toEqual(
      [10, 20, 30, 40, 50].map((minute) => `2026-03-04T12:${minute}:00+00:00`).concat('2026-03-04T13:00:00+00:00'),
    )
  })

  test('what is left out is as in a new check', async () => {
    expect(await preview({})).toMatchObject({ kind: 'simple', words: 'Every day' })
    for (const schedule of ['daily', '@daily']) {
      expect((await preview({ schedule })).next[0]).toBe('2026-03-05T00:00:00+00:00')
    }
  })
})

describe('with a check', () => {
  test('its last runs are judged by the given schedule, and by its own if none is given', async () => {
    const { uuid } = await create({ schedule: '0 12 * * *' })
    await runDaily(uuid)
    const weekdays = await preview({ check: uuid, schedule: '0 12 * * 1-5' })
    const extra = weekdays.replay?.runs.flatMap(({ kind, n }) => (kind === 'extra' ? [n] : []))
    // The runs of the weekend, of the first ten days from a Thursday.
    expect(extra).toEqual([3, 4, 10])
    expect(weekdays.replay).toMatchObject({ extra: 3, late: 0, missing: 0, failed: 0 })
    expect((await preview({ check: uuid })).replay).toMatchObject({ on_time: 10, extra: 0, missing: 0 })
  })

  test('it tells how often somebody would have been woken, beside the settings that the check has', async () => {
    const { uuid } = await create({ schedule: '0 12 * * *', grace: 3_600 })
    await runDaily(uuid)
    t.clock.advance({ hours: 40 })
    await t.call('POST', `/ping/${uuid}`)
    const { woken } = await preview({ check: uuid, grace: 86_400 })
    expect(woken).toEqual({
      words: [
        'Over the last 11 runs, since 5 Mar 12:00 UTC: 0 alerts instead of 1.',
        'The outage reported yesterday at 13:00 UTC would not have been found: the next ping arrived before it was late.',
        'From now on an outage is noticed within 2 d, instead of 1 d 1 h.',
      ],
      ...{ alerts: 1, alerts_then: 0, spared: 0, runs: 11, since: '2026-03-05T12:00:00+00:00' },
      ...{ unfound: ['2026-03-15T13:00:00+00:00'], not_yet_found: null, found_later: [], gained: [], more: [] },
      ...{ notice: 90_000, notice_then: 172_800 },
    })
  })

  test('another rhythm of its runs is proposed in the fields of a check', async () => {
    const { uuid } = await create({ timeout: 604_800 })
    await runDaily(uuid)
    const { suggestion } = await preview({ check: uuid })
    expect(suggestion).toMatchObject({ kind: 'often', variant: 'period', sentence: expect.stringContaining('day') })
    const { words: _, kind: __, variant: ___, sentence: ____, ...spec } = suggestion ?? {}
    const changed = await t.call('POST', `/api/v3/checks/${uuid}`, { key, json: spec })
    expect(changed.status).toBe(200)
    expect(await preview({ check: uuid })).toMatchObject({ replay: { missing: 0, late: 0 }, suggestion: null })
  })

  test('nothing changes', async () => {
    const { uuid } = await create({ schedule: '0 12 * * *' })
    await runDaily(uuid)
    const read = () => t.json('GET', `/api/v3/checks/${uuid}`, { key })
    const before = await read()
    await preview({ check: uuid, timeout: 60, grace: 60 })
    expect(await read()).toEqual(before)
  })

  test('a read-only key names it by its unique key, and gets nothing that allows pings', async () => {
    const { uuid } = await create()
    await runDaily(uuid)
    const { checks } = await t.json<{ checks: { unique_key: string }[] }>('GET', '/api/v3/checks/', { key: readOnly })
    const given = await t.call('POST', PATH, { key: readOnly, json: { check: checks[0]?.unique_key } })
    const text = await given.text()
    expect(given.status).toBe(200)
    expect(JSON.parse(text).replay.runs).toHaveLength(10)
    expect(text).not.toContain(uuid)
  })

  test('of another project, or of none, it is refused before the timing is looked at', async () => {
    const { keys } = await createProject(t.app.deps, 'Others')
    const { uuid } = await create()
    const wrong = { schedule: '60 * * * *' }
    expect(await answer({ key: keys.apiKey, json: { ...wrong, check: uuid } })).toBe('403 forbidden')
    expect(await answer({ key, json: { ...wrong, check: NOWHERE } })).toBe('404 not found')
    expect(await answer({ key, json: { check: 'Backup' } })).toBe(
      '400 json validation error: check does not match pattern',
    )
  })
})

describe('a mistake', () => {
  test('in the schedule is told with its place', async () => {
    const given = await t.call('POST', PATH, { key, json: { schedule: '0 25 * * 1-5' } })
    expect(given.status).toBe(400)
    expect(await given.json()).toEqual({ error: expect.stringContaining('"25"'), position: 2, length: 2 })
  })

  test('in a schedule of another program is told with what to write', async () => {
    const given = await t.call('POST', PATH, { key, json: { schedule: '0 21 * * * Europe/Berlin' } })
    expect(await given.json()).toMatchObject({ error: expect.stringContaining('"Europe/Berlin"'), position: 11 })
  })

  test.each([
    [{ grace: 59 }, 'grace is too small'],
    [{ timeout: '1d' }, 'timeout is not a number'],
    [{ schedule: 'x'.repeat(101) }, 'schedule is too long'],
    [{ tz: 'Mars/Phobos' }, 'tz is not a valid timezone'],
    [{ zones: ['UTC', 'UTC', 'UTC', 'UTC'] }, 'zones is too long'],
    [{ zones: ['Mars/Phobos'] }, "an item in 'zones' has unexpected value"],
  ])('in another field is told by the sentence of Healthchecks: %j', async (json, sentence) => {
    expect(await answer({ key, json })).toBe(`400 json validation error: ${sentence}`)
  })
})

test('it needs a key of the project, and is a POST', async () => {
  expect(await answer({ json: {} })).toBe('401 missing api key')
  expect(await answer({ key: 'x'.repeat(32), json: {} })).toBe('401 wrong api key')
  expect(await answer({ key }, 'GET')).toBe('405 method not allowed')
  expect((await t.call('OPTIONS', PATH)).headers.get('access-control-allow-methods')).toBe('POST, OPTIONS')
  for (const version of [1, 2]) {
    expect((await t.call('POST', `/api/v${version}/checks/preview`, { key: readOnly, json: {} })).status).toBe(200)
  }
})
