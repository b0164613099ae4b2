/** What all parts of a check's page need besides what they show. */
import type { Instant } from '../../../../lib/time.ts'
import { checkPath, type Href } from '../../href.ts'
import { type Clock, createClock } from '../../parts/words/clock.ts'

interface Given {
  readonly now: Instant
  /** of the reader's account, IANA name */
  readonly tz: string
  /** true: the reader may see the ping URL, and change the check */
  readonly canWrite: boolean
  readonly href: Href
  /** of the project */
  readonly slug: string
}

export interface CheckContext extends Given {
  readonly clock: Clock
  /** a page of the check, such as `log`, with the path of SITE_ROOT; its own by default */
  readonly pageHref: (page?: string) => string
}

export function checkContext(given: Given, publicId: string): CheckContext {
  const { now, tz, href, slug } = given
  return { ...given, clock: createClock(now, tz), pageHref: (page) => href(checkPath(slug, publicId, page)) }
}
