/** A wall clock of its own for a process, by libfaketime; what only goes forward, such as timers, is left alone. */
import { writeFileSync } from 'node:fs'

const [LIBRARY] = [...new Bun.Glob('*/faketime/libfaketime.so.1').scanSync({ cwd: '/usr/lib', absolute: true })]

export const CAN_FALSIFY = LIBRARY !== undefined

/** Why tests are skipped where {@link CAN_FALSIFY} is false. */
export const NEEDS_FAKETIME = 'skipped without libfaketime, of the package faketime'

export interface FalseClock {
  /** To be put into the environment of the process. */
  readonly environment: Readonly<Record<string, string>>
  /** From now on the process sees the true time and so many seconds. */
  set(aheadSeconds: number): void
}

/** @param path of a file for this clock alone */
export function falseClock(path: string): FalseClock {
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
