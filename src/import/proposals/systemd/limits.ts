/** Limits of services and slices of systemd below which `sh` and `curl` do not run (systemd.exec(5), systemd.resource-control(5)). */

import { readSpanOfSystemd } from '../span.ts'
import { type Barrier, isOn } from './settings.ts'

const KIB = 2 ** 10
const MIB = 2 ** 20

/** A shell, curl and its threads. */
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

/** A size or a number such as `32M`; null for `infinity`, a percentage, and what systemd ignores. */
function amountOf(text: string): number | null {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)\s*([BKMGTPE]?)$/.exec(text.trim()) ?? []
  return amount === undefined ? null : Number(amount) * (UNITS[unit] ?? 1)
}

/** A limit of a process may be `SOFT:HARD`, of which the soft one holds. */
const isBelow =
  (least: number): Barrier =>
  (settings, name) => {
    const amount = amountOf(settings(name).at(-1)?.replace(/:.*$/, '') ?? '')
    return amount !== null && amount < least
  }

/** The limit counts all processes of a user, and none of root. */
const isBelowForUser: Barrier = (settings, name) => {
  const user = settings('User').at(-1) ?? 'root'
  const isRoot = (user === 'root' || user === '0') && !isOn(settings, 'DynamicUser')
  return !isRoot && isBelow(FEWEST_TASKS)(settings, name)
}

/** With less of a processor, curl needs longer than the time that it is given. */
const LEAST_PERCENT = 5
const isBelowPercent: Barrier = (settings, name) => {
  const percent = /^(\d+(?:\.\d+)?)%$/.exec(settings(name).at(-1) ?? '')?.[1]
  return percent !== undefined && Number(percent) < LEAST_PERCENT
}

/** Limits of all processes of a service or a slice together. curl has 11 MiB in memory; programs that it reads count, too. */
export const GROUP_LIMITS: Readonly<Record<string, Barrier>> = {
  MemoryMax: isBelow(32 * MIB),
  MemoryHigh: isBelow(32 * MIB),
  MemoryLimit: isBelow(32 * MIB),
  TasksMax: isBelow(FEWEST_TASKS),
  CPUQuota: isBelowPercent,
}

/** Limits of each process, well above those at which curl was seen to fail. */
export const PROCESS_LIMITS: Readonly<Record<string, Barrier>> = {
  LimitAS: isBelow(64 * MIB),
  LimitDATA: isBelow(16 * MIB),
  LimitSTACK: isBelow(128 * KIB),
  LimitNOFILE: isBelow(16),
  LimitNPROC: isBelowForUser,
}

/**
 * The limit holds for each of the added commands: when it is over, the service fails. `RuntimeMaxSec=` does not count them.
 * @param longest how long the command may take, in seconds
 */
export function isWithin(longest: number): Barrier {
  return (settings, name) => {
    const seconds = readSpanOfSystemd(settings(name).at(-1) ?? '')
    return seconds !== null && seconds > 0 && seconds <= longest
  }
}
