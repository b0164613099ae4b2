/** Context data for all integration pages. */
import { may } from '../../../../domain/actor.ts'
import { contextOf, type PageContext } from '../../context.ts'
import type { PageDeps } from '../../page.ts'
import type { ProjectVisit } from '../../route.ts'

export interface IntegrationsContext extends PageContext {
  /** the project's slug */
  readonly slug: string
  readonly canWrite: boolean
  /** true if the reader may see the names of server settings */
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
