/** The data that all parts of the pages of integrations need. */
import { may } from '../../../../domain/actor.ts'
import { contextOf, type PageContext } from '../../context.ts'
import type { PageDeps } from '../../page.ts'
import type { ProjectVisit } from '../../route.ts'

export interface IntegrationsContext extends PageContext {
  /** slug of the project */
  readonly slug: string
  readonly canWrite: boolean
  /** true: the reader sees the names of the server's settings */
  readonly isAdministrator: boolean
}

export function integrationsContext(deps: PageDeps, visit: ProjectVisit): IntegrationsContext {
  const { actor } = visit
  return {
    ...contextOf(deps, visit),
    slug: actor.project.slug,
    canWrite: may(actor, 'write'),
    isAdministrator: actor.by.isAdministrator,
  }
}
