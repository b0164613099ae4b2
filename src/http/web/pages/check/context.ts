/** The data that all parts of a check's page need in addition to the check itself. */
import { may } from '../../../../domain/actor.ts'
import type { Instant } from '../../../../lib/time.ts'
import type { PageContext } from '../../context.ts'
import { checkPath } from '../../href.ts'
import { type Clock, createClock } from '../../parts/words/clock.ts'
import type { ProjectVisit } from '../../route.ts'
import { type ChartView, readChartView } from './rhythm/chart-view.ts'

export interface CheckContext extends PageContext {
  /** true if the reader may see the ping URL and change the check */
  readonly canWrite: boolean
  /** the project's slug */
  readonly slug: string
  readonly clock: Clock
  /** returns the path of a page below the check, such as `log`, including the SITE_ROOT path prefix; by default, the check's own page */
  readonly pageHref: (page?: string) => string
  /** returns the path of the given log entry, including the SITE_ROOT path prefix */
  readonly entryHref: (n: number) => string
  /** returns the path of the log up to an instant, including the SITE_ROOT path prefix */
  readonly logHref: (until: Instant) => string
  /** the chart that shows the runs */
  readonly view: ChartView
}

/** @param now time at which the check was loaded */
export function checkContext(visit: ProjectVisit, now: Instant, publicId: string): CheckContext {
  const { actor, account, site, url } = visit
  const { href } = site
  const { tz } = account
  const { slug } = actor.project
  const pageHref = (page?: string) => href(checkPath(slug, publicId, page))
  return {
    href,
    now,
    tz,
    canWrite: may(actor, 'write'),
    slug,
    clock: createClock(now, tz),
    pageHref,
    entryHref: (n) => pageHref(`log/${n}`),
    logHref: (until) => `${pageHref('log')}?until=${encodeURIComponent(minuteIn(tz, until))}`,
    view: readChartView(url.searchParams),
  }
}

/** Formats the minute for a log URL, as in `2026-11-17T03:30`. */
function minuteIn(tz: string, at: Instant): string {
  return at.toZonedDateTimeISO(tz).toPlainDateTime().toString({ smallestUnit: 'minute' })
}
