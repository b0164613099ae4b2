/** Twins: one job pings two checks. */
import { percentile } from '../../../lib/figures/statistics.ts'
import type { Timing } from '../../check/slots.ts'
import { MINUTE, SECOND } from '../../units.ts'
import type { Advice } from '../advice.ts'
import type { AdvisedPing, OtherCheck } from '../facts.ts'
import type { Reading } from '../reading.ts'
import { isEnd } from '../runs.ts'
import { lastSlot } from '../slots-passed.ts'

const ENDS_COMPARED = 10
const TOGETHER = 2 * SECOND

export function twins(reading: Reading): Advice | null {
  const { facts } = reading
  const ends = newestEnds(facts.log)
  const found = facts.others.map((other) => ({ other, apart: apart(ends, other) })).find(({ apart }) => apart !== null)
  if (found === undefined || found.apart === null || !mayHaveTwins(facts.check, facts.log)) return null
  const within = { took: Math.max(1, Math.ceil(found.apart / SECOND)) }
  return {
    kind: 'twins',
    variant: 'same-job',
    says: [
      'Pinged within ',
      within,
      ' of ',
      { name: found.other.name },
      `, each of the last ${ENDS_COMPARED} times: the same job?`,
    ],
    fix: { do: 'ask', about: 'twins' },
    otherFixes: [],
  }
}

function newestEnds(log: readonly AdvisedPing[]): readonly AdvisedPing[] {
  return log.filter(isEnd).slice(-ENDS_COMPARED)
}

/**
 * Pairs the ends of runs in both checks, and returns the longest time between the two ends of a pair, in milliseconds. Null unless every
 * end has a counterpart in the other check, and the same check always comes first.
 */
function apart(ends: readonly AdvisedPing[], { log }: OtherCheck): number | null {
  const others = newestEnds(log)
  const pairs = ends.flatMap((end, index) => {
    const other = others[index]
    const isLike = other !== undefined && end.sender !== null && end.sender === other.sender && end.kind === other.kind
    return isLike ? [other.at - end.at] : []
  })
  const [least, most] = [Math.min(...pairs), Math.max(...pairs)]
  const areTogether = pairs.length === ENDS_COMPARED && least >= -TOGETHER && most <= TOGETHER
  return areTogether && (least >= 0 || most <= 0) ? Math.max(most, -least) : null
}

const SPREAD = 30 * SECOND
const SPREAD_IN_MINUTE = 20 * SECOND

/**
 * Whether other checks' logs are worth reading. Jobs that start at the same time may also end at the same time if both always take equally
 * long.
 */
export function mayHaveTwins(check: Timing, log: readonly AdvisedPing[]): boolean {
  const ends = newestEnds(log)
  if (ends.length < ENDS_COMPARED) return false
  const isScheduled = check.kind !== 'simple'
  const places = ends.map(({ at }) => (isScheduled ? at - (lastSlot(check, at) ?? at) : at % MINUTE))
  return percentile(places, 0.9) - percentile(places, 0.1) >= (isScheduled ? SPREAD : SPREAD_IN_MINUTE)
}
