/** The priority of processes that run next to a server. */
import { constants, setPriority } from 'node:os'

/** Lowers a process's priority, so that the server takes precedence. */
export function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // The process has already ended, or the system does not allow the change.
  }
}
