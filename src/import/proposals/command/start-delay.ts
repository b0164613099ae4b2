/** Determines how long a command waits before it runs its job. For example, `sleep $((RANDOM % 600)); job` waits for up to ten minutes. */

import { begunBy } from './begun-command.ts'
import { isInterpreter } from './interpreters.ts'
import { withoutOpeners } from './job-name.ts'
import { largestValue } from './largest-value.ts'
import { lockOf } from './locks.ts'
import { lastComponent } from './plain-path.ts'
import { shellCommands } from './shell-commands.ts'
import { isJob } from './shell-jobs.ts'

/** Maximum number of nested shells. */
const DEPTH_LIMIT = 5

/** @returns the longest wait in seconds; Infinity if it cannot be determined */
export function startDelay(command: string): number {
  return delayIn(command, new Map(), DEPTH_LIMIT)
}

function delayIn(line: string, variables: Map<string, number>, depth: number): number {
  let delay = 0
  for (const command of shellCommands(line)) {
    const words = withoutOpeners(command.words)
    const begun = begunBy(words)
    if (begun === null) for (const word of words) assign(word, variables)
    const wait = lockOf(begun)?.wait ?? null
    if (wait !== null) delay += spanOf(wait, variables)
    if (begun?.kind === 'line') return delay + (depth > 0 ? delayIn(begun.line, variables, depth - 1) : 0)
    if (begun?.kind === 'program') delay += sleepOf(begun.words, variables)
    if (isJob(command)) break
  }
  return delay
}

function assign(word: string, variables: Map<string, number>): void {
  const [, name = '', value = ''] = /^(\w+)=(.*)$/s.exec(word) ?? []
  if (name !== '') variables.set(name, largestOf(value, variables))
}

function sleepOf([program = '', ...args]: readonly string[], variables: ReadonlyMap<string, number>): number {
  const name = lastComponent(program) ?? ''
  if (name === 'sleep') return args.reduce((sum, arg) => sum + spanOf(arg, variables), 0)
  if (!isInterpreter(name)) return 0
  const sleeps = args.flatMap((arg) => [...arg.matchAll(/\bsleep\b[ \t]*([^\s;][^;\n]*)/g)])
  return sleeps.reduce((sum, [, span = '']) => sum + largestValue(span, variables), 0)
}

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 }

/** Returns the longest duration, in seconds, that an argument such as `90`, `1.5h` or `$((RANDOM % 60))m` can specify. */
export function spanOf(arg: string, variables: ReadonlyMap<string, number>): number {
  const [, unit = 's'] = /[\d.)}\]`]([smhd])$/.exec(arg) ?? []
  const value = arg.endsWith(unit) ? arg.slice(0, -1) : arg
  return largestOf(value, variables) * (UNITS[unit] ?? 1)
}

function largestOf(value: string, variables: ReadonlyMap<string, number>): number {
  const [, digits] = /^\$\{(?:RANDOM|SRANDOM): ?(?:0:|-)([1-9])\}$/.exec(value) ?? []
  if (digits !== undefined) return 10 ** Number(digits) - 1
  const [, line] = /^(?:\$\((?!\()(.*)\)|`(.*)`)$/s.exec(value.replace(/^`(.*)`$/s, '$($1)')) ?? []
  return line === undefined ? largestValue(value, variables) : outputOf(line, variables)
}

/** Returns the largest number that a line may print. */
function outputOf(line: string, variables: ReadonlyMap<string, number>): number {
  const [first] = shellCommands(line)
  const [program = '', ...args] = first?.words ?? []
  const text = args.join(' ')
  switch (lastComponent(program)) {
    case 'shuf':
      return largestValue(/(?:-i ?|--input-range[= ])\d{1,9}-(\d{1,9})/.exec(text)?.[1] ?? '')
    case 'jot':
    case 'seq':
      return args.reduce((largest, arg) => (/^\d{1,9}$/.test(arg) ? Math.max(largest, Number(arg)) : largest), 0)
    case 'expr':
    case 'echo':
    case 'printf':
      return largestValue(text, variables)
    default:
      return largestValue(/\b(?:print|puts|echo)\b(.*)/s.exec(text)?.[1] ?? '', variables)
  }
}
