/** Routes of a project, which is what most pages belong to. Their answers are not kept, because what they show changes. */
import type { Right } from '../../../domain/account/role.ts'
import type { PageAnswer, ProjectVisit, Route } from '../route.ts'

/** @param path below `/p/<project>/` @param right that the reader needs in the project */
export function projectRoute(
  method: Route['method'],
  path: string,
  right: Right,
  answer: (visit: ProjectVisit) => PageAnswer | Promise<PageAnswer>,
): Route {
  return { method, path: `/p/:project/${path}`, access: 'project', right, cache: 'no-store', answer }
}
