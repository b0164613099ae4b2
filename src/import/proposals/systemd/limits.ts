/** Limits of systemd services and slices below which `sh` and `curl` do not run (systemd.exec(5), systemd.resource-control(5)). */

import { readSpanOfSystemd } from '../span.ts'
import { type Barrier, isOn } from './settings.ts'

const KIB = 2 ** 10
const MIB = 2 ** 20

/** Number of tasks that a shell, curl and its threads need. */
const FEWEST_TASKS = 10

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  B: 1,
  K: KIB,
  M: MIB,
  G: 2 ** 30,
  T: 2 ** 40,
  P: 2 ** 50,
  E: 2 ** 60,
}

/** Parses a number or a size such as `32M`. Returns null for `infinity`, a percentage, and text that systemd ignores. */
function amountOf(text: string): number | null {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)\s*([BKMGTPE]?)$/.exec(text.trim()) ?? []
  return amount === undefined ? null : Number(amount) * (UNITS[unit] ?? 1)
}

/** Checks a limit. A process limit may be written as `SOFT:HARD`; the soft limit applies. */
const isBelow =
  (least: number): Barrier =>
  (settings, name) => {
    const amount = amountOf(settings(name).at(-1)?.replace(/:.*$/, '') ?? '')
    return amount !== null && amount < least
  }

/** Checks a limit for all processes of a user. Such a limit does not apply to root. */
const isBelowForUser: Barrier = (settings, name) => {
  const user = settings('User').at(-1) ?? 'root'
  const isRoot = (user === 'root' || user === '0') && !isOn(settings, 'DynamicUser')
  return !isRoot && isBelow(FEWEST_TASKS)(settings, name)
}

/** CPU percentage below which curl would exceed its time limit. */
const LEAST_PERCENT = 5
const isBelowPercent: Barrier = (settings, name) => {
  const percent = /^(\d+(?:\.\d+)?)%$/.exec(settings(name).at(-1) ?? '')?.[1]
  return percent !== undefined && Number(percent) < LEAST_PERCENT
}

/** Limits for all processes of a service or slice together. curl uses 11 MiB of memory, including the program files that it loads. */
export const GROUP_LIMITS: Readonly<Record<string, Barrier>> = {
  MemoryMax: isBelow(32 * MIB),
  MemoryHigh: isBelow(32 * MIB),
  MemoryLimit: isBelow(32 * MIB),
  TasksMax: isBelow(FEWEST_TASKS),
  CPUQuota: isBelowPercent,
}

/** Minimum limits for each process. They are well above the limits at which curl failed in tests. */
export const PROCESS_LIMITS: Readonly<Record<string, Barrier>> = {
  LimitAS: isBelow(64 * MIB),
  LimitDATA: isBelow(16 * MIB),
  LimitSTACK: isBelow(128 * KIB),
  LimitNOFILE: isBelow(16),
  LimitNPROC: isBelowForUser,
}

/**
 * Checks a time limit that applies to the added command. If the command exceeds it, the service fails. `RuntimeMaxSec=` does not apply to
 * added commands. @param longest maximum duration of the command, in seconds
 */
export function isWithin(longest: number): Barrier {
  return (settings, name) => {
    const seconds = readSpanOfSystemd(settings(name).at(-1) ?? '')
    return seconds !== null && seconds > 0 && seconds <= longest
  }
}
