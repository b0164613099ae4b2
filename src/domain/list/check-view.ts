/** A check as pages show it at an instant. */
import type { Instant } from '../../lib/time.ts'
import type { Advice } from '../advice/advice.ts'
import type { Trouble } from '../cause/trouble.ts'
import type { Uncounted } from '../cause/uncounted.ts'
import type { CheckWithChannels } from '../check/representation.ts'
import type { ShownCheck } from '../check/shown-check.ts'
import type { Pause } from '../words/sentence-parts.ts'

export interface CheckView extends CheckWithChannels, ShownCheck {
  /** when a person resumed it; null if it was not resumed, if a ping has arrived since, or if the time is no longer known */
  readonly resumedAt: Instant | null
  /** null if it is not paused, or if the time of the pause is no longer known */
  readonly pause: Pause | null
  /** null unless the check is shown as down */
  readonly trouble: Trouble | null
  /** uncounted pings of a check that is not up, since the last counted one; refused requests of the last day */
  readonly uncounted: Uncounted
  /** the displayed advice; null: none, or all of it was put off */
  readonly advice: Advice | null
}
