/** *Overlap*: a run begins before the previous one has ended. */
import { SECOND } from '../../units.ts'
import type { Advice, AdvicePart, Fix } from '../advice.ts'
import type { AdvisedPing } from '../facts.ts'
import type { Reading } from '../reading.ts'
import { isEnd, type Run } from '../runs.ts'
import { isCounted } from './deadline.ts'

const LOCK: Fix = { do: 'text', text: 'lock' }
const RUN_IDS: Fix = { do: 'text', text: 'rid' }

export function overlap(reading: Reading): Advice | null {
  const identified = reading.runs.filter(({ ping, duration }) => ping.runId !== null && duration !== null)
  return identified.length > 0 ? byRunIds(identified) : byOrder(reading.facts.log)
}

function advice(variant: string, says: readonly AdvicePart[], [fix, ...otherFixes]: readonly [Fix, ...Fix[]]): Advice {
  return { kind: 'overlap', variant, says, fix, otherFixes }
}

/** The number of newest runs that overlapped. */
interface Share {
  readonly of: number
  readonly least: number
}

const SHARES_OF_RUNS: readonly Share[] = [
  { of: 12, least: 4 },
  { of: 5, least: 3 },
]

function byRunIds(runs: readonly Run[]): Advice | null {
  const overlaps = runs.map((run) => overlapOf(run, runs))
  const share = SHARES_OF_RUNS.find(({ of, least }) => overlaps.slice(-of).filter((time) => time > 0).length >= least)
  if (share === undefined) return null
  const newest = overlaps.slice(-share.of)
  const says = [...overlapWords(newest.filter((time) => time > 0).length, newest.length), ', for up to ']
  return advice('run-ids', [...says, { took: Math.max(...newest) / SECOND }, '.'], [LOCK])
}

/** Returns how long an earlier run continued after this run began; 0 if no earlier run was in progress. */
function overlapOf({ began }: Run, runs: readonly Run[]): number {
  return Math.max(0, ...runs.filter((other) => other.began < began).map((other) => other.ended - began))
}

const ENTRIES_READ = 60
const SHARES_OF_STARTS: readonly Share[] = [
  { of: 20, least: 4 },
  { of: 8, least: 3 },
]

/**
 * Finds overlapping runs that have no run ids. Without run ids, an end is paired with the newest start, so when two runs overlap, the
 * second end has no start to be paired with.
 */
function byOrder(log: readonly AdvisedPing[]): Advice | null {
  const entries = log.slice(-ENTRIES_READ).filter(isCounted)
  const crossed = entries.flatMap((entry, index) => (entry.kind === 'start' ? [isCrossed(entries, index)] : []))
  const share = SHARES_OF_STARTS.find(({ of, least }) => crossed.slice(-of).filter(Boolean).length >= least)
  if (share === undefined) return null
  const newest = crossed.slice(-share.of)
  const says = [...overlapWords(newest.filter(Boolean).length, newest.length), ', so durations are wrong.']
  return advice('order', says, [RUN_IDS, LOCK])
}

/**
 * Whether the start at `index` is the second of two consecutive starts that are followed by two ends. If one of the two runs died, there is
 * only one end.
 */
function isCrossed(entries: readonly AdvisedPing[], index: number): boolean {
  const [first, second, end, last] = [-1, 0, 1, 2].map((step) => entries[index + step])
  if (first?.kind !== 'start' || second?.kind !== 'start' || first.sender !== second.sender) return false
  return end !== undefined && last !== undefined && isEnd(end) && isEnd(last) && last.duration === null
}

function overlapWords(overlapping: number, all: number): readonly AdvicePart[] {
  return [`${overlapping} of the last ${all} runs began while an earlier one was under way`]
}
