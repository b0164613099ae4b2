/** Notices the end of the package runner that has started this process: see `domain/launchers.ts`. */
import { readFileSync } from 'node:fs'
import { type Ancestor, launchersOf } from '../domain/launchers.ts'

const LOOK_EVERY_MS = 1_000
/** Far more than runners start each other. */
const MOST_ANCESTORS = 10

/**
 * Looks once a second whether each part of the launcher is still the parent of the next; two or three small files of the
 * system are read for that. Only Linux has them.
 * @param script name of the package script that runs this process; null when none does
 * @param onEnd called once
 */
export function watchLauncher(script: string | null, onEnd: () => void): void {
  const launchers = script === null ? [] : launchersOf(listAncestors(), script)
  if (launchers.length === 0) return
  const pids = [process.pid, ...launchers.map(({ pid }) => pid)]
  const isWhole = () => pids.slice(1).every((parent, index) => parentOf(pids[index] ?? 0) === parent)
  const timer = setInterval(() => {
    if (isWhole()) return
    clearInterval(timer)
    onEnd()
  }, LOOK_EVERY_MS)
  timer.unref()
}

function listAncestors(): Ancestor[] {
  const ancestors: Ancestor[] = []
  let pid = parentOf(process.pid)
  while (pid !== null && pid > 0 && ancestors.length < MOST_ANCESTORS) {
    ancestors.push({ pid, words: read(pid, 'cmdline')?.split('\0').filter(Boolean) ?? [] })
    pid = parentOf(pid)
  }
  return ancestors
}

/** @returns null for a process that is gone, and where the system does not tell */
function parentOf(pid: number): number | null {
  // The name stands in brackets before it, and may hold anything.
  const parent = /^\S+ (\d+)/.exec(read(pid, 'stat')?.replace(/^.*\) /s, '') ?? '')?.[1]
  return parent === undefined ? null : Number(parent)
}

function read(pid: number, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return null
  }
}
