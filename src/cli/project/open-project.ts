/** Finds the project that a command works on. */
import { type Actor, operatorIn } from '../../domain/actor.ts'
import { Refusal } from '../../domain/errors.ts'
import type { Project } from '../../domain/project.ts'
import type { Deps } from '../../services/common/deps.ts'
import { getProject, listProjects } from '../../services/projects/projects.ts'
import type { Context } from '../command.ts'
import { usageError } from '../usage.ts'

/** Maximum number of projects listed in an error message. */
const NAMED = 10

/**
 * Returns the operator as an actor in the project.
 * @param idOrName defaults to the value of `--project`; if undefined, the only project is used
 * @throws Refusal `project-not-found`, `project-ambiguous`; `usage` if no project is named and the database has no project or several
 */
export async function openProject(
  { openDeps, values }: Pick<Context, 'openDeps' | 'values'>,
  idOrName = values.project,
): Promise<{ readonly deps: Deps; readonly actor: Actor }> {
  const deps = await openDeps()
  const project = idOrName === undefined ? await onlyProject(deps) : await getProject(deps, String(idOrName))
  return { deps, actor: operatorIn(project) }
}

async function onlyProject(deps: Deps): Promise<Project> {
  const [project, ...others] = await listProjects(deps)
  if (!project) throw usageError('there is no project yet', 'create one with `overdue project create NAME`')
  if (others.length === 0) return project
  const names = [project, ...others].map(({ name }) => name)
  const more = names.length - NAMED
  throw new Refusal('usage', '--project is missing, and there are several projects', {
    hint: 'use --project with the name or the id of one; see `overdue project list`',
    problems: [...names.slice(0, NAMED), ...(more > 0 ? [`and ${more} more`] : [])],
  })
}
