/** Converts advice and the results of trial settings to the JSON that the API and the command line return. */
import { type Instant, isoSeconds, Temporal } from '../../lib/time.ts'
import { scheduleWords } from '../check/schedule-words.ts'
import { sentenceText } from '../words/sentence-text.ts'
import type { Fix } from './advice.ts'
import { adviceSentence } from './sentence.ts'
import type { Suggestion } from './suggestion.ts'
import type { Woken } from './woken.ts'
import { wokenLines } from './woken-sentence.ts'

/** Returns a fix as JSON, such as `{"tz": "UTC"}`, `{"resume": true}`, `{"text": "lock"}` or `{"ask": "twins"}`. */
export function representFix(fix: Fix): Readonly<Record<string, string | number | boolean>> {
  switch (fix.do) {
    case 'set':
      return { ...fix.settings }
    case 'resume':
      return { resume: true }
    case 'text':
      return { text: fix.text }
    case 'ask':
      return { ask: fix.about }
  }
}

/**
 * Returns a suggestion as JSON. Its timing uses the same field names as a request that changes a check.
 * @param seesAddresses see `adviceSentence`
 */
export function representSuggestion({ advice, timing }: Suggestion, seesAddresses: boolean, now: Instant) {
  const { kind, timeoutSeconds, schedule, tz, graceSeconds: grace } = timing
  const sentence = sentenceText(adviceSentence(advice, seesAddresses), { now, tz: 'UTC', isNamed: true })
  return {
    ...(kind === 'simple' ? { timeout: timeoutSeconds } : { schedule, tz }),
    ...{ grace, words: scheduleWords(timing).words },
    ...{ kind: advice.kind, variant: advice.variant, sentence },
  }
}

export function representWoken(woken: Woken, now: Instant) {
  const { alerts, alertsThen, spared, unfound, notYet, later, gained, more, noticeSeconds, noticeThenSeconds, over } =
    woken
  return {
    words: wokenLines(woken).map(({ says }) => sentenceText(says, { now, tz: 'UTC', isNamed: true })),
    ...{ alerts, alerts_then: alertsThen, spared },
    unfound: unfound.map(iso),
    not_yet_found: notYet === null ? null : iso(notYet),
    found_later: later.map(({ at, minutes }) => ({ date: iso(at), minutes })),
    gained: gained.map(iso),
    more: more.map(iso),
    ...{ notice: noticeSeconds, notice_then: noticeThenSeconds },
    runs: over?.runs ?? 0,
    since: over && iso(over.from),
  }
}

function iso(at: number): string {
  return isoSeconds(Temporal.Instant.fromEpochMilliseconds(at))
}
