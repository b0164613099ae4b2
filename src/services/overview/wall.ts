/** Reads a project for a wall: a limited number of problems in large type, and below them the last few hours of all checks. */
import { type Actor, requireRight } from '../../domain/actor.ts'
import type { ShownState } from '../../domain/check/shown-check.ts'
import type { ListCounts, ListEntry } from '../../domain/list/check-list.ts'
import type { CheckView } from '../../domain/list/check-view.ts'
import type { Project } from '../../domain/project.ts'
import type { Instant } from '../../lib/time.ts'
import { type CheckList, type CheckListDeps, readCheckList } from './check-list.ts'
import type { NightBriefs, WallNight } from './night-briefs.ts'

export interface Wall {
  readonly project: Project
  readonly counts: Pick<ListCounts, 'total' | 'states' | 'advice'>
  /** checks that are down, followed by checks that are late, each sorted by name */
  readonly problems: readonly CheckView[]
  /** number of checks that are down or late and not in `problems` */
  readonly moreProblems: number
  readonly night: WallNight | 'reading' | 'too-many'
  /** current states of all checks, by public id; a state may be more recent than the night */
  readonly states: ReadonlyMap<string, ShownState>
}

/** Maximum number of problems that are readable from across a room. */
const LARGE = 12

const ALL_BY_NAME = { text: '', tags: [], states: [], advice: [], sort: 'name', isReversed: false } as const

/** @param tz IANA name of the reader's zone @param waitsForNight false if the last few hours may be omitted */
export async function readWall(
  deps: CheckListDeps & { readonly nightBriefs: NightBriefs },
  actor: Actor,
  now: Instant,
  tz: string,
  waitsForNight: boolean,
): Promise<Wall> {
  requireRight(actor, 'read')
  const list = await readCheckList(deps, actor, ALL_BY_NAME, now)
  const problems = inOrder(list.entries, ['down', 'late'])
  return {
    project: actor.project,
    counts: list.counts,
    problems: await viewsOf(list, problems.slice(0, LARGE)),
    moreProblems: Math.max(0, problems.length - LARGE),
    states: new Map(list.entries.map(({ publicId, state }) => [publicId, state])),
    night: await deps.nightBriefs.ofWall(actor, list.counts.total, tz, waitsForNight),
  }
}

function inOrder(entries: readonly ListEntry[], states: readonly ShownState[]): readonly ListEntry[] {
  return states.flatMap((state) => entries.filter((entry) => entry.state === state))
}

async function viewsOf(list: CheckList, entries: readonly ListEntry[]): Promise<readonly CheckView[]> {
  return (await Array.fromAsync(list.views(entries))).flat()
}
