/** The soak as a test: a little over a minute; with `EFFORT=long` an hour and a million pings. */
import { expect, test } from 'bun:test'
import { byEffort, isLong } from '../support/effort.ts'
import { evaluate } from './criteria.ts'
import { asText } from './report.ts'
import { soak } from './soak.ts'

const MINUTES = byEffort(1.1, 60)
/**
 * In its first minutes the server's memory grows: SQLite's caches fill up to 80 MB, the write-ahead log grows to its limit,
 * and the heap reaches its size. So the short form finds only leaks of megabytes.
 */
const MEMORY_TOLERANCE = byEffort(0.5, 0.05)

test(
  `a server under even load for ${MINUTES} minutes keeps its memory, file size and descriptors within their limits`,
  async () => {
    const plan = { minutes: MINUTES, pings: byEffort(12_000, 1_000_000), checks: byEffort(100, 300) }
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
