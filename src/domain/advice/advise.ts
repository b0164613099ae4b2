/** The doctor: finds mistakes in a check's settings. It reads the settings and the log, and changes nothing. */
import { atOnce } from '../../lib/work/at-once.ts'
import { type Advice, type AdviceKind, type Fix, HEARD_IN_PAUSE } from './advice.ts'
import type { Facts } from './facts.ts'
import { Reading } from './reading.ts'
import { flapping } from './rules/flapping.ts'
import { hollow } from './rules/hollow.ts'
import { ignored } from './rules/ignored.ts'
import { overlap } from './rules/overlap.ts'
import { severalSenders, visitor } from './rules/senders.ts'
import { clocks, text } from './rules/text.ts'
import { twins } from './rules/twins.ts'
import { partlyUntold, untold } from './rules/untold.ts'
import { unwatched } from './rules/unwatched.ts'
import { grace } from './timing/grace.ts'
import { inside } from './timing/inside.ts'
import { lax } from './timing/lax.ts'
import { often } from './timing/often.ts'
import { rare } from './timing/rare.ts'
import { slow } from './timing/slow.ts'
import { otherTime, time } from './timing/time.ts'
import { zone } from './timing/zone.ts'

interface Rule {
  readonly find: (reading: Reading) => Advice | null
  /** kinds of advice that suppress this rule, because they have the same cause or make this rule's data unreliable */
  readonly after?: readonly AdviceKind[]
}

const TIMED: readonly AdviceKind[] = ['senders', 'zone', 'time', 'rare', 'often', 'grace']

/** Rules in the order used by a check's page. */
const RULES: readonly Rule[] = [
  { find: untold },
  { find: unwatched },
  { find: ignored },
  { find: severalSenders },
  { find: overlap, after: ['senders'] },
  { find: text },
  { find: zone, after: ['senders'] },
  { find: time, after: TIMED },
  { find: rare, after: TIMED },
  { find: often, after: TIMED },
  { find: grace, after: ['overlap', ...TIMED] },
  { find: otherTime, after: TIMED },
  { find: hollow, after: ['senders', 'overlap'] },
  { find: flapping, after: ['senders'] },
  { find: slow, after: ['overlap', ...TIMED] },
  { find: inside, after: TIMED },
  { find: lax, after: ['overlap', ...TIMED] },
  { find: visitor },
  { find: partlyUntold },
  { find: clocks },
  { find: twins },
]

/**
 * Returns all advice about a check, in the order used by the check's page.
 * @param now milliseconds since 1970
 */
export function advise(facts: Facts, now: number): readonly Advice[] {
  return atOnce(adviseInSteps(facts, now))
}

/** Like {@link advise}, but yields after each rule and after each judged run, because finding the slots of some schedules is slow. */
export function* adviseInSteps(facts: Facts, now: number): Generator<void, readonly Advice[]> {
  const reading = new Reading(facts, now)
  const { isPaused } = facts.check
  const said: Advice[] = []
  yield* reading.judge()
  for (const { find, after = [] } of RULES) {
    if (said.some(({ kind }) => after.includes(kind))) continue
    const advice = find(reading)
    if (advice !== null && (!isPaused || HEARD_IN_PAUSE.has(advice.kind))) {
      if (!said.some((each) => isSameFix(each.fix, advice.fix))) said.push(advice)
    }
    yield
  }
  return said
}

/** Whether both fixes change the same settings. If they do, the second piece of advice is redundant. */
function isSameFix(one: Fix, other: Fix): boolean {
  return one.do === 'set' && JSON.stringify(one) === JSON.stringify(other)
}
