/** A check as pages show it at a given time. */
import type { Instant } from '../../lib/time.ts'
import type { Advice } from '../advice/advice.ts'
import type { Trouble } from '../cause/trouble.ts'
import type { Uncounted } from '../cause/uncounted.ts'
import type { CheckWithChannels } from '../check/representation.ts'
import type { ShownCheck } from '../check/shown-check.ts'
import type { Pause } from '../words/sentence-parts.ts'

export interface CheckView extends CheckWithChannels, ShownCheck {
  /** time at which a person resumed the check; null if nobody did, a ping has arrived since, or the time is no longer known */
  readonly resumedAt: Instant | null
  /** the current pause; null if the check is not paused, or the time of the pause is no longer known */
  readonly pause: Pause | null
  /** why the check is down; null unless it is shown as down */
  readonly trouble: Trouble | null
  /** pings since the last counted one that did not count, unless the check is up; and requests refused during the last day */
  readonly uncounted: Uncounted
  /** the advice to show; null: there is none, or all of it was put off */
  readonly advice: Advice | null
}
