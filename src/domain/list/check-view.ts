/** A check as shown on pages at a given time. */
import type { Instant } from '../../lib/time.ts'
import type { Advice } from '../advice/advice.ts'
import type { Trouble } from '../cause/trouble.ts'
import type { Uncounted } from '../cause/uncounted.ts'
import type { CheckWithChannels } from '../check/representation.ts'
import type { ShownCheck } from '../check/shown-check.ts'
import type { Pause } from '../words/sentence-parts.ts'

export interface CheckView extends CheckWithChannels, ShownCheck {
  /** when a user resumed the check; null if nobody resumed it, a ping has arrived since, or the time is no longer known */
  readonly resumedAt: Instant | null
  /** the current pause; null if the check is not paused, or the start of the pause is no longer known */
  readonly pause: Pause | null
  /** reason why the check is down; null unless the check is shown as down */
  readonly trouble: Trouble | null
  /** pings that arrived but did not count since the last counted one, unless the check is up; also requests rejected during the last day */
  readonly uncounted: Uncounted
  /** advice to show; null: there is none, or all of it is dismissed */
  readonly advice: Advice | null
}
