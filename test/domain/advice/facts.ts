/** Facts for tests: those of a healthy check that runs daily, with the given changes. */
import type { Advice } from '../../../src/domain/advice/advice.ts'
import { advise } from '../../../src/domain/advice/advise.ts'
import type { AdvisedCheck, AdvisedPing, Facts } from '../../../src/domain/advice/facts.ts'
import { adviceSentence } from '../../../src/domain/advice/sentence.ts'
import { sentenceText } from '../../../src/domain/words/sentence-text.ts'
import { Temporal } from '../../../src/lib/time.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** Time at which the check was created: Monday, 4 May 2026, 00:00 UTC. */
export const START = Date.UTC(2026, 4, 4)

const CHECK: AdvisedCheck = {
  ...{ kind: 'cron', timeoutSeconds: 86_400, schedule: '0 3 * * *', tz: 'UTC', graceSeconds: 3_600 },
  ...{ createdAt: START, changedAt: START, wasPinged: false, isPaused: false, pausedAt: null },
  ...{ manualResume: false, methods: '' },
}

export function facts({ check, ...others }: Partial<Omit<Facts, 'check'>> & { check?: Partial<AdvisedCheck> }): Facts {
  return {
    check: { ...CHECK, ...check },
    ...{ log: [], away: [], held: [], siblingZones: [], accountZone: null, refused: null, others: [] },
    channels: [{ name: 'Ops', state: 'ready', since: null, givenUp: 0 }],
    ...others,
  }
}

export function ping(at: number, given: Partial<AdvisedPing> = {}): AdvisedPing {
  return {
    ...{ at, kind: 'success', duration: null, runId: null, sender: '10.0.0.5', userAgent: 'curl/8.5.0', method: 'GET' },
    ...{ ignoredBy: null, lastLine: null },
    ...given,
  }
}

/** Returns a ping at 03:00 and a few seconds on each of several days. @param first day of the first ping, counted from 0 */
export function nightly(
  days: number,
  given: (day: number) => Partial<AdvisedPing> = () => ({}),
  first = 0,
): AdvisedPing[] {
  return Array.from({ length: days }, (_, index) => {
    const day = first + index
    return ping(START + day * DAY + 3 * HOUR + ((day * 7) % 11) * 1_000, given(day))
  })
}

/** Returns the kinds and variants of all advice, in order. */
export function advised(given: Facts, now: number): readonly string[] {
  return advise(given, now).map(({ kind, variant }) => `${kind}/${variant}`)
}

/** Returns the first advice as a sentence for an editor. */
export function said(given: Facts, now: number): string {
  const [first] = advise(given, now)
  return first === undefined ? '' : sentenceOf(first, now)
}

export function sentenceOf(advice: Advice, now: number, isEditor = true): string {
  return sentenceText(adviceSentence(advice, isEditor), { now: Temporal.Instant.fromEpochMilliseconds(now), tz: 'UTC' })
}
