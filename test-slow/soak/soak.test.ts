/** The soak as a test: a little over a minute, or an hour and a million pings with `EFFORT=long`. */
import { expect, test } from 'bun:test'
import { byEffort, isLong } from '../support/effort.ts'
import { asText } from './report.ts'
import { soak } from './soak.ts'
import { judge } from './verdict.ts'

const MINUTES = byEffort(1.1, 60)
/**
 * In its first minutes the server still grows: the database's caches fill up to 80 MB, the log of writes grows to its
 * limit, the heap finds its size. So the short form only finds what leaks by the megabyte.
 */
const MEMORY_TOLERANCE = byEffort(0.5, 0.05)

test(
  `a server under even load for ${MINUTES} minutes stays as it was`,
  async () => {
    const plan = { minutes: MINUTES, pings: byEffort(12_000, 1_000_000), checks: byEffort(100, 300) }
    const result = await soak(plan)
    const lines = judge(result, MEMORY_TOLERANCE)
    // biome-ignore lint/suspicious/noConsole: what was measured is to be read
    console.info(asText(result, lines))
    expect(lines.filter(({ holds }) => holds === false)).toEqual([])
    // An hour is long enough to tell everything.
    expect(lines.filter(({ holds }) => holds === null && isLong)).toEqual([])
  },
  2 * MINUTES * 60_000 + 60_000,
)
