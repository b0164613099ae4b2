/** *Slow*: runs take longer than they used to. */
import { median, percentile } from '../../../lib/figures/statistics.ts'
import { MINUTE, SECOND } from '../../units.ts'
import type { Advice, AdvicePart, Fix } from '../advice.ts'
import type { Reading } from '../reading.ts'
import { graceForNeed } from '../round.ts'

const RUNS_NEEDED = 20
const NEW_LEAST = 5
/** Maximum number of runs that count as new. There can be several if the check was not examined for a while. */
const NEW_MOST = 15
const BEFORE_MOST = 30
const SLOWER = 1.5

export function slow(reading: Reading): Advice | null {
  const timed = reading.runs.filter(({ duration, hasFailed }) => duration !== null && !hasFailed)
  if (timed.length < RUNS_NEEDED || haveCrossed(reading)) return null
  const durations = timed.map(({ duration }) => duration ?? 0)
  const sinceChange = timed.filter(({ began }) => began > reading.facts.check.changedAt).length
  const most = Math.min(NEW_MOST, sinceChange, timed.length - NEW_LEAST)
  for (let amount = NEW_LEAST; amount <= most; amount++) {
    const newest = durations.slice(-amount)
    const before = durations.slice(0, -amount).slice(-BEFORE_MOST)
    if (areSlower(newest, before)) return advice(reading, newest, before)
  }
  return null
}

function areSlower(newest: readonly number[], before: readonly number[]): boolean {
  const usual = median(before)
  const usualMost = percentile(before, 0.9)
  const isSlower = (took: number) => took >= SLOWER * usual && took > usualMost && took - usual >= MINUTE
  return newest.every(isSlower) && median(newest) > Math.max(...before)
}

/**
 * Whether runs without run ids have overlapped. Their durations are then wrong, because an end may have been paired with another run's
 * start.
 */
function haveCrossed({ facts }: Reading): boolean {
  const kinds = facts.log.filter(({ kind, runId }) => runId === null && kind !== 'log' && kind !== 'ign')
  return kinds.some((ping, index) => {
    const [second, third, fourth] = kinds.slice(index + 1, index + 4)
    const isTwoStarts = ping.kind === 'start' && second?.kind === 'start'
    return isTwoStarts && third && fourth && third.kind !== 'start' && fourth.kind !== 'start'
  })
}

/** Returns advice such as `The last 5 runs took 80 to 90 min, the 20 before about 40.` */
function advice(reading: Reading, newest: readonly number[], before: readonly number[]): Advice {
  const [shortest, longest] = [rounded(Math.min(...newest)), rounded(Math.max(...newest))]
  const range: readonly AdvicePart[] =
    shortest === longest ? ['about ', { took: longest }] : [{ took: shortest }, ' to ', { took: longest }]
  const others: readonly AdvicePart[] = [`, the ${before.length} before about `, { took: rounded(median(before)) }, '.']
  const says: readonly AdvicePart[] = [`The last ${newest.length} runs took `, ...range, ...others]
  const comesNear = SLOWER * median(newest) > reading.grace
  const longer = graceForNeed(Math.max(...newest))
  const fix: Fix =
    comesNear && longer > reading.grace
      ? { do: 'set', settings: { grace: longer / SECOND } }
      : { do: 'ask', about: 'slower' }
  return { kind: 'slow', variant: comesNear ? 'near-grace' : 'longer', says, fix, otherFixes: [] }
}

/** Converts to seconds, rounded to whole minutes, because all durations are longer than a minute. */
function rounded(duration: number): number {
  return Math.round(duration / MINUTE) * (MINUTE / SECOND)
}
