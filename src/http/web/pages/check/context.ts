/** What all parts of a check's page need besides what they show. */
import { may } from '../../../../domain/actor.ts'
import type { Instant } from '../../../../lib/time.ts'
import type { PageContext } from '../../context.ts'
import { checkPath } from '../../href.ts'
import { type Clock, createClock } from '../../parts/words/clock.ts'
import type { ProjectVisit } from '../../route.ts'

export interface CheckContext extends PageContext {
  /** true: the reader may see the ping URL, and change the check */
  readonly canWrite: boolean
  /** of the project */
  readonly slug: string
  readonly clock: Clock
  /** a page of the check, such as `log`, with the path of SITE_ROOT; its own by default */
  readonly pageHref: (page?: string) => string
}

/** @param now when the check was read */
export function checkContext({ actor, account, site }: ProjectVisit, now: Instant, publicId: string): CheckContext {
  const { href } = site
  const { tz } = account
  const { slug } = actor.project
  const pageHref = (page?: string) => href(checkPath(slug, publicId, page))
  return { href, now, tz, canWrite: may(actor, 'write'), slug, clock: createClock(now, tz), pageHref }
}
