/** The context of a check's page, which every part needs in addition to its data. */
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
  /** returns the path of a page below the check, such as `log`, including SITE_ROOT's path; by default, the check's own page */
  readonly pageHref: (page?: string) => string
  /** returns the path of a log entry, including SITE_ROOT's path */
  readonly entryHref: (n: number) => string
  /** returns the path of the log up to an instant, including SITE_ROOT's path */
  readonly logHref: (until: Instant) => string
  /** the chart that shows the runs */
  readonly view: ChartView
}

/** @param now time at which the check was read */
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

/** Formats a minute for the log's URL, as in `2026-11-17T03:30`. */
function minuteIn(tz: string, at: Instant): string {
  return at.toZonedDateTimeISO(tz).toPlainDateTime().toString({ smallestUnit: 'minute' })
}
