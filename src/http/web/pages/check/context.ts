/** The context that every part of a check's page needs besides its data. */
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
  /** slug of the project */
  readonly slug: string
  readonly clock: Clock
  /**
   * returns the address of a page below the check, such as `log`, including the path of SITE_ROOT; by default, the page of the check itself
   */
  readonly pageHref: (page?: string) => string
  /** returns the address of a log entry, including the path of SITE_ROOT */
  readonly entryHref: (n: number) => string
  /** returns the address of the log up to an instant, including the path of SITE_ROOT */
  readonly logHref: (until: Instant) => string
  /** which chart of the runs is shown */
  readonly view: ChartView
}

/** @param now the time at which the check was read */
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

/** Formats a minute for the address of the log, as in `2026-11-17T03:30`. */
function minuteIn(tz: string, at: Instant): string {
  return at.toZonedDateTimeISO(tz).toPlainDateTime().toString({ smallestUnit: 'minute' })
}
