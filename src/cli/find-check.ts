/** The check that a person names: by its name, slug or UUID, or by how one of them begins. */
import { UserError } from '../domain/errors.ts'
import type { Project } from '../domain/project.ts'
import type { CheckWithChannels } from '../domain/representation.ts'
import { oneLine } from '../domain/text.ts'
import { isUuid } from '../domain/uuid.ts'
import { findChecks, listChecks } from '../services/checks.ts'
import type { Deps } from '../services/deps.ts'
import { type Context, openProject } from './command.ts'

/** What every command that names a check says about it. */
export const CHECK_HELP = 'CHECK is a name, a slug or a UUID, or the beginning of one that no other check has.'

/** So many candidates are listed. */
const MOST_CANDIDATES = 10

/** @throws UserError when the project has no such check, or several */
export async function openCheck({ openDeps, values, positionals: [typed = ''] }: Context) {
  const { deps, project } = await openProject({ openDeps, values })
  return { deps, project, found: await findCheck(deps, project, typed) }
}

/** A whole name, slug or UUID goes before the beginning of another. @throws UserError */
async function findCheck(deps: Deps, project: Project, typed: string): Promise<CheckWithChannels> {
  const whole: CheckWithChannels[] = []
  const begun: CheckWithChannels[] = []
  const pages = isUuid(typed) ? findChecks(deps, [typed]) : listChecks(deps, project, {})
  for await (const page of pages) {
    for (const found of page) {
      const { name, slug, id, projectId } = found.check
      if (typed === '' || projectId !== project.id) continue
      if ([name, slug, id].includes(typed)) whole.push(found)
      else if (name.startsWith(typed) || slug.startsWith(typed) || id.startsWith(typed)) begun.push(found)
    }
  }
  const [match, ...others] = whole.length > 0 ? whole : begun
  if (!match) throw new UserError(`project "${project.name}" has no check "${typed}"`, 'see `overdue check list`')
  if (others.length > 0) throw ambiguous(project, typed, [match, ...others])
  return match
}

function ambiguous(project: Project, typed: string, candidates: readonly CheckWithChannels[]): UserError {
  const lines = candidates.slice(0, MOST_CANDIDATES).map(({ check: { id, name, slug } }) => {
    return [id, oneLine(name) || '(no name)', ...(slug === '' ? [] : [`(${slug})`])].join('  ')
  })
  const more = candidates.length - lines.length
  const problems = more > 0 ? [...lines, `and ${more} more`] : lines
  return new UserError(`project "${project.name}" has several checks "${typed}"`, 'use one of these UUIDs', {
    problems,
  })
}
