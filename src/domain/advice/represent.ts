/** What trying settings found, as the API and the command line show it. */
import { type Instant, isoSeconds, Temporal } from '../../lib/time.ts'
import { sentenceText } from '../words/sentence-text.ts'
import type { Woken } from './woken.ts'
import { wokenLines } from './woken-sentence.ts'

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
