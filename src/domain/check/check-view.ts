/** A check as pages show it at an instant. */
import type { Instant } from '../../lib/time.ts'
import type { Advice } from '../advice/advice.ts'
import type { CheckWithChannels } from './representation.ts'
import type { ShownState } from './shown.ts'
import type { Trouble } from './trouble.ts'
import type { Uncounted } from './uncounted.ts'

export interface CheckView extends CheckWithChannels {
  readonly state: ShownState
  /** when the next success is expected, in the past for a check that is late; null unless the stored status is up */
  readonly expected: Instant | null
  /** null unless the check is shown as down */
  readonly trouble: Trouble | null
  /** what came and did not count: pings of a check that is not up, since the last one that did; refused requests of the last day */
  readonly uncounted: Uncounted
  readonly advice: readonly Advice[]
}
