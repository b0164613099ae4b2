/** A check as pages show it at an instant. */
import type { Instant } from '../../lib/time.ts'
import type { Advice } from '../advice/advice.ts'
import type { Trouble } from '../cause/trouble.ts'
import type { Uncounted } from '../cause/uncounted.ts'
import type { CheckWithChannels } from '../check/representation.ts'
import type { ShownCheck } from '../check/shown-check.ts'
import type { Pause } from '../words/sentence-parts.ts'

export interface CheckView extends CheckWithChannels, ShownCheck {
  /** when a person resumed it; null unless it was resumed and no ping has arrived since, and if the time is no longer known */
  readonly resumedAt: Instant | null
  /** null unless it is paused, and if the time of the pause is no longer known */
  readonly pause: Pause | null
  /** null unless the check is shown as down */
  readonly trouble: Trouble | null
  /** uncounted pings of a check that is not up, since the last counted one; refused requests of the last day */
  readonly uncounted: Uncounted
  /** the advice that it shows; null: none, or everything was put off */
  readonly advice: Advice | null
}
