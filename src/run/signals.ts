/** Signals that this process receives, sends, or ends by. */
import { readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { isatty } from 'node:tty'
import { restoreSignal } from './libc.ts'

export type Signal = NodeJS.Signals

const PASSED: readonly Signal[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2']
/** Signals that keys of a terminal send to all processes of the group in the foreground. */
const OF_KEYS: readonly Signal[] = ['SIGINT', 'SIGQUIT']

/** Returns the signals that were ignored when this process started, such as SIGHUP by nohup. Only Linux reports them. */
export function ignoredSignals(): readonly Signal[] {
  const [, mask = '0'] = /^SigIgn:\s*([\da-f]+)$/m.exec(fileOf('/proc/self/status')) ?? []
  const bits = BigInt(`0x${mask}`)
  return PASSED.filter((signal) => (bits >> BigInt(constants.signals[signal] - 1)) & 1n)
}

/** Listens for signals. @param isAlone true: the command is in a process group of its own, which no key of a terminal reaches */
export function hearSignals(ignored: readonly Signal[], isAlone: boolean, pass: (signal: Signal) => void): void {
  for (const signal of PASSED.filter((each) => !ignored.includes(each))) {
    process.on(signal, () => {
      const hasIt = !isAlone && OF_KEYS.includes(signal) && isInForeground()
      if (!hasIt) pass(signal)
    })
  }
}

/** Returns true if the keys of a terminal send signals to the group of this process. */
function isInForeground(): boolean {
  // The program name, in parentheses, may contain anything.
  const [, , group, , , foreground] = fileOf('/proc/self/stat')
    .replace(/^.*\) /s, '')
    .split(' ')
  if (group !== undefined) return group === foreground
  return [0, 1, 2].some((descriptor) => isatty(descriptor))
}

function fileOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Sends a signal to a process, or to a group with a negative id, unless it has ended. */
export function sendSignal(id: number, signal: Signal | number): void {
  try {
    process.kill(id, signal)
  } catch {
    // The process has ended.
  }
}

/** Ends this process by a signal. @returns the exit status for that signal, if it does not end the process */
export function endBySignal(signal: Signal | number): number {
  process.removeAllListeners(String(signal))
  const number = typeof signal === 'number' ? signal : constants.signals[signal]
  restoreSignal(number)
  sendSignal(process.pid, signal)
  return 128 + number
}
