/** The kernel's figures about a process: processor time, memory, open files. Linux only. */
import { readdirSync, readFileSync } from 'node:fs'
import { codeOf } from '../../src/lib/errors.ts'

/** USER_HZ, fixed at 100 on every Linux that Bun runs on. */
const TICKS_PER_SECOND = 100

/** Returns user and system time that a process has used so far, all threads, in steps of 10 ms. */
export function cpuSeconds(pid: number): number {
  return ticks(pid, 11) / TICKS_PER_SECOND
}

/** Returns the processor time of ended child processes. */
export function cpuSecondsOfEnded(pid: number): number {
  return ticks(pid, 13) / TICKS_PER_SECOND
}

/**
 * @param field of the user time, which the system time follows: utime is 11, cutime 13
 * @returns 0 for a process that has ended, whose parent counts its time from then on
 */
function ticks(pid: number, field: number): number {
  const stat = statOf(pid)
  if (stat === null) return 0
  // The program's name, in parentheses, may contain spaces. Fields are counted from behind it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(fields[field]) + Number(fields[field + 1])
}

function statOf(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

interface Memory {
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

/** Returns the number of open files and sockets of a process. */
export function descriptorsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length
}

const LOOKS_EVERY_MS = 20

/** Returns the peak memory of a process and its children together, in megabytes. @param over ends the watch */
export async function peakOf(pid: number, over: AbortSignal): Promise<number> {
  let peak = 0
  while (!over.aborted) {
    const pids = [pid, ...childrenOf(pid)]
    peak = Math.max(
      peak,
      pids.reduce((sum, each) => sum + residentOf(each), 0),
    )
    await Bun.sleep(LOOKS_EVERY_MS)
  }
  return peak
}

/** Returns a process and all its descendants, in the order of their start. */
export function treeOf(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(treeOf)]
}

/**
 * Returns the resident memory of processes together, in megabytes. Pages that several of them share count once, as far as the kernel shows
 * it: the sum of private pages, and the greatest shared amount of one process.
 */
export function memoryOfAll(pids: readonly number[]): number {
  const maps = pids.map((pid) => readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1'))
  const kilobytes = (text: string, kind: 'Private' | 'Shared') =>
    [...text.matchAll(new RegExp(`^${kind}_(?:Clean|Dirty):\\s*(\\d+) kB`, 'gm'))].reduce(
      (sum, [, each]) => sum + Number(each),
      0,
    )
  const alone = maps.reduce((sum, text) => sum + kilobytes(text, 'Private'), 0)
  return (alone + Math.max(...maps.map((text) => kilobytes(text, 'Shared')))) / 1024
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean).map(Number)
}

function residentOf(pid: number): number {
  try {
    return memoryOf(pid).residentMegabytes || 0
  } catch {
    return 0
  }
}
