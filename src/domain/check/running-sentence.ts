/** Sentences about a run that goes on: whether it takes longer than those before it. */
import { type Instant, microsecondsBetween } from '../../lib/time.ts'
import type { Check } from './check.ts'
import { type Headline, join, type Sentence, type SentenceRun } from './sentence-parts.ts'

/** A run is compared with as many before it. */
const COMPARED = 10
/** The durations of past runs are exact to a tenth. */
const TOLERANCE = 1.1
/** Fewer say nothing about what is usual. */
const COMPARED_MIN = 3

/** Null for a run that takes as long as usual, and while it is not known what is usual. */
export function slowSentence({ lastStartAt }: Check, now: Instant, runs: readonly SentenceRun[]): Sentence | null {
  const usual = usualOf(runs)
  if (lastStartAt === null || usual === null || !isSlow(lastStartAt, now, usual)) return null
  return ['Started ', { clock: lastStartAt }, '. Longer than usual: ', ...usualWords(usual), '.']
}

/** @param next what happens if the run does not end */
export function runningHeadline(
  { lastStartAt }: Check,
  now: Instant,
  runs: readonly SentenceRun[],
  next: Sentence,
): Headline {
  if (lastStartAt === null) return { lead: ['Running.'], detail: next }
  const usual = usualOf(runs)
  const manner = usual !== null && isSlow(lastStartAt, now, usual) ? 'Longer than usual' : 'As usual'
  return {
    lead: ['Running for ', { lasting: lastStartAt }, ', since ', { clock: lastStartAt }, '.'],
    detail: join(usual === null ? [] : [`${manner}: `, ...usualWords(usual), '.'], next),
  }
}

interface Usual {
  readonly runs: number
  /** seconds */
  readonly shortest: number
  readonly longest: number
}

function usualOf(runs: readonly SentenceRun[]): Usual | null {
  const seconds = runs.flatMap(({ duration }) => (duration === null ? [] : [rounded(duration / 1_000_000)]))
  const compared = seconds.slice(-COMPARED)
  if (compared.length < COMPARED_MIN) return null
  return { runs: compared.length, shortest: Math.min(...compared), longest: Math.max(...compared) }
}

/** The durations of past runs are approximate, so words about long ones give minutes only. */
function rounded(seconds: number): number {
  const unit = seconds < 600 ? 1 : 60
  return Math.ceil(seconds / unit) * unit
}

function isSlow(start: Instant, now: Instant, { longest }: Usual): boolean {
  return microsecondsBetween(start, now) / 1_000_000 > longest * TOLERANCE
}

function usualWords({ runs, shortest, longest }: Usual): Sentence {
  const which = runs === COMPARED ? 'ten' : `${runs}`
  return [`the last ${which} took `, ...(shortest === longest ? [] : [{ took: shortest }, ' to ']), { took: longest }]
}
