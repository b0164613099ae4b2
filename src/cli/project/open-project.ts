/** The project that `--project` names. */
import { type Actor, operatorIn } from '../../domain/actor.ts'
import type { Deps } from '../../services/common/deps.ts'
import { getProject } from '../../services/projects/projects.ts'
import type { Context } from '../command.ts'

/** The operator as actor in that project. @throws Refusal `project-not-found` */
export async function openProject({
  openDeps,
  values,
}: Pick<Context, 'openDeps' | 'values'>): Promise<{ deps: Deps; actor: Actor }> {
  const deps = await openDeps()
  return { deps, actor: operatorIn(await getProject(deps, String(values.project))) }
}
