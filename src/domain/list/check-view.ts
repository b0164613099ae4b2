/** A check as pages show it at an instant. */
import type { Instant } from '../../lib/time.ts'
import type { Advice } from '../advice/advice.ts'
import type { Trouble } from '../cause/trouble.ts'
import type { Uncounted } from '../cause/uncounted.ts'
import type { CheckWithChannels } from '../check/representation.ts'
import type { ShownCheck } from '../check/shown.ts'
import type { Pause } from '../words/sentence-parts.ts'

export interface CheckView extends CheckWithChannels, ShownCheck {
  /** when somebody resumed it; null unless it was resumed and no ping has come since, and when that is not known any more */
  readonly resumedAt: Instant | null
  /** null unless it is paused, and when it is not known any more when that was */
  readonly pause: Pause | null
  /** null unless the check is shown as down */
  readonly trouble: Trouble | null
  /** what came and did not count: pings of a check that is not up, since the last one that did; refused requests of the last day */
  readonly uncounted: Uncounted
  /** the one that it shows; null: none, or everything was put off */
  readonly advice: Advice | null
}
