import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Check } from '../../../src/domain/check/check.ts'
import { uniqueKey } from '../../../src/domain/check/unique-key.ts'
import { type CheckWithRuns, ProjectMetrics } from '../../../src/domain/metrics/project-metrics.ts'
import type { RunBucket } from '../../../src/domain/metrics/run-durations.ts'
import { aCheck, at, CHECK_ID, NOON } from '../../support/builders.ts'
import { readExposition } from '../support/exposition-reader.ts'

/** @param pageSize number of checks that are added at once */
const textOf = (checks: readonly CheckWithRuns[], pageSize = checks.length) => {
  const metrics = new ProjectMetrics()
  for (let from = 0; from < checks.length; from += pageSize) metrics.add(checks.slice(from, from + pageSize), NOON)
  return [...metrics.text()].join('')
}

const formatted = (checks: readonly Check[], runs: readonly RunBucket[] = []) =>
  textOf(checks.map((check) => ({ check, runs })))
/** Returns values by name, and by the check's name if there is one. */
const values = (checks: readonly Check[]) =>
  Object.fromEntries(
    readExposition(formatted(checks)).map(({ name, labels, value }) => [
      [name, labels.name ?? labels.tag].filter((part) => part !== undefined).join(' '),
      Number(value),
    ]),
  )

const KEY = uniqueKey(CHECK_ID)
const OTHER_ID = '00000000-0000-4000-8000-000000000001'
const OTHER_KEY = uniqueKey(OTHER_ID)

test('the answer for a set of checks is this, byte for byte', () => {
  const checks = [
    {
      check: aCheck({
        name: 'Back up "db"',
        tags: 'prod  db',
        status: 'up',
        lastPingAt: at('11:59'),
        lastSuccessAt: at('11:59:00.25'),
        lastDuration: 4_500_000,
      }),
      runs: [
        { bound: 5, runs: 2, total: 8_000_000 },
        { bound: 1, runs: 1, total: 250_000 },
      ],
    },
    { check: aCheck({ id: OTHER_ID, name: '', tags: 'prod', status: 'down' }), runs: [] },
  ]
  const first = `{name="Back up \\"db\\"", tags="prod  db", unique_key="${KEY}"}`
  const second = `{name="", tags="prod", unique_key="${OTHER_KEY}"}`
  const own = `name="Back up \\"db\\"",tags="prod  db",unique_key="${KEY}"`
  const duration = 'overdue_check_run_duration_seconds'
  expect(textOf(checks)).toBe(`# HELP hc_check_up Whether the check is currently up (1 for yes, 0 for no).
# TYPE hc_check_up gauge
hc_check_up${first} 1
hc_check_up${second} 0

# HELP hc_check_started Whether the check is currently started (1 for yes, 0 for no).
# TYPE hc_check_started gauge
hc_check_started${first} 0
hc_check_started${second} 0

# HELP hc_check_grace Whether the check is currently in the grace period (1 for yes, 0 for no).
# TYPE hc_check_grace gauge
hc_check_grace${first} 0
hc_check_grace${second} 0

# HELP hc_check_paused Whether the check is currently paused (1 for yes, 0 for no).
# TYPE hc_check_paused gauge
hc_check_paused${first} 0
hc_check_paused${second} 0

# HELP hc_tag_up Whether all checks with this tag are up (1 for yes, 0 for no).
# TYPE hc_tag_up gauge
hc_tag_up{tag="db"} 1
hc_tag_up{tag="prod"} 0

# HELP hc_checks_total The total number of checks.
# TYPE hc_checks_total gauge
hc_checks_total 2

# HELP hc_checks_down_total The number of checks currently down.
# TYPE hc_checks_down_total gauge
hc_checks_down_total 1

# HELP overdue_check_last_success_timestamp_seconds Time of the last success.
# TYPE overdue_check_last_success_timestamp_seconds gauge
overdue_check_last_success_timestamp_seconds{${own}} 1772625540.25
# HELP overdue_check_last_duration_seconds Duration of the run that the last success or failure ended.
# TYPE overdue_check_last_duration_seconds gauge
overdue_check_last_duration_seconds{${own}} 4.5
# HELP ${duration} Durations of the runs.
# TYPE ${duration} histogram
${duration}_bucket{${own},le="1"} 1
${['5', '15', '60', '300', '900', '3600', '14400', '43200', '86400', '+Inf']
  .map((bound) => `${duration}_bucket{${own},le="${bound}"} 3`)
  .join('\n')}
${duration}_sum{${own}} 8.25
${duration}_count{${own}} 3
`)
})

test('a project without checks has the totals', () => {
  expect(values([])).toEqual({ hc_checks_total: 0, hc_checks_down_total: 0 })
})

describe('each status', () => {
  const up = { name: 'c', status: 'up', timeoutSeconds: 3600, graceSeconds: 600 } as const
  test.each<[string, Partial<Check>, [up: number, started: number, grace: number, paused: number]]>([
    ['new counts as up', { status: 'new' }, [1, 0, 0, 0]],
    ['paused counts as up', { status: 'paused' }, [1, 0, 0, 1]],
    ['up', { lastPingAt: at('11:30') }, [1, 0, 0, 0]],
    ['late counts as up', { lastPingAt: at('10:55') }, [1, 0, 1, 0]],
    ['down', { status: 'down', lastPingAt: at('10:00') }, [0, 0, 0, 0]],
    ['down though no loop has written it yet', { lastPingAt: at('10:50') }, [0, 0, 0, 0]],
    ['up and running', { lastPingAt: at('11:30'), lastStartAt: at('11:55') }, [1, 1, 0, 0]],
    ['running for too long', { lastPingAt: at('11:30'), lastStartAt: at('11:50') }, [0, 1, 0, 0]],
  ])('%s', (_, given, [isUp, started, grace, paused]) => {
    expect(values([aCheck({ ...up, ...given })])).toMatchObject({
      'hc_check_up c': isUp,
      'hc_check_started c': started,
      'hc_check_grace c': grace,
      'hc_check_paused c': paused,
      hc_checks_total: 1,
      hc_checks_down_total: 1 - isUp,
    })
  })
})

describe('tags', () => {
  test('appear once each, sorted by code point, and are up unless one of their checks is down', () => {
    const checks = [
      aCheck({ tags: 'b a a 😀 \uffee', status: 'new' }),
      aCheck({ id: OTHER_ID, tags: 'B b', status: 'down' }),
    ]
    const tags = readExposition(formatted(checks)).flatMap(({ labels, value }) =>
      labels.tag === undefined ? [] : [`${labels.tag} ${value}`],
    )
    expect(tags).toEqual(['B 0', 'a 1', 'b 0', '\uffee 1', '😀 1'])
  })
})

test('a check without a value has no sample', () => {
  const names = new Set(readExposition(formatted([aCheck({ status: 'up', lastPingAt: NOON })])).map(({ name }) => name))
  expect([...names].filter((name) => name.startsWith('overdue_'))).toEqual([])
})

test('any name and tags give valid lines with the right labels', () => {
  const hostile = fc.string({ unit: fc.constantFrom('"', '\\', '\n', '\r', '\0', ' ', '}', '{', ',', '#', 'a', '😀') })
  fc.assert(
    fc.property(hostile, hostile, (name, tags) => {
      const check = aCheck({ name, tags, lastSuccessAt: NOON, lastDuration: 1 })
      const samples = readExposition(formatted([check], [{ bound: 1, runs: 1, total: 1 }]))
      const ofCheck = samples.filter(({ labels }) => labels.unique_key === KEY)
      expect(ofCheck.length).toBe(4 + 2 + 13)
      for (const { labels } of ofCheck) expect([labels.name, labels.tags]).toEqual([name, tags])
    }),
  )
})

test('the text is the same for every page size', () => {
  const checks = Array.from({ length: 7 }, (_, n) => ({
    check: aCheck({ name: `n${n}`, tags: `t${n % 3}`, status: n % 2 ? 'down' : 'new', lastDuration: n * 1_000_000 }),
    runs: [{ bound: 5, runs: n, total: n * 1_000_000 }],
  }))
  for (const pageSize of [1, 2, 3, 6]) expect(textOf(checks, pageSize)).toBe(textOf(checks))
})
