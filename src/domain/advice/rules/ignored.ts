/** Ignored: pings arrive but do not count. */
import { count } from '../../duration.ts'
import { DAY } from '../../units.ts'
import type { Advice, AdvicePart, Fix } from '../advice.ts'
import type { AdvisedPing } from '../facts.ts'
import type { Reading } from '../reading.ts'
import { isCounted, isDown } from './deadline.ts'

export function ignored(reading: Reading): Advice | null {
  if (reading.facts.check.isPaused) return byPause(reading)
  return byRule(reading) ?? byStatus(reading)
}

function advice(variant: string, says: readonly AdvicePart[], fix: Fix): Advice {
  return { kind: 'ignored', variant, says, fix, otherFixes: [] }
}

const IGNORED_IN_A_PAUSE = 3
/** Minimum length of a pause before this advice is given. A pause of a few days is probably intentional. */
const PAUSED_FOR = 3 * DAY

function byPause({ facts: { check, log }, now }: Reading): Advice | null {
  const { manualResume, pausedAt } = check
  if (!manualResume || pausedAt === null || now - pausedAt < PAUSED_FOR) return null
  const { length } = log.filter(({ at, ignoredBy }) => at > pausedAt && ignoredBy === 'paused')
  if (length < IGNORED_IN_A_PAUSE) return null
  const says = [
    `${count(length, 'ping')} have arrived since the check was paused `,
    { lasting: pausedAt },
    ' ago; none will count until somebody resumes it.',
  ]
  return advice('paused', says, { do: 'resume' })
}

/** Maximum share of ignored pings among earlier ones. A larger share is probably intended, such as emails about other topics. */
const IGNORED_BY_CHANCE = 0.1
/** Number of ignored pings required for advice about a check that was never up. A single ignored ping may have been a test. */
const IGNORED_AT_FIRST = 2

function byRule(reading: Reading): Advice | null {
  const { check, log } = reading.facts
  const lastCounted = log.findLastIndex(isCounted)
  const since = log.slice(lastCounted + 1).filter(({ kind }) => kind === 'ign')
  const newest = since.at(-1)
  if (newest === undefined || newest.ignoredBy === null || newest.ignoredBy === 'paused') return null
  const pings = since.filter(({ ignoredBy }) => ignoredBy === newest.ignoredBy)
  if (isByDesign(log.slice(0, Math.max(0, lastCounted))) || !isAwaited(reading, pings.length)) return null
  const arrived = arrivedWords(pings.length, log[lastCounted])
  if (newest.ignoredBy === 'keyword') {
    return advice('keyword', [...arrived, 'no keyword was found.'], { do: 'ask', about: 'rules' })
  }
  if (check.methods !== 'POST') return null
  const says = [
    ...arrived,
    `${pings.length === 1 ? 'it' : 'the newest'} used `,
    { name: newest.method },
    '; this check accepts only POST.',
  ]
  return advice('method', says, { do: 'set', settings: { methods: '' } })
}

function isByDesign(earlier: readonly AdvisedPing[]): boolean {
  return earlier.filter(({ kind }) => kind === 'ign').length > earlier.length * IGNORED_BY_CHANCE
}

function isAwaited(reading: Reading, pings: number): boolean {
  return reading.facts.log.some(isCounted) ? isDown(reading) : pings >= IGNORED_AT_FIRST
}

/** Returns the beginning of the sentence, such as `5 pings have arrived since 14:54, but none counted: `. */
function arrivedWords(n: number, counted: AdvisedPing | undefined): readonly AdvicePart[] {
  const since: readonly AdvicePart[] = counted === undefined ? [] : [' since ', { clock: counted.at }]
  return [
    `${count(n, 'ping')} ${n === 1 ? 'has' : 'have'} arrived`,
    ...since,
    `, but ${n === 1 ? 'did not count' : 'none counted'}: `,
  ]
}

function byStatus(reading: Reading): Advice | null {
  const { refused, log } = reading.facts
  const counted = log.findLast(isCounted)
  if (refused === null || (counted !== undefined && refused.at <= counted.at)) return null
  if (!isAwaited(reading, refused.count)) return null
  const times = refused.count === 1 ? '' : refused.count === 2 ? ' twice, last' : ` ${refused.count} times, last`
  const says = [
    'The exit status ',
    { name: refused.tail },
    ` was refused${times} `,
    { at: refused.at },
    ': only 0 to 255 count.',
  ]
  return advice('status', says, { do: 'text', text: 'fail-status' })
}
