/** Work beside a server gets the processor when the server does not want it. */
import { constants, setPriority } from 'node:os'

export function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It has ended already, or the system does not allow it.
  }
}
