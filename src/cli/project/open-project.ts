/** The project that a command works in. */
import { type Actor, operatorIn } from '../../domain/actor.ts'
import type { Deps } from '../../services/common/deps.ts'
import { getProject } from '../../services/projects/projects.ts'
import type { Context } from '../command.ts'

/** The operator as actor in the project. @param idOrName of `--project` by default @throws Refusal `project-not-found` */
export async function openProject(
  { openDeps, values }: Pick<Context, 'openDeps' | 'values'>,
  idOrName = String(values.project),
): Promise<{ readonly deps: Deps; readonly actor: Actor }> {
  const deps = await openDeps()
  return { deps, actor: operatorIn(await getProject(deps, idOrName)) }
}
