/**
 * Reads the checks that the command palette finds by name, in all projects that a person is allowed to see. Checks with problems come
 * first.
 */

import type { Person, PersonActor } from '../../domain/actor.ts'
import type { Check } from '../../domain/check/check.ts'
import { type ShownCheck, showCheck } from '../../domain/check/shown-check.ts'
import { compareNames } from '../../lib/text/natural-order.ts'
import type { Instant } from '../../lib/time.ts'
import { listChecks } from '../checks/checks.ts'
import type { Deps } from '../common/deps.ts'
import { isProblem, listProblems } from '../overview/problems.ts'
import { listPersonActors } from '../projects/members.ts'

export interface PaletteCheck extends Pick<ShownCheck, 'state' | 'isSlow' | 'expected'> {
  readonly actor: PersonActor
  readonly check: Check
  /** true if the check is down, late or slow */
  readonly isProblem: boolean
  /** null unless the check is down */
  readonly downSince: Instant | null
}

export interface PaletteChecks {
  /** the person's rights in each project that they are allowed to see, in order of creation */
  readonly actors: readonly PersonActor[]
  /** checks, with problems first, and then the others by name */
  readonly checks: readonly PaletteCheck[]
  /** true if there are more checks, which only the search can find */
  readonly isCut: boolean
  readonly now: Instant
}

/** Maximum number of checks. They are read and sent each time a user opens the palette. */
export const PALETTE_CHECKS = 1_000
/** Maximum number of checks with problems. The overview lists more. */
const PROBLEMS = 50

/** @param slug slug of the project whose checks are read first; '' for no particular project */
export async function readPaletteChecks(
  deps: Pick<Deps, 'store' | 'now' | 'budget'>,
  person: Person,
  slug: string,
): Promise<PaletteChecks> {
  const now = deps.now()
  const actors = await listPersonActors(deps, person)
  const isHere = ({ project }: PersonActor) => project.slug === slug
  const inOrder = [...actors.filter(isHere), ...actors.filter((actor) => !isHere(actor))]
  const problems = await readProblems(deps, inOrder, now)
  const known = new Set(problems.map(({ check }) => check.id))
  const others: PaletteCheck[] = []
  const answer = (isCut: boolean): PaletteChecks => {
    others.sort((a, b) => compareNames(a.check.name, b.check.name))
    return { actors, checks: [...problems, ...others], isCut, now }
  }
  for (const actor of inOrder) {
    for await (const page of listChecks(deps, actor, {})) {
      await deps.budget.available()
      for (const { check } of page) {
        if (known.has(check.id)) continue
        if (problems.length + others.length === PALETTE_CHECKS) return answer(true)
        const { state, isSlow, expected } = showCheck(check, now)
        others.push({ actor, check, state, isSlow, expected, isProblem: isProblem({ state, isSlow }), downSince: null })
      }
    }
  }
  return answer(false)
}

async function readProblems(
  deps: Pick<Deps, 'store' | 'budget'>,
  actors: readonly PersonActor[],
  now: Instant,
): Promise<readonly PaletteCheck[]> {
  const byProject = new Map(actors.map((actor) => [actor.project.id, actor]))
  const problems: PaletteCheck[] = []
  for await (const views of listProblems(deps, actors, now)) {
    await deps.budget.available()
    for (const { check, state, isSlow, expected, trouble } of views) {
      const actor = byProject.get(check.projectId)
      if (actor === undefined) continue
      problems.push({ actor, check, state, isSlow, expected, isProblem: true, downSince: trouble?.since ?? null })
      if (problems.length === PROBLEMS) return problems
    }
  }
  return problems
}
