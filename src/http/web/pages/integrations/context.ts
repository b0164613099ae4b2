/** The data that every part of the integration pages needs. */
import { may } from '../../../../domain/actor.ts'
import { contextOf, type PageContext } from '../../context.ts'
import type { PageDeps } from '../../page.ts'
import type { ProjectVisit } from '../../route.ts'

export interface IntegrationsContext extends PageContext {
  /** slug of the project */
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
