/** Reads the calendar of a project's planned silences, and finds checks whose runs are all hidden by the same window. */
import type { Actor } from '../../domain/actor.ts'
import type { Check } from '../../domain/check/check.ts'
import { covers } from '../../domain/severity.ts'
import { type Calendar, calendarOf, isPlanned, type PlannedOccurrence } from '../../domain/silence/calendar.ts'
import { type Hidden, hiddenRuns } from '../../domain/silence/hidden-runs.ts'
import { matches, occurrencesOf, type Silence, type SilenceTimes } from '../../domain/silence/silence.ts'
import { addSeconds, type Instant } from '../../lib/time.ts'
import { inSteps } from '../../lib/work/event-loop-yield.ts'
import { findChecks, listChecks } from '../checks/checks.ts'
import type { Deps } from '../common/deps.ts'
import { listSilences, listSilencesOf } from './silences.ts'

type ReadDeps = Pick<Deps, 'store' | 'now' | 'eventLoop'>

const FOUR_WEEKS = 28 * 86_400
/** Maximum number of occurrences per silence, and also per calendar. */
const OF_EACH = 100
const LISTED = 200

/** Reads the silences that are active now or planned within the next four weeks. */
export async function readCalendar(deps: ReadDeps, actor: Actor): Promise<Calendar> {
  const now = deps.now()
  const until = addSeconds(now, FOUR_WEEKS)
  const planned = (await listSilences(deps, actor)).filter(isPlanned)
  const each = await inSteps(deps.eventLoop, plannedOccurrences(planned, now, until), STEP_MS)
  return calendarOf(each, until, OF_EACH, LISTED)
}

const STEP_MS = 2

function* plannedOccurrences(
  silences: readonly Silence[],
  from: Instant,
  until: Instant,
): Generator<undefined, readonly (readonly PlannedOccurrence[])[]> {
  const each: (readonly PlannedOccurrence[])[] = []
  for (const silence of silences) {
    each.push(occurrencesOf(silence, from, until, OF_EACH).map((one) => ({ silence, ...one })))
    yield
  }
  return each
}

/** A check, and whether a silence's windows hide its runs or only its deadlines. */
export interface HiddenCheck {
  readonly check: Check
  readonly hidden: Hidden
}

/** A silence that can be previewed before it is stored. */
export type TriedSilence = SilenceTimes & Pick<Silence, 'projectId' | 'match' | 'upTo'>

/** Maximum number of checks to compare with the windows of a silence. */
const COMPARED = 500

/**
 * Maps each silence to the checks whose runs or deadlines are all hidden by it. Only the first few matching checks are examined.
 * Silences that do not completely hide any check are omitted.
 */
export async function findHiddenChecks(
  deps: ReadDeps,
  actor: Actor,
  silences: readonly TriedSilence[],
): Promise<ReadonlyMap<TriedSilence, readonly HiddenCheck[]>> {
  const repeated = silences.filter(({ window, upTo }) => window !== null && covers(upTo, 'down'))
  const checks = await readMatched(deps, actor, repeated)
  return inSteps(deps.eventLoop, compare(repeated, checks, deps.now()), STEP_MS)
}

async function readMatched(deps: ReadDeps, actor: Actor, silences: readonly TriedSilence[]): Promise<readonly Check[]> {
  const found = new Map<string, Check>()
  const named = new Set(silences.flatMap(({ match }) => match.checks))
  const isGeneral = silences.some(({ match }) => match.checks.length === 0)
  const reads = [
    findChecks(deps, actor, [...named].slice(0, COMPARED)),
    ...(isGeneral ? [listChecks(deps, actor, {})] : []),
  ]
  for (const pages of reads) {
    for await (const page of pages) {
      for (const { check } of page) found.set(check.id, check)
      if (found.size >= COMPARED) break
    }
  }
  return [...found.values()]
}

function* compare(
  silences: readonly TriedSilence[],
  checks: readonly Check[],
  now: Instant,
): Generator<undefined, ReadonlyMap<TriedSilence, readonly HiddenCheck[]>> {
  const found = new Map<TriedSilence, HiddenCheck[]>()
  for (const silence of silences) {
    const hidden: HiddenCheck[] = []
    for (const check of checks.filter((one) => matches(silence, one))) {
      const what = hiddenRuns(silence, check, check.lastPingAt, now)
      if (what !== null) hidden.push({ check, hidden: what })
      yield
    }
    if (hidden.length > 0) found.set(silence, hidden)
  }
  return found
}

/** A repeating silence, and whether it hides a check's runs or only its deadlines. */
export interface Hiding {
  readonly silence: Silence
  readonly hidden: Hidden
}

/** Maximum number of windows to examine for a check. */
const EXAMINED = 20

/** Returns the first window that hides every run, or every deadline, of a check; null if there is none. */
export async function findHiding(deps: ReadDeps, actor: Actor, check: Check): Promise<Hiding | null> {
  const silences = (await listSilencesOf(deps, actor, [check]))(check)
  const isRepeated = ({ window, upTo }: Silence) => window !== null && covers(upTo, 'down')
  const repeated = silences.filter((one) => isRepeated(one) && matches(one, check)).slice(0, EXAMINED)
  const found = await inSteps(deps.eventLoop, compare(repeated, [check], deps.now()), STEP_MS)
  const [first] = repeated.flatMap((silence) => {
    const [one] = found.get(silence) ?? []
    return one === undefined ? [] : [{ silence, hidden: one.hidden }]
  })
  return first ?? null
}
