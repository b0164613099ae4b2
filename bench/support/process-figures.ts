/** The kernel's figures about a process: processor time, memory, open files. Linux only. */
import { readdirSync, readFileSync } from 'node:fs'

/** USER_HZ, fixed at 100 on every Linux that Bun runs on. */
const TICKS_PER_SECOND = 100

/** User and system time that a process has used so far, all threads, in steps of 10 ms. */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  // The second field is the program's name in parentheses and may contain spaces; utime and stime are fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

export interface Memory {
  /** VmRSS */
  readonly residentMegabytes: number
  /** VmHWM, the maximum so far */
  readonly peakMegabytes: number
}

export function memoryOf(pid: number): Memory {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1')
  const megabytes = (name: string) => Number(new RegExp(`^${name}:\\s*(\\d+) kB`, 'm').exec(status)?.[1]) / 1024
  return { residentMegabytes: megabytes('VmRSS'), peakMegabytes: megabytes('VmHWM') }
}

/** The number of open files and sockets of a process. */
export function descriptorsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length
}
