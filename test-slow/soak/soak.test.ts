/**
 * The soak as a test: some seconds, a little over a minute with `EFFORT=full`, and an hour and a million pings with `EFFORT=long`.
 * Runs alone: it measures memory while the load is even.
 */
import { expect, test } from 'bun:test'
import { byEffort, isLong } from '../support/effort.ts'
import { evaluate } from './criteria.ts'
import { asText } from './report.ts'
import { soak } from './soak.ts'

const MINUTES = byEffort({ short: 0.2, full: 1.1, long: 60 })
/**
 * Tolerance of memory. It grows in the first minutes: SQLite's caches fill up to 80 MB, the write-ahead log grows to its limit, and the
 * heap reaches its size. So the shorter forms find only leaks of megabytes.
 */
const MEMORY_TOLERANCE = byEffort({ short: 1, full: 0.5, long: 0.05 })

test(
  `a server under even load for ${MINUTES} minutes keeps its memory, file size and descriptors within their limits`,
  async () => {
    const plan = {
      minutes: MINUTES,
      pings: byEffort({ short: 2_000, full: 12_000, long: 1_000_000 }),
      checks: byEffort({ short: 100, long: 300 }),
    }
    const result = await soak(plan)
    const lines = evaluate(result, MEMORY_TOLERANCE)
    // biome-ignore lint/suspicious/noConsole: prints the measured figures
    console.info(asText(result, lines))
    expect(lines.filter(({ holds }) => holds === false)).toEqual([])
    // An hour is long enough to evaluate every criterion.
    expect(lines.filter(({ holds }) => holds === null && isLong)).toEqual([])
  },
  2 * MINUTES * 60_000 + 60_000,
)
