/** Hollow: a run reported success but probably did no work. */
import { median } from '../../../lib/figures/statistics.ts'
import { within } from '../../../lib/text/text.ts'
import { MINUTE, SECOND } from '../../units.ts'
import type { Advice, AdvicePart, Fix } from '../advice.ts'
import type { Reading } from '../reading.ts'
import type { Run } from '../runs.ts'

export function hollow(reading: Reading): Advice | null {
  return instant(reading) ?? byLine(reading)
}

function advice(variant: string, says: readonly AdvicePart[], fix: Fix): Advice {
  return { kind: 'hollow', variant, says, fix, otherFixes: [] }
}

const NEWEST = 3
const TIMED_BEFORE = 8
const INSTANT = 5 * SECOND
const INSTANT_SHARE = 0.02
/** Fraction of the usual duration. If an earlier run was shorter than this fraction, the job sometimes has nothing to do. */
const SHORT_SHARE = 0.1

/** Returns advice if the newest runs ended almost immediately, unlike earlier runs. */
function instant({ runs }: Reading): Advice | null {
  const durations = runs.flatMap(({ hasFailed, duration }) => (hasFailed || duration === null ? [] : [duration]))
  const first = durations.findLastIndex((duration) => duration > INSTANT) + 1
  const [before, newest] = [durations.slice(0, first), durations.slice(first)]
  if (newest.length < NEWEST || before.length < TIMED_BEFORE) return null
  const usual = median(before)
  const isInstant = newest.every((duration) => duration <= usual * INSTANT_SHARE)
  if (!isInstant || usual < MINUTE || before.some((duration) => duration < usual * SHORT_SHARE)) return null
  const says = [
    `The last ${newest.length} runs took at most `,
    { took: Math.max(...newest) / SECOND },
    `, the ${before.length} before `,
    { took: Math.min(...before) / SECOND },
    ' to ',
    { took: Math.max(...before) / SECOND },
    '. Did they do anything?',
  ]
  return advice('instant', says, { do: 'ask', about: 'did-it-run' })
}

const NEW_LINES = 2
const SUCCESSES_BEFORE = 4
/** Minimum length of a line to compare. Shorter lines, such as `done`, are too common to mean anything. */
const TELLING = 12
/** Maximum length of a quoted line, in UTF-16 code units. */
const QUOTED = 120
const ERROR = /^(?:fatal|panic|traceback|unhandled exception|segmentation fault|error)\s*[:!](?!\s*\d)/i

/** Returns advice if the newest successes ended with a failed run's last line, or with an error, and no earlier success did. */
function byLine({ runs }: Reading): Advice | null {
  const lines = runs.filter(({ hasFailed }) => !hasFailed).map(lineOf)
  const newest = lines.at(-1) ?? null
  if (newest === null) return null
  const failure = runs.findLast((run) => run.hasFailed && lineOf(run) === newest)
  const fix: Fix = { do: 'text', text: 'exit-status' }
  const quote = within(newest, QUOTED)
  if (failure !== undefined && newest.length >= TELLING && isNew(lines, (line) => line === newest)) {
    const says = ['Reports success with the last line of its failure ', { at: failure.ended }, ': ', { quote }, '.']
    return advice('same-line', says, fix)
  }
  return isNew(lines, isError)
    ? advice('error-line', ['Reports success with an error as its last line: ', { quote }, '.'], fix)
    : null
}

/** Whether earlier lines need to be read: `byLine` returns no advice unless the two newest lines are equal or both are errors. */
export function mayBeHollow(line: string | null, newest: string | null): boolean {
  if (line === null || newest === null) return false
  return (line === newest && newest.length >= TELLING) || (isError(line) && isError(newest))
}

/** Whether at least two of the newest lines match and no earlier line does. */
function isNew(lines: readonly (string | null)[], isSuch: (line: string | null) => boolean): boolean {
  const first = lines.findLastIndex((line) => !isSuch(line)) + 1
  return lines.length - first >= NEW_LINES && first >= SUCCESSES_BEFORE && !lines.slice(0, first).some(isSuch)
}

function lineOf({ ping }: Run): string | null {
  return ping.lastLine
}

function isError(line: string | null): boolean {
  return line !== null && ERROR.test(line)
}
