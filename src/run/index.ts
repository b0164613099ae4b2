/** The entry point of `overdue run`, which handles its arguments, environment, clock and exit. It does not load any server code. */
import { writeSync } from 'node:fs'
import { version } from '../../package.json'
import { createCourier } from './deliver.ts'
import { flushAll, reportLine, type SendingDeps } from './flush.ts'
import { type FlushOptions, type RunOptions, readOptions, UsageError } from './options.ts'
import { sendPing } from './ping.ts'
import { type End, runCommand } from './run.ts'
import { masksOf, readSettings, type Settings, targetsOf } from './settings.ts'
import { endBySignal } from './signals.ts'
import { Spool } from './spool.ts'

const EXIT_FAILURE = 1
const EXIT_USAGE = 2

/** @param words the arguments after `run` @returns the exit status. If a signal killed the command, the same signal ends this process */
export async function run(words: readonly string[]): Promise<number> {
  try {
    const request = readOptions(words)
    const settings = readSettings(process.env, process.getuid?.() === 0)
    if ('flush' in request) return await flush(request.flush, settings)
    const end = await watch(request.run, settings)
    return 'signal' in end ? endBySignal(end.signal) : end.status
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    warn(`${error.message}. No command was run; see \`overdue run --help\``)
    return EXIT_USAGE
  }
}

function watch(options: RunOptions, settings: Settings): Promise<End> {
  const targets = targetsOf(options, process.env)
  const masks = masksOf(options, process.env, settings.server, targets)
  for (const problem of settings.problems) warn(problem)
  if (targets.length === 0) warn('this run is reported to no check: name one with --check or OVERDUE_CHECK')
  const deps = sendingDeps(settings)
  return runCommand(options, { targets, masks, courier: createCourier(deps), now: deps.now, warn })
}

async function flush({ isJson }: FlushOptions, settings: Settings): Promise<number> {
  const report = await flushAll(sendingDeps(settings))
  say(1, isJson ? JSON.stringify(report) : reportLine(report))
  return report.reason === null ? 0 : EXIT_FAILURE
}

function sendingDeps({ server, spool }: Settings): SendingDeps {
  return {
    server,
    spool: spool === null ? null : new Spool(spool),
    send: sendPing,
    userAgent: `overdue-run/${version}`,
    now: Date.now,
    ticks: () => performance.now(),
    pause: Bun.sleep,
    warn,
  }
}

function warn(line: string): void {
  say(2, `overdue run: ${line}`)
}

/** Writes a line without using a stream, for the reasons given in `pass-on.ts`. */
function say(to: 1 | 2, line: string): void {
  try {
    writeSync(to, `${line}\n`)
  } catch {
    // Ignores the error, which means that nobody reads the output. This must not affect the command.
  }
}
