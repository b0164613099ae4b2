/** Finds a check by its name, slug or UUID, or by the beginning of one of them. */
import type { Actor } from '../../domain/actor.ts'
import type { CheckWithChannels } from '../../domain/check/representation.ts'
import { Refusal } from '../../domain/errors.ts'
import type { Project } from '../../domain/project.ts'
import { isUuid } from '../../lib/secrets/uuid.ts'
import { suggest } from '../../lib/text/suggest.ts'
import { oneLine } from '../../lib/text/text.ts'
import { findChecks, listChecks } from '../../services/checks/checks.ts'
import type { Deps } from '../../services/common/deps.ts'
import type { Context } from '../command.ts'
import { openProject } from '../project/open-project.ts'

const MAX_CANDIDATES = 10

/** @throws Refusal if no check matches, or if several checks match */
export async function openCheck({ openDeps, values, argument: typed }: Context) {
  const { deps, actor } = await openProject({ openDeps, values })
  return { deps, actor, found: await findCheck(deps, actor, typed) }
}

/**
 * Returns the checks that the arguments name, in that order, without duplicates. @throws Refusal under the same conditions as {@link
 * openCheck}
 */
export async function openChecks({ openDeps, values, positionals }: Context) {
  const { deps, actor } = await openProject({ openDeps, values })
  const found = new Map<string, CheckWithChannels>()
  for (const typed of positionals) {
    const one = await findCheck(deps, actor, typed)
    found.set(one.check.id, one)
  }
  return { deps, actor, found: [...found.values()] }
}

/** Finds a check. An exact match takes precedence over checks whose name, slug or UUID only begins with the text. @throws Refusal */
async function findCheck(deps: Deps, actor: Actor, typed: string): Promise<CheckWithChannels> {
  const { project } = actor
  const whole: CheckWithChannels[] = []
  const begun: CheckWithChannels[] = []
  const names: string[] = []
  const pages = isUuid(typed) ? findChecks(deps, actor, [typed]) : listChecks(deps, actor, {})
  for await (const page of pages) {
    for (const found of page) {
      const { name, slug, id } = found.check
      if (typed === '') continue
      names.push(name, slug)
      if ([name, slug, id].includes(typed)) whole.push(found)
      else if (name.startsWith(typed) || slug.startsWith(typed) || id.startsWith(typed)) begun.push(found)
    }
  }
  const [match, ...others] = whole.length > 0 ? whole : begun
  if (!match) {
    throw new Refusal('check-not-found', `project "${project.name}" has no check "${typed}"`, {
      name: typed,
      project: project.name,
      meant: suggest(typed, names) ?? undefined,
    })
  }
  if (others.length > 0) throw ambiguous(project, typed, [match, ...others])
  return match
}

function ambiguous(project: Project, typed: string, candidates: readonly CheckWithChannels[]): Refusal {
  const lines = candidates.slice(0, MAX_CANDIDATES).map(({ check: { id, name, slug } }) => {
    return [id, oneLine(name) || '(no name)', ...(slug === '' ? [] : [`(${slug})`])].join('  ')
  })
  const more = candidates.length - lines.length
  const problems = more > 0 ? [...lines, `and ${more} more`] : lines
  const message = `project "${project.name}" has several checks that match "${typed}"`
  return new Refusal('check-ambiguous', message, { name: typed, problems })
}
