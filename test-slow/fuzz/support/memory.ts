/** Measures whether the memory of a process grows from the first third of the work to the end. */
import { memoryOf } from '../../../bench/support/process-figures.ts'

interface Growth {
  readonly beginMegabytes: number
  readonly endMegabytes: number
}

interface MemoryWatch {
  /** Call it during the work. @param share of the work that is done, 0 to 1 */
  look(share: number): void
  growth(): Growth
}

const LOOK_EVERY = 0.01

/** @param pid of the process */
export function watchMemory(pid: number): MemoryWatch {
  const looks: { share: number; megabytes: number }[] = []
  let next = 0
  // Garbage collection makes single values vary, so this takes the median.
  const around = (from: number, to: number) => {
    const sizes = looks.filter(({ share }) => share >= from && share <= to).map(({ megabytes }) => megabytes)
    return sizes.toSorted((a, b) => a - b)[Math.floor(sizes.length / 2)] ?? Number.NaN
  }
  return {
    look(share) {
      if (share < next) return
      next = share + LOOK_EVERY
      looks.push({ share, megabytes: memoryOf(pid).residentMegabytes })
    },
    growth: () => ({ beginMegabytes: around(1 / 3, 0.45), endMegabytes: around(0.9, 1) }),
  }
}
