/** Senders: something other than the job also pings this check, so the check stays up even if the job does not run. */
import { median } from '../../../lib/figures/statistics.ts'
import { DAY, HOUR, SECOND } from '../../units.ts'
import type { Advice, AdvicePart, Fix } from '../advice.ts'
import type { AdvisedPing } from '../facts.ts'
import type { Reading } from '../reading.ts'
import { roundPeriod } from '../round.ts'
import { isBrowser, isEnd, linkPreview, type Run } from '../runs.ts'

function advice(variant: string, says: readonly AdvicePart[], fix: Fix): Advice {
  return { kind: 'senders', variant, says, fix, otherFixes: [] }
}

const RUNS_READ = 40
/** Maximum number of senders for which this advice is given. More senders are probably cluster nodes, any of which may run the job. */
const SENDERS_MAX = 10

/** Returns advice if several jobs ping the check, each at the expected rhythm. */
export function severalSenders(reading: Reading): Advice | null {
  const { runs, now } = reading
  const newest = runs.slice(-RUNS_READ)
  const bySender = Map.groupBy(newest, ({ ping }) => ping.sender)
  if (bySender.size < 2 || bySender.size > SENDERS_MAX || bySender.has(null)) return null
  const { gap } = reading
  if (gap === null) return null
  const regular = [...bySender.values()].flatMap((runs) => regularSender(runs, now) ?? [])
  if (regular.length < 2 || !areAlike(regular)) return null
  return areTwoJobs(regular, bySender.size > regular.length, gap)
    ? advice('several', severalWords(regular), { do: 'text', text: 'own-check' })
    : null
}

interface RegularSender {
  readonly runs: readonly Run[]
  readonly distance: number
}

const RUNS_OF_EACH = 4
const REGULAR_SHARE = 0.8
/** Maximum difference between intervals of the same rhythm, as a fraction of the median. */
const SAME_RHYTHM = 0.25
const STILL_SEEN = 1.5

function regularSender(runs: readonly Run[], now: number): RegularSender | null {
  const last = runs.at(-1)
  if (last === undefined || runs.length < RUNS_OF_EACH) return null
  const distances = distancesBetween(runs)
  const distance = median(distances)
  const isRegular = shareNear(distances, distance, SAME_RHYTHM) >= REGULAR_SHARE
  return isRegular && now - last.ended <= STILL_SEEN * distance ? { runs, distance } : null
}

function distancesBetween(runs: readonly Run[]): readonly number[] {
  return runs.slice(1).map(({ began }, index) => began - (runs[index]?.began ?? began))
}

function shareNear(values: readonly number[], middle: number, tolerance: number): number {
  return values.filter((value) => Math.abs(value - middle) <= middle * tolerance).length / values.length
}

function areAlike(senders: readonly RegularSender[]): boolean {
  const distances = senders.map(({ distance }) => distance)
  return Math.max(...distances) <= Math.min(...distances) * (1 + SAME_RHYTHM)
}

/**
 * Two jobs together ping more often than either does alone: the interval between their pings is at most this fraction of a single sender's
 * usual interval.
 */
const MORE_OFTEN = 0.7
const IN_ITS_RHYTHM = 1.3
const EVEN = 0.1
const EVEN_SHARE = 0.7
/**
 * Fraction of the check's period. A single job that uses several addresses still pings once per period, so its pings are at least this far
 * apart.
 */
const RHYTHM_OF_THE_CHECK = 0.9

/**
 * Whether the senders are two jobs rather than one.
 * @param hasOthers true: there are also senders without a regular rhythm
 */
function areTwoJobs(senders: readonly RegularSender[], hasOthers: boolean, gap: number): boolean {
  const runs = runsOfAll(senders)
  const distances = distancesBetween(runs)
  const most = Math.max(...senders.map(({ distance }) => distance))
  const least = Math.min(...senders.map(({ distance }) => distance))
  if (distances.length === 0 || mean(distances) > MORE_OFTEN * least) return false
  const common = median(distances)
  const areInRhythm = most <= IN_ITS_RHYTHM * gap
  // If every sender pings at the check's rhythm, the runs belong to a single job only if they are very regular.
  const near = shareNear(distances, common, areInRhythm ? EVEN : SAME_RHYTHM)
  if (near >= EVEN_SHARE && takeTurns(runs, senders, common)) return false
  const areEven = shareNear(distances, common, EVEN) >= EVEN_SHARE
  if (areEven && common >= RHYTHM_OF_THE_CHECK * gap) return false
  return areInRhythm || (!hasOthers && !areEven)
}

/** Minimum fraction of runs that alternate between senders. The other runs are retries, or follow a run that failed to ping. */
const IN_TURN_SHARE = 0.8

/** Whether the senders are a single job that alternates between addresses or machines. */
function takeTurns(runs: readonly Run[], senders: readonly RegularSender[], common: number): boolean {
  const round = common * senders.length
  const isInTurn = senders.every(({ distance }) => Math.abs(distance - round) <= round * SAME_RHYTHM)
  const changes = runs.slice(1).filter(({ ping }, index) => ping.sender !== runs[index]?.ping.sender).length
  return isInTurn && changes >= (runs.length - 1) * IN_TURN_SHARE
}

/** Returns the runs since all senders became active. */
function runsOfAll(senders: readonly RegularSender[]): readonly Run[] {
  const from = Math.max(...senders.map(({ runs }) => runs[0]?.began ?? 0))
  const least = Math.min(...senders.map(({ distance }) => distance))
  return senders
    .flatMap(({ runs }) => runs.filter(({ began }) => began > from - least))
    .sort((a, b) => a.began - b.began)
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Maximum number of addresses to list in the sentence. */
const NAMED = 3

/**
 * Returns a sentence such as `Two senders ping this check, each daily: 10.0.0.5 and 10.0.0.7. If one stops, nobody notices. Only 10.0.0.7
 * fails.`
 */
function severalWords(senders: readonly RegularSender[]): readonly AdvicePart[] {
  const [first] = senders
  const failing = senders.filter(({ runs }) => runs.some(({ hasFailed }) => hasFailed))
  const [only] = failing.length === 1 ? failing : []
  return [
    `${senders.length === 2 ? 'Two' : senders.length} senders ping this check, each `,
    ...rhythmWords(first?.distance ?? 0),
    ...listed(senders),
    '. If one stops, nobody notices.',
    ...(only === undefined ? [] : [{ toEditors: [' Only ', { name: addressOf(only) }, ' fails.'] }]),
  ]
}

const RHYTHMS: ReadonlyMap<number, string> = new Map([
  [HOUR, 'hourly'],
  [DAY, 'daily'],
  [7 * DAY, 'weekly'],
])

function rhythmWords(distance: number): readonly AdvicePart[] {
  const period = roundPeriod(distance)
  const word = RHYTHMS.get(period)
  return word === undefined ? ['every ', { took: period / SECOND }] : [word]
}

function listed(senders: readonly RegularSender[]): readonly AdvicePart[] {
  const named = senders.slice(0, NAMED)
  const isAll = named.length === senders.length
  const names = named.flatMap((sender, index) => {
    const between = index === 0 ? ': ' : isAll && index === named.length - 1 ? ' and ' : ', '
    return [between, { name: addressOf(sender) }]
  })
  return [{ toEditors: isAll ? names : [...names, ' and others'] }]
}

function addressOf({ runs: [run] }: RegularSender): string {
  return run?.ping.sender ?? ''
}

const VISITED_WITHIN = 7 * DAY
/** Minimum number of runs before a visit. Earlier visits are probably from users who were trying out the ping URL. */
const RUNS_BEFORE = 3
/** Maximum fraction of pings that are visits. If more pings come from browsers, that is probably intentional. */
const VISITS_BY_CHANCE = 0.2

/** Returns advice if a person or a link previewer opened the ping URL. */
export function visitor({ facts, runs, now }: Reading): Advice | null {
  if (facts.check.methods === 'POST') return null
  const ends = facts.log.filter(isEnd)
  const visits = ends.filter(isVisit)
  const newest = visits.at(-1)
  if (newest === undefined || newest.at < now - VISITED_WITHIN || visits.length > ends.length * VISITS_BY_CHANCE)
    return null
  if (runs.filter(({ ended }) => ended < newest.at).length < RUNS_BEFORE) return null
  const preview = linkPreview(newest.userAgent)
  const who = preview === null ? 'A browser' : `A link preview (${preview})`
  const fix: Fix = runs.every(({ ping }) => ping.method === 'POST')
    ? { do: 'set', settings: { methods: 'POST' } }
    : { do: 'text', text: 'post-line' }
  return advice('visitor', [`${who} opened the ping URL `, { at: newest.at }, ': it counted as a run.'], fix)
}

/** Whether a link previewer or a browser opened the ping URL. The button "Ping now" sends a POST request, so it is not a visit. */
function isVisit({ userAgent, method }: AdvisedPing): boolean {
  return linkPreview(userAgent) !== null || (isBrowser(userAgent) && method === 'GET')
}
