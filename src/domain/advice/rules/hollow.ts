/** *Hollow*: a success that looks like none. */
import { median } from '../../../lib/figures/statistics.ts'
import { within } from '../../../lib/text/text.ts'
import type { Advice, AdvicePart, Fix } from '../advice.ts'
import type { Reading } from '../reading.ts'
import type { Run } from '../runs.ts'
import { MINUTE, SECOND } from '../units.ts'

export function hollow(reading: Reading): Advice | null {
  return instant(reading) ?? byLine(reading)
}

function advice(variant: string, says: readonly AdvicePart[], fix: Fix): Advice {
  return { kind: 'hollow', variant, says, fix, otherFixes: [] }
}

const NEWEST = 3
const TIMED_RUNS = 11
const INSTANT = 5 * SECOND
const INSTANT_SHARE = 0.02
/** A run that usually has nothing to do may also be short. */
const SHORT_SHARE = 0.1

/** The newest runs ended at once, and never before did one. */
function instant({ runs }: Reading): Advice | null {
  const durations = runs.flatMap(({ hasFailed, duration }) => (hasFailed || duration === null ? [] : [duration]))
  if (durations.length < TIMED_RUNS) return null
  const [before, newest] = [durations.slice(0, -NEWEST), durations.slice(-NEWEST)]
  const usual = median(before)
  const isInstant = newest.every((duration) => duration <= INSTANT && duration <= usual * INSTANT_SHARE)
  if (!isInstant || usual < MINUTE || before.some((duration) => duration < usual * SHORT_SHARE)) return null
  const says = [
    `The last ${NEWEST} runs took at most `,
    { took: Math.max(...newest) / SECOND },
    `, the ${before.length} before `,
    { took: Math.min(...before) / SECOND },
    ' to ',
    { took: Math.max(...before) / SECOND },
    '. Did they do anything?',
  ]
  return advice('instant', says, { do: 'ask', about: 'did-it-run' })
}

const SUCCESSES_BEFORE = 4
/** Shorter ones, such as `done`, say nothing. */
const TELLING = 12
/** UTF-16 units. */
const QUOTED = 120
const ERROR = /^(?:fatal|panic|traceback|unhandled exception|segmentation fault|error)\s*[:!](?!\s*\d)/i

/** The newest two successes end with a line that none before them had. */
function byLine({ runs }: Reading): Advice | null {
  const successes = runs.filter(({ hasFailed }) => !hasFailed)
  const before = successes.slice(0, -2).map(lineOf)
  const [line = null, newest = null] = successes.slice(-2).map(lineOf)
  if (before.length < SUCCESSES_BEFORE || line === null || newest === null) return null
  const failure = runs.findLast((run) => run.hasFailed && lineOf(run) === newest)
  const fix: Fix = { do: 'text', text: 'exit-status' }
  const quote = within(newest, QUOTED)
  if (failure !== undefined && line === newest && newest.length >= TELLING && !before.includes(newest)) {
    const says = ['Reports success with the last line of its failure ', { at: failure.ended }, ': ', { quote }, '.']
    return advice('same-line', says, fix)
  }
  const areErrors = isError(line) && isError(newest) && !before.some(isError)
  return areErrors
    ? advice('error-line', ['Reports success with an error as its last line: ', { quote }, '.'], fix)
    : null
}

/** Whether earlier lines are worth reading: `byLine` says nothing of other newest two. */
export function mayBeHollow(line: string | null, newest: string | null): boolean {
  if (line === null || newest === null) return false
  return (line === newest && newest.length >= TELLING) || (isError(line) && isError(newest))
}

function lineOf({ ping }: Run): string | null {
  return ping.lastLine
}

function isError(line: string | null): boolean {
  return line !== null && ERROR.test(line)
}
