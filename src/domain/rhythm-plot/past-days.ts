/** The runs of days that the log no longer reaches, as far as what is kept of them tells. */
import type { Slot } from './expected.ts'
import type { PastDay, PlotRun } from './facts.ts'

const MINUTE = 60_000

/** @param slots when runs were expected, oldest first @param before when the oldest run of the log began: from then on the log tells */
export function pastRuns(days: readonly PastDay[], slots: readonly Slot[], before: number): readonly PlotRun[] {
  return days.flatMap((day) => {
    const expected = slots.filter(({ at }) => at >= day.from && at < day.until)
    return [...came(day, expected), ...missed(day, expected)].filter(({ began }) => began < before)
  })
}

/** With several runs nobody knows which of them failed, unless all did, nor which took longest. */
function came({ began, runs, failed, longest }: PastDay, expected: readonly Slot[]): readonly PlotRun[] {
  const isOne = runs === 1
  return began.map((at): PlotRun => {
    const due = isOne ? missedSlot(at, expected) : null
    const ended = isOne ? at + (longest ?? 0) : at
    const good = due === null && !isLong(ended - at, expected) ? 'ran' : 'late'
    return {
      kind: failed === runs ? 'failed' : good,
      began: at,
      ended,
      isTimed: isOne && longest !== null,
      n: null,
      due,
    }
  })
}

/** The only slot of its day, if the run began after its grace time. */
function missedSlot(began: number, [slot, another]: readonly Slot[]): number | null {
  return slot && another === undefined && began >= slot.at + slot.grace * MINUTE ? slot.at : null
}

function isLong(duration: number, [slot]: readonly Slot[]): boolean {
  return slot !== undefined && duration >= slot.grace * MINUTE
}

/** Of several slots, those are taken for missing that lie farthest from what came. */
function missed({ missed: count, began }: PastDay, expected: readonly Slot[]): readonly PlotRun[] {
  const distance = ({ at }: Slot) => Math.min(...began.map((other) => Math.abs(other - at)))
  return expected
    .toSorted((a, b) => distance(b) - distance(a))
    .slice(0, count)
    .map(({ at, grace }) => ({
      kind: 'missing',
      began: at,
      ended: at + grace * MINUTE,
      isTimed: false,
      n: null,
      due: at,
    }))
}
