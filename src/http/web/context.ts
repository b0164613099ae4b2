/** Page context that components need, in addition to their data, to render links and times. */
import type { Clock, Instant } from '../../lib/time.ts'
import type { Href } from './href.ts'
import type { AccountVisit } from './route.ts'

export interface PageContext {
  readonly href: Href
  readonly now: Instant
  /** IANA name of the time zone in the reader's account */
  readonly tz: string
}

export function contextOf(
  { now }: { readonly now: Clock },
  { account, site }: Pick<AccountVisit, 'account' | 'site'>,
): PageContext {
  return { href: site.href, now: now(), tz: account.tz }
}
