/** A project as a wall shows it: what is wrong large, the rest small, and both bounded. */
import { type Actor, requireRight } from '../../domain/actor.ts'
import type { ShownState } from '../../domain/check/shown.ts'
import type { ListCounts, ListEntry } from '../../domain/list/check-list.ts'
import type { CheckView } from '../../domain/list/check-view.ts'
import type { Project } from '../../domain/project.ts'
import type { Instant } from '../../lib/time.ts'
import { type CheckList, type CheckListDeps, readCheckList } from './check-list.ts'

export interface Wall {
  readonly project: Project
  readonly counts: Pick<ListCounts, 'total' | 'states'>
  /** down, then late; each by name */
  readonly concerns: readonly CheckView[]
  /** checks that are down or late and not in `concerns` */
  readonly moreConcerns: number
  /** those that run, then the others; each with advice first, then by name */
  readonly others: readonly CheckView[]
  readonly moreOthers: number
}

/** So many can be read from across a room. */
const LARGE = 12
/** More do not fit on any screen. */
const SMALL = 240

const ALL_BY_NAME = { text: '', tags: [], states: [], advice: [], sort: 'name', isReversed: false } as const

export async function readWall(deps: CheckListDeps, actor: Actor, now: Instant): Promise<Wall> {
  requireRight(actor, 'read')
  const list = await readCheckList(deps, actor, ALL_BY_NAME, now)
  const concerns = inOrder(list.entries, ['down', 'late'])
  const others = inOrder(list.entries, ['started', 'up', 'paused', 'new'])
  return {
    project: actor.project,
    counts: list.counts,
    concerns: await viewsOf(list, concerns.slice(0, LARGE)),
    moreConcerns: Math.max(0, concerns.length - LARGE),
    others: await viewsOf(list, others.slice(0, SMALL)),
    moreOthers: Math.max(0, others.length - SMALL),
  }
}

function inOrder(entries: readonly ListEntry[], states: readonly ShownState[]): readonly ListEntry[] {
  return states.flatMap((state) => entries.filter((entry) => entry.state === state))
}

async function viewsOf(list: CheckList, entries: readonly ListEntry[]): Promise<readonly CheckView[]> {
  return (await Array.fromAsync(list.views(entries))).flat()
}
