/** Arguments of `overdue run`. */
import { parseArgs } from 'node:util'
import { messageOf } from '../lib/errors.ts'
import { readDuration } from './duration.ts'
import { maskOf } from './masks.ts'
import type { CreateSpec } from './ping.ts'

/** Thrown for a mistake in the command line. The command does not run. */
export class UsageError extends Error {}

export interface RunOptions {
  /** values of `--check` */
  readonly checks: readonly string[]
  readonly create: CreateSpec | null
  readonly masks: readonly RegExp[]
  /** milliseconds; null if the command's run time is not limited */
  readonly timeout: number | null
  /** time in milliseconds between SIGTERM and SIGKILL */
  readonly killAfter: number
  readonly command: readonly string[]
}

/** Options for delivering waiting pings without running a command. */
export interface FlushOptions {
  /** True if the report is printed as JSON. */
  readonly isJson: boolean
}

export type Request = { readonly run: RunOptions } | { readonly flush: FlushOptions }

const KILL_AFTER_MS = 10_000
const OPTIONS = {
  check: { type: 'string', multiple: true },
  create: { type: 'string' },
  tz: { type: 'string' },
  grace: { type: 'string' },
  mask: { type: 'string', multiple: true },
  timeout: { type: 'string' },
  'kill-after': { type: 'string' },
  flush: { type: 'boolean' },
  json: { type: 'boolean' },
} as const

/** @throws UsageError */
export function readOptions(words: readonly string[]): Request {
  const separator = words.indexOf('--')
  const ours = separator < 0 ? words : words.slice(0, separator)
  const command = separator < 0 ? [] : words.slice(separator + 1)
  const values = parse(ours)
  if (values.flush) return { flush: flushOptions(values, words) }
  if (values.json) throw new UsageError('--json needs --flush: the output of a command is not changed')
  if (command.length > 0) return { run: runOptions(values, command) }
  throw new UsageError('the command is missing: write it after --, as in `overdue run --check backup -- backup.sh`')
}

function flushOptions({ json: isJson = false }: Values, words: readonly string[]): FlushOptions {
  if (words.length === (isJson ? 2 : 1)) return { isJson }
  throw new UsageError('--flush runs no command: only --json can go with it')
}

function runOptions(values: Values, command: readonly string[]): RunOptions {
  return {
    checks: values.check ?? [],
    create: createOf(values),
    masks: (values.mask ?? []).map((pattern) => readMask(pattern, '--mask')),
    ...limitOf(values),
    command,
  }
}

function parse(words: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({ args: [...words], options: OPTIONS, allowPositionals: true })
    if (positionals.length === 0) return values
    throw new UsageError(`unexpected word "${positionals[0]}": write -- before the command`)
  } catch (error) {
    if (error instanceof UsageError) throw error
    // The rest of the message is advice for programs that accept arguments without --.
    throw new UsageError(messageOf(error).split('. ')[0])
  }
}

type Values = ReturnType<typeof parse>

function createOf({ create, tz, grace }: Values): CreateSpec | null {
  if (create !== undefined) return { schedule: create, tz: tz ?? null, grace: grace ?? null }
  const without = tz !== undefined ? '--tz' : grace !== undefined ? '--grace' : null
  if (without !== null) throw new UsageError(`${without} needs --create: it is a setting of the created check`)
  return null
}

function limitOf(values: Values): Pick<RunOptions, 'timeout' | 'killAfter'> {
  const { timeout, 'kill-after': killAfter } = values
  if (timeout === undefined && killAfter !== undefined) throw new UsageError('--kill-after needs --timeout')
  return {
    timeout: timeout === undefined ? null : durationOf('--timeout', timeout),
    killAfter: killAfter === undefined ? KILL_AFTER_MS : durationOf('--kill-after', killAfter),
  }
}

function durationOf(option: string, text: string): number {
  const duration = readDuration(text)
  if (duration !== null) return duration
  throw new UsageError(
    `${option}: "${text}" is not a duration: write seconds, or one like 90s, 5m, 1h30m, 1d, up to 24d`,
  )
}

/** @param where option or variable that contains the pattern @throws UsageError */
export function readMask(pattern: string, where: string): RegExp {
  try {
    return maskOf(pattern)
  } catch (error) {
    throw new UsageError(`${where}: "${pattern}" is not a JavaScript regular expression: ${messageOf(error)}`)
  }
}
