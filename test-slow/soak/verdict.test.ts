import { describe, expect, test } from 'bun:test'
import { establishedAt } from './descriptors.ts'
import { asJson, asText, csvHead, csvLine, passed } from './report.ts'
import type { SoakResult } from './soak.ts'
import { entryBound, judge, type Line, type Quarter, quarters, type Sample, type Soak, sizeBound } from './verdict.ts'

const TOLERANCE = 0.05
const HOUR = 3_600
const MEGABYTE = 2 ** 20

/** A sample of a server that has settled. */
function settled(at: number, over: Partial<Sample> = {}): Sample {
  const messages = Math.round(at)
  const load = { pings: at * 278, calls: at * 4, messages, cpuSeconds: at * 0.14 }
  const files = { mainBytes: 60 * MEGABYTE, walBytes: 80 * MEGABYTE }
  return { at, residentMegabytes: 200, descriptors: 40, ...files, ...load, ...over }
}

/** @param change what is different about the samples, by the time of the run that has passed as a share */
function anHour(over: Partial<Soak> = {}, change: (share: number) => Partial<Sample> = () => ({})): Soak {
  return {
    plan: { seconds: HOUR, pings: 1_000_000, checks: 300, logLimit: 100, meanBodyBytes: 850 },
    samples: Array.from({ length: 720 }, (_, index) => settled(index * 5, change(index / 720))),
    pingsAnswered: 1_000_000,
    callsAnswered: 14_400,
    wrongAnswers: [],
    logErrors: [],
    database: {
      faults: [],
      logEntries: 50_000,
      flips: 4_000,
      deliveriesSent: 3_600,
      deliveriesNotSent: 0,
      bytes: 60 * MEGABYTE,
      freeBytes: 0,
    },
    messages: 3_600,
    ...over,
  }
}

const failing = (soak: Soak) => outcome(judge(soak, TOLERANCE), false)
const untold = (soak: Soak) => outcome(judge(soak, TOLERANCE), null)
const outcome = (lines: readonly Line[], holds: boolean | null) =>
  lines.filter((line) => line.holds === holds).map(({ what }) => what)

test('a settled server passes, and an hour is long enough to tell everything', () => {
  expect(failing(anHour())).toEqual([])
  expect(untold(anHour())).toEqual([])
})

describe('memory', () => {
  test('that grows all the time is no longer flat', () => {
    // From 200 to 230 MB over the run: 15 MB from the second quarter's middle to that of the last.
    expect(failing(anHour({}, (share) => ({ residentMegabytes: 200 + 30 * share })))).toEqual(['memory is flat'])
  })

  test('may grow by the tolerance, and fall', () => {
    const ends = (residentMegabytes: number) => anHour({}, (share) => (share < 0.75 ? {} : { residentMegabytes }))
    expect(failing(ends(209.9))).toEqual([])
    expect(failing(ends(210.1))).toEqual(['memory is flat'])
    expect(failing(ends(100))).toEqual([])
  })

  test('may grow as it likes in the first quarter', () => {
    expect(failing(anHour({}, (share) => (share < 0.25 ? { residentMegabytes: 80 } : {})))).toEqual([])
  })

  test('is judged by means, so that single peaks do not count', () => {
    expect(failing(anHour({}, (share) => (share === 0.875 ? { residentMegabytes: 900 } : {})))).toEqual([])
  })
})

describe('the file', () => {
  const growing = (share: number) => ({ mainBytes: (30 + 40 * share) * MEGABYTE })

  test('that still grows in the last quarter does not level off', () => {
    expect(failing(anHour({}, growing))).toEqual(['the file levels off'])
  })

  test('may grow by what flips and their deliveries add', () => {
    const { database } = anHour()
    expect(failing(anHour({ database: { ...database, flips: 40_000 } }, growing))).toEqual([])
  })

  test('of a short run is not asked to level off', () => {
    const { plan, samples, database } = anHour({}, growing)
    const minute = { ...plan, seconds: 60, pings: 16_000 }
    const short = samples.map((sample) => ({ ...sample, at: sample.at / 60, mainBytes: sample.mainBytes / 10 }))
    const soak = anHour({
      plan: minute,
      pingsAnswered: 16_000,
      samples: short,
      database: { ...database, logEntries: 16_000, bytes: 7 * MEGABYTE },
    })
    expect(failing(soak)).toEqual([])
    expect(untold(soak)).toEqual(['the file levels off', 'logs are cut to their limit'])
  })

  test('that outgrows what limits and flips allow fails, also when it is level', () => {
    const mainBytes = sizeBound(anHour()) + 1
    expect(failing(anHour({}, () => ({ mainBytes })))).toEqual(['the file keeps within what limits and flips allow'])
  })

  test('is bounded by checks, log limit and the pings of a round of the loop that cuts', () => {
    const { plan } = anHour()
    expect(entryBound(plan)).toBe(300 * 200 + Math.round((1_000_000 / 3_600) * 75))
    expect(entryBound({ ...plan, pings: 2_000_000, seconds: 7_200 })).toBe(entryBound(plan))
  })
})

test('logs that nobody cuts are found', () => {
  const { database } = anHour()
  expect(failing(anHour({ database: { ...database, logEntries: 1_000_000 } }))).toEqual(['logs are cut to their limit'])
})

test('a write-ahead log that no checkpoint empties is found', () => {
  expect(failing(anHour({}, (share) => ({ walBytes: 800 * share * MEGABYTE })))).toEqual([
    'checkpoints bound the write-ahead log',
  ])
})

test('descriptors that are not closed are found', () => {
  expect(failing(anHour({}, (share) => ({ descriptors: 40 + Math.round(40 * share) })))).toEqual([
    'open descriptors do not grow',
  ])
})

test('connections that clients keep are told from those that they have closed, and from those of others', () => {
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

test('a missing ping and a wrong answer each fail', () => {
  expect(failing(anHour({ pingsAnswered: 999_999 }))).toEqual(['every ping was answered OK'])
  expect(failing(anHour({ wrongAnswers: ['call 7: 500 from /readyz'] }))).toEqual(['every ping was answered OK'])
})

test('an error in the log, a fault of the database and a message that has not arrived each fail', () => {
  const { database } = anHour()
  expect(failing(anHour({ logErrors: ['{"level":"ERROR"}'] }))).toEqual(['the log has no error'])
  expect(failing(anHour({ database: { ...database, faults: ['row 7 missing from index'] } }))).toEqual([
    'the database is sound',
  ])
  const late = 'every message owed has arrived'
  expect(failing(anHour({ database: { ...database, deliveriesNotSent: 1 } }))).toEqual([late])
  expect(failing(anHour({ messages: 3_599 }))).toEqual([late])
  expect(failing(anHour({ messages: 0, database: { ...database, deliveriesSent: 0 } }))).toEqual([late])
})

test('a server that was gone before the end fails for want of samples', () => {
  const { samples } = anHour()
  expect(failing(anHour({ samples: samples.slice(0, 400) }))).toEqual(['there are samples of every quarter'])
})

test('quarters have means of memory, highest sizes, median descriptors and the processor time of a ping', () => {
  const samples = Array.from({ length: 12 }, (_, index) =>
    settled(index, { residentMegabytes: index, mainBytes: index, descriptors: index, walBytes: 12 - index }),
  )
  const [first] = quarters(samples, 12)
  expect(first).toEqual({
    samples: 3,
    residentMegabytes: 1,
    mainBytes: 2,
    walBytes: 12,
    descriptors: 1,
    cpuMillisecondsPerPing: expect.closeTo(140 / 278, 6),
  } satisfies Quarter)
})

describe('the report', () => {
  const result: SoakResult = { ...anHour({ pingsAnswered: 7 }), latency: { add() {}, quantile: (share) => share * 10 } }
  const lines = judge(result, TOLERANCE)

  test('for people has a row for each quarter and names what fails', () => {
    const text = asText(result, lines).split('\n')
    expect(text.filter((line) => /^ {2}[1-4] /.test(line))).toHaveLength(4)
    expect(text.filter((line) => line.startsWith('FAILS'))).toEqual([
      'FAILS     every ping was answered OK: 7 of 1000000, and 14400 other requests; no wrong',
    ])
    expect(passed(lines)).toBe(false)
  })

  test('for programs is one line of JSON with the verdict and no samples', () => {
    const json = JSON.parse(asJson(result, lines))
    expect(json).toMatchObject({ passed: false, pingsAnswered: 7, latencyMilliseconds: { p50: 5, p99: 9.9 } })
    expect(json.quarters).toHaveLength(4)
    expect(json).not.toHaveProperty('samples')
  })

  test('of samples has as many columns as names', () => {
    expect(csvLine(settled(5)).split(',')).toHaveLength(csvHead().split(',').length)
    expect(csvLine(settled(1.23456))).toStartWith('1.235,')
  })
})
