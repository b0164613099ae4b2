/** The data that a night's page shows. */
import type { PastNight } from '../../../../domain/night/past-nights.ts'
import { type ReadNight, readNight } from '../../../../services/overview/night.ts'
import type { PageContext } from '../../context.ts'
import type { PageDeps } from '../../page.ts'
import type { AccountVisit } from '../../route.ts'
import type { NightQuery } from './query.ts'

export interface ShownNight extends ReadNight {
  readonly query: NightQuery
  /** the last few nights, oldest first */
  readonly nights: readonly PastNight[]
}

export async function readShownNight(
  deps: PageDeps,
  { person, account: { tz } }: Pick<AccountVisit, 'person' | 'account'>,
  query: NightQuery,
  { now }: Pick<PageContext, 'now'>,
): Promise<ShownNight> {
  const read = await readNight(deps, person, query.window, tz, now)
  return { ...read, query, nights: await deps.pastNights.get(deps, read, tz, now) }
}
