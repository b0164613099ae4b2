/** The result of a soak as text and JSON, and its samples as comma-separated lines. */
import { whole } from '../../bench/support/figures.ts'
import { type Criterion, quarters, type Sample } from './criteria.ts'
import type { SoakResult } from './soak.ts'

const MEBIBYTE = 2 ** 20

export function asText(result: SoakResult, lines: readonly Criterion[]): string {
  const { plan, samples, latency, database, callsAnswered } = result
  const rows = quarters(samples, plan.seconds).map((quarter, index) =>
    [
      `  ${index + 1}`,
      quarter.residentMegabytes.toFixed(1).padStart(9),
      (quarter.mainBytes / MEBIBYTE).toFixed(1).padStart(9),
      (quarter.walBytes / MEBIBYTE).toFixed(1).padStart(9),
      quarter.descriptors.toFixed(0).padStart(12),
      quarter.cpuMillisecondsPerPing.toFixed(3).padStart(12),
    ].join(''),
  )
  return [
    `${whole(result.pingsAnswered)} pings and ${whole(callsAnswered)} other requests in ${(plan.seconds / 60).toFixed(1)} minutes on ${plan.checks} checks; ${whole(database.flips)} flips, ${whole(database.deliveriesSent)} messages`,
    `latency of pings: median ${latency.quantile(0.5)} ms, 99 % below ${latency.quantile(0.99)} ms, all below ${latency.quantile(1)} ms`,
    'quarter  RSS MB  file MB   WAL MB descriptors CPU ms a ping',
    ...rows,
    ...lines.map(({ what, holds, detail }) => `${wordFor(holds)}  ${what}: ${detail}`),
  ].join('\n')
}

/** Returns one line of JSON, without the samples, which have their own file. */
export function asJson({ latency, samples, ...rest }: SoakResult, lines: readonly Criterion[]): string {
  const [p50, p99, longest] = [0.5, 0.99, 1].map((share) => latency.quantile(share))
  return JSON.stringify({
    ...rest,
    passed: passed(lines),
    latencyMilliseconds: { p50, p99, longest },
    quarters: quarters(samples, rest.plan.seconds),
    lines,
  })
}

/** Returns the names of the columns. */
export function csvHead(): string {
  return COLUMNS.join(',')
}

export function csvLine(sample: Sample): string {
  return COLUMNS.map((column) => Math.round(sample[column] * 1000) / 1000).join(',')
}

export function passed(lines: readonly Criterion[]): boolean {
  return lines.every(({ holds }) => holds !== false)
}

const COLUMNS = [
  'at',
  'residentMegabytes',
  'mainBytes',
  'walBytes',
  'cpuSeconds',
  'descriptors',
  'pings',
  'calls',
  'messages',
] as const satisfies readonly (keyof Sample)[]

function wordFor(holds: boolean | null): string {
  if (holds === null) return 'skipped '
  return holds ? 'holds   ' : 'FAILS   '
}
