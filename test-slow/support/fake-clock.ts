/** Gives a process its own wall clock with libfaketime. Monotonic clocks, and so timers, are not changed. */
import { writeFileSync } from 'node:fs'

const [LIBRARY] = [...new Bun.Glob('*/faketime/libfaketime.so.1').scanSync({ cwd: '/usr/lib', absolute: true })]

export const CAN_FAKE_CLOCK = LIBRARY !== undefined

/** Reason for skipping tests where {@link CAN_FAKE_CLOCK} is false. */
export const NEEDS_FAKETIME = 'skipped without libfaketime, of the package faketime'

export interface FakeClock {
  /** Environment variables for the process. */
  readonly environment: Readonly<Record<string, string>>
  /** Sets the clock of the process to the true time plus so many seconds. */
  set(aheadSeconds: number): void
}

/** @param path a file that only this clock uses */
export function fakeClock(path: string): FakeClock {
  const set = (aheadSeconds: number) => writeFileSync(path, `${aheadSeconds < 0 ? '' : '+'}${aheadSeconds}`)
  set(0)
  return {
    set,
    environment: {
      LD_PRELOAD: LIBRARY ?? '',
      FAKETIME_TIMESTAMP_FILE: path,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
  }
}
