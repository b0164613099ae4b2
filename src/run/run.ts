/** Runs a command, and reports its start, end and output to its checks. */
import { type NotStarted, type Started, startCommand } from './command.ts'
import type { Courier } from './deliver.ts'
import type { RunOptions } from './options.ts'
import { createOutput } from './output.ts'
import { passOn } from './pass-on.ts'
import type { Answer, PingTarget, RunPing } from './ping.ts'
import { hearSignals, ignoredSignals, type Signal, sendSignal } from './signals.ts'

export interface RunDeps {
  readonly targets: readonly PingTarget[]
  readonly masks: readonly RegExp[]
  readonly courier: Courier
  /** milliseconds since 1970 */
  now(): number
  /** Prints a line to standard error. */
  warn(line: string): void
}

/** The end of this process, which ends in the same way as the command. */
export type End = { readonly status: number } | { readonly signal: Signal | number }

/** The command's outcome, as reported in pings. */
interface Outcome {
  readonly end: End
  readonly action: RunPing['action']
  /** the last line of the ping's body */
  readonly note: string
}

/** size limit of a body in bytes until a server has reported its own limit */
const BODY_BYTES = 100_000
/** size limit of a body in bytes if the server has no limit */
const BODY_MAX = 1_000_000
/** maximum time in milliseconds to wait for the answer to the start, which contains the maximum size of a body */
const LIMIT_MS = 1000
/** maximum time in milliseconds to wait for more output if other processes keep the pipe open after the command has ended */
const DRAIN_MS = 1000
/** Exit statuses of the `timeout` command. */
const TIMED_OUT = 124
const TIMED_OUT_KILLED = 137

export async function runCommand(options: RunOptions, deps: RunDeps): Promise<End> {
  const { targets, masks, courier, now } = deps
  const output = createOutput()
  const rid = crypto.randomUUID()
  let bodyLimit = BODY_BYTES
  const send = (action: RunPing['action'], at: number, body: Uint8Array) =>
    targets.map((target) => courier.send({ target, create: options.create, action, rid, at, body }))

  const startedAt = now()
  const started = start(options)
  const answered = Promise.all(send('start', startedAt, new Uint8Array()).map((answer) => answer.then(useLimit)))

  const { action, note, end } = 'pid' in started ? await follow(started, options, output.add) : unable(started, deps)
  const endedAt = now()
  // A short command ends before its start is answered. The end must wait for that answer anyway.
  await Promise.race([answered, Bun.sleep(LIMIT_MS)])
  send(action, endedAt, output.body(bodyLimit, masks, note))
  await courier.finish()
  return end

  function useLimit(answer: Answer): void {
    if (answer.kind === 'taken') bodyLimit = Math.min(answer.bodyLimit ?? BODY_MAX, BODY_MAX)
  }
}

function start({ command, timeout }: RunOptions): Started | NotStarted {
  const isAlone = timeout !== null
  const ignored = ignoredSignals()
  const waiting: Signal[] = []
  let pass = (signal: Signal): void => {
    waiting.push(signal)
  }
  // A signal that arrives before the command starts is sent to the command too.
  hearSignals(ignored, isAlone, (signal) => pass(signal))
  const started = startCommand(command, { isAlone, ignored })
  if ('pid' in started) {
    pass = (signal) => sendSignal(isAlone ? -started.pid : started.pid, signal)
    waiting.forEach(pass)
  }
  return started
}

function unable({ status, reason }: NotStarted, { warn }: RunDeps): Outcome {
  warn(reason)
  return { end: { status }, action: status, note: `overdue run: ${reason}` }
}

/** Forwards the command's output until the command ends or reaches its time limit. */
async function follow(started: Started, options: RunOptions, keep: (bytes: Uint8Array) => void): Promise<Outcome> {
  const passings = started.sources.map((source) => passOn(source, keep))
  const limit = limitTime(started.pid, options)
  const { status, signal } = await started.ended
  const stopped = limit.end()
  const drain = setTimeout(() => {
    for (const passing of passings) passing.leave()
  }, DRAIN_MS)
  await Promise.all(passings.map(({ ended }) => ended))
  clearTimeout(drain)
  if (stopped !== null) {
    const by = `overdue run: the command was stopped by ${stopped} after ${(options.timeout ?? 0) / 1000} s`
    return { end: { status: stopped === 'SIGKILL' ? TIMED_OUT_KILLED : TIMED_OUT }, action: 'fail', note: by }
  }
  if (signal === null) return { end: { status }, action: status, note: '' }
  return { end: { signal }, action: 'fail', note: `overdue run: the command was killed by ${wordOf(signal)}` }
}

/** @param signal a number if it has no name, as for real-time signals */
function wordOf(signal: Signal | number): string {
  return typeof signal === 'number' ? `signal ${signal}` : signal
}

/** Stops the command's process group when the time limit is reached. */
function limitTime(pid: number, { timeout, killAfter }: RunOptions): { end(): 'SIGTERM' | 'SIGKILL' | null } {
  let stopped: 'SIGTERM' | 'SIGKILL' | null = null
  let timer: Timer | undefined
  const stop = (signal: 'SIGTERM' | 'SIGKILL') => {
    stopped = signal
    sendSignal(-pid, signal)
    // A suspended command receives the signal only when it continues.
    sendSignal(-pid, 'SIGCONT')
  }
  if (timeout !== null) {
    timer = setTimeout(() => {
      stop('SIGTERM')
      timer = setTimeout(stop, killAfter, 'SIGKILL')
    }, timeout)
  }
  return {
    end() {
      clearTimeout(timer)
      return stopped
    },
  }
}
