/** Handles signals that this process receives or sends, or that end it. */
import { readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { isatty } from 'node:tty'
import { restoreSignal } from './libc.ts'

export type Signal = NodeJS.Signals

const PASSED: readonly Signal[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2']
/** Signals that a terminal sends to every process in the foreground group when a key is pressed. */
const TERMINAL_SIGNALS: readonly Signal[] = ['SIGINT', 'SIGQUIT']

/** Returns the signals that were ignored when this process started, for example SIGHUP because of nohup. Only Linux reports them. */
export function ignoredSignals(): readonly Signal[] {
  const [, mask = '0'] = /^SigIgn:\s*([\da-f]+)$/m.exec(fileOf('/proc/self/status')) ?? []
  const bits = BigInt(`0x${mask}`)
  return PASSED.filter((signal) => (bits >> BigInt(constants.signals[signal] - 1)) & 1n)
}

/** Listens for signals. @param isAlone true if the command has its own process group, which receives no signals from a terminal's keys */
export function hearSignals(ignored: readonly Signal[], isAlone: boolean, pass: (signal: Signal) => void): void {
  for (const signal of PASSED.filter((each) => !ignored.includes(each))) {
    process.on(signal, () => {
      const hasIt = !isAlone && TERMINAL_SIGNALS.includes(signal) && isInForeground()
      if (!hasIt) pass(signal)
    })
  }
}

/** Returns true if a terminal's keys send signals to this process's group. */
function isInForeground(): boolean {
  // The program's name is in parentheses and may contain any character.
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

/** Sends a signal to a process, or to a process group if the id is negative. Does nothing if the process has ended. */
export function sendSignal(id: number, signal: Signal | number): void {
  try {
    process.kill(id, signal)
  } catch {
    // The process has already ended.
  }
}

/** Ends this process with a signal. @returns exit status for that signal, if the process survives it */
export function endBySignal(signal: Signal | number): number {
  process.removeAllListeners(String(signal))
  const number = typeof signal === 'number' ? signal : constants.signals[signal]
  restoreSignal(number)
  sendSignal(process.pid, signal)
  return 128 + number
}
