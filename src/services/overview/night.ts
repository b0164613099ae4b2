/** Reads the night for all projects that a person is allowed to see. */
import type { Actor, Person, PersonActor } from '../../domain/actor.ts'
import type { Check } from '../../domain/check/check.ts'
import { type Night, type NightPart, nightOfRows } from '../../domain/night/night.ts'
import type { NightRow } from '../../domain/night/row.ts'
import { type NightSentence, nightSentence } from '../../domain/night/sentence.ts'
import type { NightWindow } from '../../domain/night/window.ts'
import type { Project } from '../../domain/project.ts'
import { messageOf } from '../../lib/errors.ts'
import { fromMilliseconds, type Instant } from '../../lib/time.ts'
import { inBatches } from '../../lib/work/batches.ts'
import { inAsyncSteps, inSteps } from '../../lib/work/event-loop-yield.ts'
import { listChecks } from '../checks/checks.ts'
import type { Deps } from '../common/deps.ts'
import { listPersonActors } from '../projects/members.ts'
import { listPastSilences } from '../silences/silences.ts'
import type { NightRows, ReadRow } from './night-rows.ts'

export interface NightPlace<Reader extends Actor = PersonActor> {
  readonly actor: Reader
  /** false if the checks or their logs could not be read */
  readonly isRead: boolean
}

export interface ReadNight<Reader extends Actor = PersonActor> {
  readonly night: Night<NightPlace<Reader>>
  readonly sentence: NightSentence
  readonly projects: number
  readonly checks: number
  /** earliest time in logs that do not reach back to the start of the night, in milliseconds since 1970; null if all logs reach back */
  readonly reachesTo: number | null
}

export type NightDeps = Pick<Deps, 'store' | 'eventLoop' | 'log'> & { readonly nights: NightRows }

/** Maximum duration of a step, in milliseconds. Pings never have to wait longer than this. */
export const STEP_MS = 5

/** @param tz IANA name of the reader's zone */
export async function readNight(
  deps: NightDeps,
  person: Person,
  window: NightWindow,
  tz: string,
  now: Instant,
): Promise<ReadNight> {
  return readNightOf(deps, await listPersonActors(deps, person), window, tz, now)
}

/** @param actors one actor for each of the projects @param tz IANA name of the reader's zone */
export async function readNightOf<Reader extends Actor>(
  deps: NightDeps,
  actors: readonly Reader[],
  window: NightWindow,
  tz: string,
  now: Instant,
): Promise<ReadNight<Reader>> {
  const places: ReadPlace<Reader>[] = []
  for (const actor of actors) places.push(await readPlace(deps, actor, window, now))
  const night = await inSteps(deps.eventLoop, nightOfRows(places, window, now.epochMilliseconds), STEP_MS)
  const outage = await deps.store.server.findOutage()
  const away = outage && { from: outage.from.epochMilliseconds, until: outage.until.epochMilliseconds }
  const reaches = places.flatMap(({ reachesTo }) => (reachesTo === null ? [] : [reachesTo]))
  return {
    night,
    sentence: nightSentence(night, away, tz),
    projects: actors.length,
    checks: places.reduce((sum, { rows }) => sum + rows.length, 0),
    reachesTo: reaches.length === 0 ? null : Math.min(...reaches),
  }
}

interface ReadPlace<Reader extends Actor> extends NightPart<NightPlace<Reader>> {
  readonly reachesTo: number | null
}

/** Reads a project's rows. If that fails, the error is logged, so that the other projects are still shown. */
async function readPlace<Reader extends Actor>(
  deps: NightDeps,
  actor: Reader,
  window: NightWindow,
  now: Instant,
): Promise<ReadPlace<Reader>> {
  try {
    return await readRows(deps, actor, window, now)
  } catch (error) {
    deps.log('error', 'the night of a project could not be read', {
      project: actor.project.id,
      error: messageOf(error),
    })
    return { place: { actor, isRead: false }, rows: [], silences: [], reachesTo: null }
  }
}

/** The project fields that determine how long its logs are. */
type LogOwner = Pick<Project, 'pingLogLimit'>

/** Number of checks whose logs are read together. */
const READ_AT_ONCE = 10

async function readRows<Reader extends Actor>(
  deps: NightDeps,
  actor: Reader,
  window: NightWindow,
  now: Instant,
): Promise<ReadPlace<Reader>> {
  const read: ReadRow[] = []
  for await (const page of listChecks(deps, actor, {})) {
    const checks = page.map(({ check }) => check)
    const find = (check: Check) => deps.nights.find(check, window, now)
    read.push(...(await inAsyncSteps(deps.eventLoop, rowsOf(deps, actor.project, checks, window, now, find), STEP_MS)))
  }
  const reaches = read.flatMap(({ reachesTo }) => reachesTo ?? [])
  const [from, until] = [fromMilliseconds(window.from), fromMilliseconds(window.until)]
  return {
    place: { actor, isRead: true },
    rows: read.map(({ row }) => row),
    silences: await listPastSilences(deps, actor, from, until),
    reachesTo: reaches.length === 0 ? null : Math.min(...reaches),
  }
}

/**
 * Returns the rows of checks of one project in a window that has not ended, in the order of the checks. The caller must already have
 * verified that the actor may read the checks. A ping from the last minute may be missing from the runs, but not from the check.
 */
export async function readRecentRows(
  deps: NightDeps,
  project: LogOwner,
  checks: readonly Check[],
  window: NightWindow,
  now: Instant,
): Promise<readonly NightRow[]> {
  const find = (check: Check) => deps.nights.findRecent(check, window, now)
  // The work yields after each step.
  const kept = checks.flatMap((check) => find(check)?.row ?? [])
  if (kept.length === checks.length) return kept
  const read = await inAsyncSteps(deps.eventLoop, rowsOf(deps, project, checks, window, now, find), STEP_MS)
  return read.map(({ row }) => row)
}

/**
 * Returns the rows of checks, in the order of the checks. Yields to the event loop after each small amount of work.
 * @param find returns a check's cached row, if there is one
 */
async function* rowsOf(
  { nights }: NightDeps,
  project: LogOwner,
  checks: readonly Check[],
  window: NightWindow,
  now: Instant,
  find: (check: Check) => ReadRow | null,
): AsyncGenerator<void, readonly ReadRow[]> {
  const rows = new Map<Check, ReadRow>()
  const unread: Check[] = []
  for (const check of checks) {
    const kept = find(check)
    if (kept) rows.set(check, kept)
    else unread.push(check)
    yield
  }
  for (const some of inBatches(unread, READ_AT_ONCE)) {
    const facts = await nights.read(some, project.pingLogLimit, window)
    yield
    for (const one of facts) {
      rows.set(one.check, nights.make(one, window, now))
      yield
    }
  }
  return checks.flatMap((check) => rows.get(check) ?? [])
}
