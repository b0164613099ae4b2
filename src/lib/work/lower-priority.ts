/** The priority of processes that run alongside a server. */
import { constants, setPriority } from 'node:os'

/** Lowers the priority of a process, so that the server takes precedence. */
export function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // The process has already ended, or the system doesn't allow the change.
  }
}
