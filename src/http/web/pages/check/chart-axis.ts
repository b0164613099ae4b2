/** The duration axis of a chart, with a few marks at round values. */

export interface Axis {
  /** marks from zero upwards; `duration` is in microseconds */
  readonly marks: readonly { readonly duration: number; readonly text: string }[]
  /** duration at the highest mark, in microseconds */
  readonly top: number
}

interface Unit {
  readonly name: string
  /** length of the unit, in microseconds */
  readonly size: number
  readonly steps: readonly number[]
}

const SECOND = 1_000_000
const DECIMAL = [1, 2, 5, 10, 20, 50, 100, 200, 500]
const SIXTIETHS = [1, 2, 5, 10, 15, 20, 30, 40, 60]

const UNITS: readonly Unit[] = [
  { name: 'ms', size: SECOND / 1000, steps: DECIMAL },
  { name: 's', size: SECOND, steps: SIXTIETHS },
  { name: 'min', size: 60 * SECOND, steps: SIXTIETHS },
  { name: 'h', size: 3_600 * SECOND, steps: [1, 2, 3, 4, 6, 8, 12, 16, 24] },
  { name: 'd', size: 86_400 * SECOND, steps: DECIMAL },
]
/** Maximum number of intervals between zero and the top. */
const SPACES = 3
/** Largest number to show in one unit. The axis uses the next larger unit for larger numbers. */
const LARGE = 100

/** @param highest the longest duration to show, in microseconds */
export function durationAxis(highest: number): Axis {
  const { name, size, steps } = unitFor(highest)
  const step = steps.find((each) => each * size * SPACES >= highest) ?? Math.ceil(highest / size / SPACES)
  const spaces = Math.max(1, Math.ceil(highest / size / step))
  const marks = Array.from({ length: spaces + 1 }, (_, index) => ({
    duration: index * step * size,
    text: index === spaces ? `${index * step} ${name}` : `${index * step}`,
  }))
  return { marks, top: spaces * step * size }
}

function unitFor(highest: number): Unit {
  const found = UNITS.find(({ size, steps }) => {
    const limit = Math.min(LARGE * (size < SECOND ? 10 : 1), (steps.at(-1) ?? 0) * SPACES)
    return highest <= limit * size
  })
  return found ?? { name: 'd', size: 86_400 * SECOND, steps: DECIMAL }
}
