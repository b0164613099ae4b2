/** Reads the problems in all projects that a person is allowed to see, and the state of those projects and of this server. */

import { type Actor, operatorIn, type Person, personInEach } from '../../domain/actor.ts'
import type { Advice } from '../../domain/advice/advice.ts'
import { doubtOf } from '../../domain/advice/doubt.ts'
import type { DeliveryEntry } from '../../domain/alert/delivery.ts'
import { type Check, startedAt } from '../../domain/check/check.ts'
import type { ShownState } from '../../domain/check/shown-check.ts'
import type { CheckView } from '../../domain/list/check-view.ts'
import { addSeconds, type Instant, toMicroseconds } from '../../lib/time.ts'
import type { NamedFlip, ProjectSummary } from '../../store/store.ts'
import { whoWasTold } from '../alerts/deliveries.ts'
import { findChecks } from '../checks/checks.ts'
import { readShownAdvice, type ShownAdvice } from '../checks/shown-advice.ts'
import type { Deps } from '../common/deps.ts'
import { type CheckStanding, NOTHING_STANDS, readStandings } from '../incidents/standing.ts'
import { readServerState, type ServerState } from '../server/server-state.ts'
import type { NightBriefs, OverviewNight } from './night-briefs.ts'
import { countUnheard, listProblems, listRecoveries, type Recovery, type Unheard } from './problems.ts'

/** A check that is down or late, or whose current run takes longer than usual. */
export interface Problem extends CheckView {
  readonly actor: Actor
  /** alerts about the flip that changed the status to down; null if the check is not down, or if the flip has not been written yet */
  readonly told: readonly DeliveryEntry[] | null
  /** the member who has taken the check's incident, and the check's silence */
  readonly standing: CheckStanding
}

export interface Recovered extends Recovery {
  readonly actor: Actor
  /** alerts about the recovery */
  readonly told: readonly DeliveryEntry[]
}

export interface Place {
  readonly actor: Actor
  readonly checks: number
  readonly down: number
  readonly late: number
  /** number of checks that are neither down nor late but whose current run takes longer than usual */
  readonly slow: number
  /** number of checks that are monitored and healthy, and would alert someone if their jobs failed */
  readonly expected: number
  readonly paused: number
  /** number of checks that have not received any ping that counts */
  readonly unpinged: number
  /** number of checks that have been resumed and not pinged since */
  readonly resumed: number
  /** checks that would alert no one if their jobs failed */
  readonly unheard: Unheard
}

/** A check whose settings do not match its job. */
interface Unfitting {
  readonly actor: Actor
  readonly check: Check
  readonly advice: Advice
}

export interface Overview {
  /** newest first */
  readonly problems: readonly Problem[]
  /** number of checks that are down in all projects; `problems` may list fewer */
  readonly down: number
  readonly late: number
  readonly slow: number
  readonly expected: number
  readonly paused: number
  readonly unpinged: number
  readonly resumed: number
  /** number of checks that are neither down, late nor slow and would alert no one if their jobs failed */
  readonly unheard: number
  /** some of the checks whose settings do not match their jobs, except checks that would alert no one */
  readonly unfitting: readonly Unfitting[]
  /** number of checks with advice */
  readonly advised: number
  /** true if more checks are late or slow than were read */
  readonly isCut: boolean
  /** recoveries of the last day, newest first */
  readonly recoveries: readonly Recovered[]
  readonly hasMoreRecoveries: boolean
  /**
   * projects with checks that are down, then with late checks, with slow checks, with checks that would alert no one, and finally all
   * others; each group is sorted by name
   */
  readonly places: readonly Place[]
  readonly night: OverviewNight | 'reading' | 'too-many'
  readonly server: ServerState
}

type OverviewDeps = Pick<Deps, 'store' | 'now' | 'stopwatch' | 'measurements'> & { readonly nightBriefs: NightBriefs }

/** Maximum number of checks to list by name. */
const UNFITTING = 3
/** Maximum number of project cards. Any other projects are only counted. */
export const CARDS = 50
/** Maximum number of down, late and slow checks to read. */
const READ = 500
const RECOVERIES = 20
const RECOVERED_WITHIN_SECONDS = 86_400

/** @param tz IANA name of the reader's zone @param waitsForNight false if the night may be omitted */
export async function readOverview(
  deps: OverviewDeps,
  person: Person,
  tz: string,
  waitsForNight: boolean,
): Promise<Overview> {
  const summaries = await deps.store.projects.listOfPerson(person.accountId, person.isAdministrator)
  return overviewOf(deps, { summaries, actors: personInEach(summaries, person) }, tz, waitsForNight)
}

/**
 * Reads an overview for the command line, which is allowed to read all projects. Waits for the night.
 * @param projectId null for all projects
 */
export async function readServerOverview(deps: OverviewDeps, projectId: string | null, tz: string): Promise<Overview> {
  const all = await deps.store.projects.listOfPerson(NO_ACCOUNT, true)
  const summaries = projectId === null ? all : all.filter(({ project }) => project.id === projectId)
  return overviewOf(deps, { summaries, actors: summaries.map(({ project }) => operatorIn(project)) }, tz, true)
}

/** An account id that does not exist. */
const NO_ACCOUNT = ''

interface Seen {
  readonly summaries: readonly ProjectSummary[]
  /** the reader's rights in each project */
  readonly actors: readonly Actor[]
}

async function overviewOf(deps: OverviewDeps, seen: Seen, tz: string, waitsForNight: boolean): Promise<Overview> {
  const now = deps.now()
  const { summaries } = seen
  const actors = new Map(seen.actors.map((actor) => [actor.project.id, actor]))
  const { views, isCut } = await readProblems(deps, [...actors.values()], now)
  const unheard = new Map<string, Unheard>()
  const misfits: Misfit[] = []
  let advised = 0
  for (const [projectId, actor] of actors) {
    const advice = await readShownAdvice(deps, projectId, now)
    unheard.set(projectId, await countUnheard(deps, actor, advice, now))
    misfits.push(...misfitsOf(actor, advice))
    advised += advice.size
  }
  const places = placesOf({ summaries, actors, views, isCut, unheard })
  const sum = (of: (place: Place) => number) => places.reduce((total, place) => total + of(place), 0)
  const { recoveries, hasMore } = await readRecoveries(deps, actors, now)
  const checks = sum((place) => place.checks)
  return {
    problems: await withTold(deps, actors, newestFirst(views).slice(0, CARDS)),
    down: sum(({ down }) => down),
    late: sum(({ late }) => late),
    slow: sum(({ slow }) => slow),
    expected: sum(({ expected }) => expected),
    paused: sum(({ paused }) => paused),
    unpinged: sum(({ unpinged }) => unpinged),
    resumed: sum(({ resumed }) => resumed),
    unheard: sum(({ unheard }) => unheard.checks),
    unfitting: await readUnfitting(deps, misfits.slice(0, UNFITTING)),
    advised,
    isCut,
    recoveries,
    hasMoreRecoveries: hasMore,
    places,
    night: await deps.nightBriefs.ofProjects([...actors.values()], checks, tz, waitsForNight),
    server: await readServerState(deps),
  }
}

interface Misfit extends Omit<Unfitting, 'check'> {
  readonly checkId: string
}

function misfitsOf(actor: Actor, advice: ShownAdvice): readonly Misfit[] {
  return [...advice].flatMap(([checkId, one]) => (doubtOf(one) === null ? [{ actor, checkId, advice: one }] : []))
}

async function readUnfitting(deps: OverviewDeps, misfits: readonly Misfit[]): Promise<readonly Unfitting[]> {
  const unfitting: Unfitting[] = []
  for (const { actor, checkId, advice } of misfits) {
    for await (const page of findChecks(deps, actor, [checkId])) {
      unfitting.push(...page.map(({ check }) => ({ actor, check, advice })))
    }
  }
  return unfitting
}

interface ReadProblems {
  readonly views: readonly CheckView[]
  readonly isCut: boolean
}

async function readProblems(deps: OverviewDeps, actors: readonly Actor[], now: Instant): Promise<ReadProblems> {
  const views: CheckView[] = []
  for await (const page of listProblems(deps, actors, now)) {
    views.push(...page)
    if (views.length > READ) return { views, isCut: true }
  }
  return { views, isCut: false }
}

/**
 * Sorts checks by the time at which they went down, were due, or began to run. A slow run that is not late yet is due in the future, so
 * its start time is used.
 */
function newestFirst(views: readonly CheckView[]): readonly CheckView[] {
  return views.toSorted((a, b) => toMicroseconds(wrongSince(b)) - toMicroseconds(wrongSince(a)))
}

/** Returns when a check went down, was due, or began to run. */
export function wrongSince({ state, check, expected, trouble }: CheckView): Instant {
  return trouble?.since ?? (state === 'started' ? startedAt(check) : expected) ?? check.createdAt
}

interface Found extends ReadProblems {
  readonly summaries: readonly ProjectSummary[]
  /** the reader's rights, keyed by project id, like the numbers below */
  readonly actors: ReadonlyMap<string, Actor>
  readonly unheard: ReadonlyMap<string, Unheard>
}

/**
 * Returns the projects and their numbers. Each check is counted once. If some checks were not read, `down` is at least the stored number.
 */
function placesOf({ summaries, actors, views, isCut, unheard }: Found): readonly Place[] {
  const byProject = Map.groupBy(views, ({ check }) => check.projectId)
  const places = summaries.flatMap((summary): Place[] => {
    const { project, checks, down: storedDown, up, paused, unpinged } = summary
    const actor = actors.get(project.id)
    const unheardHere = unheard.get(project.id)
    if (!actor || !unheardHere) return []
    const own = byProject.get(project.id) ?? []
    const inState = (state: ShownState) => own.filter((view) => view.state === state).length
    const [down, late, slow] = [inState('down'), inState('late'), inState('started')]
    const { wouldBe } = unheardHere
    return [
      {
        actor,
        checks,
        down: isCut ? Math.max(down, storedDown) : down,
        late,
        slow,
        expected: Math.max(0, storedDown + up - down - late - slow - wouldBe.expected),
        paused: Math.max(0, paused - wouldBe.paused),
        unpinged: Math.max(0, unpinged - wouldBe.unpinged),
        resumed: Math.max(0, checks - storedDown - up - paused - unpinged - wouldBe.resumed),
        unheard: unheardHere,
      },
    ]
  })
  const name = ({ actor }: Place) => actor.project.name
  return places.toSorted(
    (a, b) =>
      Number(b.down > 0) - Number(a.down > 0) ||
      Number(b.late > 0) - Number(a.late > 0) ||
      Number(b.slow > 0) - Number(a.slow > 0) ||
      Number(isOnlyUnheard(b)) - Number(isOnlyUnheard(a)) ||
      name(a).localeCompare(name(b), 'en', { sensitivity: 'base', numeric: true }),
  )
}

function isOnlyUnheard({ down, late, unheard }: Place): boolean {
  return down === 0 && late === 0 && unheard.checks > 0
}

async function withTold(
  deps: OverviewDeps,
  actors: ReadonlyMap<string, Actor>,
  views: readonly CheckView[],
): Promise<readonly Problem[]> {
  // If a check is down, its last flip is the one that changed its status to down.
  const flips = views.flatMap(({ check }) =>
    check.status === 'down' ? [{ checkId: check.id, projectId: check.projectId, n: null }] : [],
  )
  const told = await toldOf(deps, actors, flips)
  const standings = await standingsOf(deps, actors, views)
  return views.flatMap((view) => {
    const { check } = view
    const actor = actors.get(check.projectId)
    const standing = standings.get(check.id) ?? NOTHING_STANDS
    return actor
      ? [{ ...view, actor, told: check.status === 'down' ? (told.get(check.id) ?? []) : null, standing }]
      : []
  })
}

/** Returns the standings, keyed by check id. */
async function standingsOf(
  deps: OverviewDeps,
  actors: ReadonlyMap<string, Actor>,
  views: readonly CheckView[],
): Promise<ReadonlyMap<string, CheckStanding>> {
  const found: (readonly [string, CheckStanding])[] = []
  const checks = views.map(({ check }) => check)
  for (const [projectId, own] of Map.groupBy(checks, (check) => check.projectId)) {
    const actor = actors.get(projectId)
    if (actor) found.push(...(await readStandings(deps, actor, own)))
  }
  return new Map(found)
}

interface ToldFlip extends NamedFlip {
  readonly projectId: string
}

/** Returns the alerts, keyed by check id. */
async function toldOf(
  deps: OverviewDeps,
  actors: ReadonlyMap<string, Actor>,
  flips: readonly ToldFlip[],
): Promise<ReadonlyMap<string, readonly DeliveryEntry[]>> {
  const entries: DeliveryEntry[] = []
  for (const [projectId, own] of Map.groupBy(flips, (flip) => flip.projectId)) {
    const actor = actors.get(projectId)
    if (actor) entries.push(...(await whoWasTold(deps, actor, own)))
  }
  return Map.groupBy(entries, ({ delivery }) => delivery.checkId)
}

async function readRecoveries(
  deps: OverviewDeps,
  actors: ReadonlyMap<string, Actor>,
  now: Instant,
): Promise<{ readonly recoveries: readonly Recovered[]; readonly hasMore: boolean }> {
  const found: Recovery[] = []
  const since = addSeconds(now, -RECOVERED_WITHIN_SECONDS)
  for await (const page of listRecoveries(deps, [...actors.values()], since, now)) {
    found.push(...page)
    if (found.length > RECOVERIES) break
  }
  const newest = found.slice(0, RECOVERIES)
  const flips = newest.map(({ check, flipN }) => ({ checkId: check.id, projectId: check.projectId, n: flipN }))
  const told = await toldOf(deps, actors, flips)
  const recoveries = newest.flatMap((recovery): Recovered[] => {
    const actor = actors.get(recovery.check.projectId)
    return actor ? [{ ...recovery, actor, told: told.get(recovery.check.id) ?? [] }] : []
  })
  return { recoveries, hasMore: found.length > newest.length }
}
