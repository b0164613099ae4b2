/** The criteria of a soak can fail: a good run meets all of them, and each fault breaks its own. */
import { describe, expect, test } from 'bun:test'
import { type Criterion, entryBound, evaluate, type Sample, type Soak, sizeBound } from './criteria.ts'
import { establishedAt } from './descriptors.ts'
import { asText, passed } from './report.ts'

const TOLERANCE = 0.05
const HOUR = 3_600
const MEGABYTE = 2 ** 20

/** @param change differences of the samples, by the share of the run that has passed */
function anHour(over: Partial<Soak> = {}, change: (share: number) => Partial<Sample> = () => ({})): Soak {
  const sample = (at: number): Sample => ({
    ...{ at, residentMegabytes: 200, descriptors: 40, mainBytes: 60 * MEGABYTE, walBytes: 80 * MEGABYTE },
    ...{ pings: at * 278, calls: at * 4, messages: Math.round(at), cpuSeconds: at * 0.14, ...change(at / HOUR) },
  })
  return {
    plan: { seconds: HOUR, pings: 1_000_000, checks: 300, logLimit: 100, meanBodyBytes: 850 },
    samples: Array.from({ length: 720 }, (_, index) => sample(index * 5)),
    pingsAnswered: 1_000_000,
    callsAnswered: 14_400,
    wrongAnswers: [],
    logErrors: [],
    database: { ...DATABASE },
    messages: 3_600,
    ...over,
  }
}

const DATABASE: Soak['database'] = {
  ...{ faults: [], logEntries: 50_000, flips: 4_000, deliveriesSent: 3_600, deliveriesNotSent: 0 },
  ...{ bytes: 60 * MEGABYTE, freeBytes: 0 },
}

const outcome = (criteria: readonly Criterion[], holds: boolean | null) =>
  criteria.filter((criterion) => criterion.holds === holds).map(({ what }) => what)
const failing = (soak: Soak) => outcome(evaluate(soak, TOLERANCE), false)
const skipped = (soak: Soak) => outcome(evaluate(soak, TOLERANCE), null)
const growingFile = (share: number) => ({ mainBytes: (30 + 40 * share) * MEGABYTE })

describe('a good run', () => {
  test('meets every criterion, and an hour is long enough for all of them', () => {
    expect(failing(anHour())).toEqual([])
    expect(skipped(anHour())).toEqual([])
  })

  test.each<[string, Soak]>([
    ['memory grows within the tolerance', anHour({}, (share) => (share < 0.75 ? {} : { residentMegabytes: 209.9 }))],
    ['memory grows in the first quarter', anHour({}, (share) => (share < 0.25 ? { residentMegabytes: 80 } : {}))],
    ['memory has a single peak', anHour({}, (share) => (share === 0.875 ? { residentMegabytes: 900 } : {}))],
    ['the file grows by its flips', anHour({ database: { ...DATABASE, flips: 40_000 } }, growingFile)],
  ])('may have this: %s', (_, soak) => {
    expect(failing(soak)).toEqual([])
  })
})

// 200 MB to 230 MB is growth of 15 MB from the middle of the second quarter to the middle of the last.
test.each<[string, string, Soak]>([
  ['memory is flat', 'memory grows', anHour({}, (share) => ({ residentMegabytes: 200 + 30 * share }))],
  ['the file stops growing', 'the file grows', anHour({}, growingFile)],
  [
    'the file is no larger than limits and flips allow',
    'the file is too large from the start',
    anHour({}, () => ({ mainBytes: sizeBound(anHour()) + 1 })),
  ],
  [
    'logs are shortened to their limit',
    'every entry is kept',
    anHour({ database: { ...DATABASE, logEntries: 1_000_000 } }),
  ],
  [
    'checkpoints bound the write-ahead log',
    'the write-ahead log grows',
    anHour({}, (share) => ({ walBytes: 800 * share * MEGABYTE })),
  ],
  [
    'open descriptors do not grow',
    'descriptors leak',
    anHour({}, (share) => ({ descriptors: 40 + Math.round(40 * share) })),
  ],
  ['every ping was answered OK', 'an answer is missing', anHour({ pingsAnswered: 999_999 })],
  ['every ping was answered OK', 'an answer is wrong', anHour({ wrongAnswers: ['call 7: 500 from /readyz'] })],
  ['the log has no error', 'an error is logged', anHour({ logErrors: ['{"level":"ERROR"}'] })],
  [
    'the database passes the integrity check',
    'a row is missing',
    anHour({ database: { ...DATABASE, faults: ['row 7 missing from index'] } }),
  ],
  ['every message was delivered', 'a delivery is pending', anHour({ database: { ...DATABASE, deliveriesNotSent: 1 } })],
  ['every message was delivered', 'a message was not received', anHour({ messages: 3_599 })],
  [
    'every message was delivered',
    'nothing was sent',
    anHour({ messages: 0, database: { ...DATABASE, deliveriesSent: 0 } }),
  ],
  ['there are samples of every quarter', 'the server ended early', anHour({ samples: anHour().samples.slice(0, 400) })],
])('"%s" fails when %s', (criterion, _fault, soak) => {
  expect(failing(soak)).toEqual([criterion])
})

test('a short run is not evaluated for what takes longer', () => {
  const { plan, samples } = anHour({}, growingFile)
  const soak = anHour({
    plan: { ...plan, seconds: 60, pings: 16_000 },
    pingsAnswered: 16_000,
    samples: samples.map((sample) => ({ ...sample, at: sample.at / 60, mainBytes: sample.mainBytes / 10 })),
    database: { ...DATABASE, logEntries: 16_000, bytes: 7 * MEGABYTE },
  })
  expect(failing(soak)).toEqual([])
  expect(skipped(soak)).toEqual(['the file stops growing', 'logs are shortened to their limit'])
})

test('the bound of log entries depends on the rate of pings, not on the length of the run', () => {
  const { plan } = anHour()
  expect(entryBound(plan)).toBe(300 * 200 + Math.round((1_000_000 / 3_600) * 75))
  expect(entryBound({ ...plan, pings: 2_000_000, seconds: 7_200 })).toBe(entryBound(plan))
})

test('only connections that both sides keep open are left out of the descriptors', () => {
  const table = `  sl  local_address rem_address   st tx_queue
   0: 0100007F:1F40 00000000:0000 0A 00000000:00000000
   1: 0100007F:1F40 0100007F:C350 01 00000000:00000000
   2: 0100007F:C350 0100007F:1F40 01 00000000:00000000
   3: 0100007F:1F40 0100007F:C351 08 00000000:00000000
   4: 0100007F:1F40 0100007F:C352 01 00000000:00000000
`
  expect(establishedAt(table, 8000)).toBe(2)
  expect(establishedAt(table, 80)).toBe(0)
})

test('the report has a line for each quarter, and names the criterion that fails', () => {
  const result = { ...anHour({ pingsAnswered: 7 }), latency: { add() {}, quantile: (share: number) => share * 10 } }
  const criteria = evaluate(result, TOLERANCE)
  const lines = asText(result, criteria).split('\n')
  expect(lines.filter((line) => /^ {2}[1-4] /.test(line))).toHaveLength(4)
  expect(lines.filter((line) => line.startsWith('FAILS'))).toEqual([
    expect.stringContaining('every ping was answered OK: 7 of 1000000'),
  ])
  expect(passed(criteria)).toBe(false)
})
