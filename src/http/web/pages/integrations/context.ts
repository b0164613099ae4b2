/** What all parts of the pages of integrations need. */
import { may } from '../../../../domain/actor.ts'
import type { Instant } from '../../../../lib/time.ts'
import type { Href } from '../../href.ts'
import type { ProjectVisit } from '../../route.ts'

export interface IntegrationsContext {
  readonly href: Href
  /** of the project */
  readonly slug: string
  readonly now: Instant
  /** of the reader's account, IANA name */
  readonly tz: string
  readonly canWrite: boolean
  /** true: is told the names of the server's settings */
  readonly isAdministrator: boolean
}

export function integrationsContext(
  { actor, account, site }: Pick<ProjectVisit, 'actor' | 'account' | 'site'>,
  now: Instant,
): IntegrationsContext {
  return {
    href: site.href,
    slug: actor.project.slug,
    now,
    tz: account.tz,
    canWrite: may(actor, 'write'),
    isAdministrator: actor.by.isAdministrator,
  }
}
