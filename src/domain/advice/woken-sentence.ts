/** Sentences about the alerts that other settings would have triggered, based on a check's log. */
import { fromMilliseconds } from '../../lib/time.ts'
import { durationWords } from '../../lib/time-words.ts'
import { count } from '../duration.ts'
import { DAY } from '../units.ts'
import type { Sentence } from '../words/sentence-parts.ts'
import type { Woken, WokenOver } from './woken.ts'

export interface WokenLine {
  readonly says: Sentence
  /** true: the settings would miss an outage */
  readonly isWarning: boolean
}

/**
 * Returns lines about alerts, followed by lines about outages. If the log contains no runs, the only line says how soon outages would be
 * noticed.
 */
export function wokenLines(woken: Woken): readonly WokenLine[] {
  const { over } = woken
  const said = (says: Sentence, isWarning = false): readonly WokenLine[] =>
    says.length === 0 ? [] : [{ says, isWarning }]
  return [
    ...(over === null ? [] : said(alertsSentence(woken, over))),
    ...said(missedSentence(woken), true),
    ...said(laterSentence(woken)),
    ...said(gainedSentence(woken)),
    ...said(moreSentence(woken)),
    ...said(noticeSentence(woken)),
  ]
}

function alertsSentence(woken: Woken, over: WokenOver): Sentence {
  return [...spanOf(over), alertsWords(woken)]
}

/** Returns the beginning of a sentence. If the log covers less than a day, the sentence says how much time it covers. */
function spanOf({ runs, from, until }: WokenOver): Sentence {
  return until - from < DAY
    ? ['Over the last ', { took: (until - from) / 1_000 }, ` only, with ${count(runs, 'run')}: `]
    : [`Over the last ${count(runs, 'run')}, since `, { clock: fromMilliseconds(from) }, ': ']
}

/**
 * Returns a sentence about the number of messages that the alerts would have caused on the check's channels, excluding messages about
 * recoveries. Empty if the log contains no runs.
 * @param now number of channels that currently get the alerts
 * @param then number of channels selected in the form
 */
export function messagesSentence({ alerts, over }: Woken, now: number, then: number): Sentence {
  if (over === null) return []
  const messages = (to: number) => count(alerts * to, 'message')
  const present = `${messages(now)} to ${count(now, 'integration')}`
  const change = now === then ? '' : ` → ${messages(then)} to ${then}`
  return [
    ...spanOf(over),
    alerts === 0 ? 'no alert, so no message.' : `${count(alerts, 'alert')}, ${present}${change}.`,
  ]
}

function alertsWords({ alerts, alertsThen, spared, unfound, notYet, later, gained, more }: Woken): string {
  if (alerts !== alertsThen) return `${count(alertsThen, 'alert')} instead of ${alerts}.`
  if (alerts === 0) return 'no alert, as now.'
  const isSame = spared === 0 && [unfound, later, gained, more].every(({ length }) => length === 0) && notYet === null
  return `${count(alerts, 'alert')}, ${isSame ? 'as now' : 'as many as now'}.`
}

/** Describes real outages that the settings would have missed, to warn a user who is about to save them. Empty if there are none. */
export function missedSentence({ unfound, notYet }: Pick<Woken, 'unfound' | 'notYet'>): Sentence {
  const last = unfound.at(-1)
  if (last === undefined) {
    return notYet === null
      ? []
      : ['The current outage, reported ', { at: fromMilliseconds(notYet) }, ', would not be found yet.']
  }
  return unfound.length === 1
    ? [
        'The outage reported ',
        { at: fromMilliseconds(last) },
        ' would not have been found: the next ping arrived before it was late.',
      ]
    : [
        `${unfound.length} outages would not have been found, the last of them reported `,
        { at: fromMilliseconds(last) },
        '.',
      ]
}

function laterSentence({ later }: Woken): Sentence {
  const [first] = later
  if (first === undefined) return []
  const most = { took: Math.max(...later.map(({ minutes }) => minutes)) * 60 }
  return later.length === 1
    ? ['One outage would have been found ', most, ' later, ', { at: fromMilliseconds(first.at) }, '.']
    : [`${later.length} outages would have been found later, by up to `, most, '.']
}

function gainedSentence({ gained }: Woken): Sentence {
  const last = gained.at(-1)
  if (last === undefined) return []
  const outages =
    gained.length === 1
      ? 'an outage that nobody was alerted about, '
      : `${gained.length} outages that nobody was alerted about, the last `
  return [`It would have found ${outages}`, { at: fromMilliseconds(last) }, '.']
}

function moreSentence({ more }: Woken): Sentence {
  const last = more.at(-1)
  if (last === undefined) return []
  return more.length === 1
    ? ['One alert is new and about no outage, ', { at: fromMilliseconds(last) }, '.']
    : [`${more.length} alerts are new and about no outage, the last `, { at: fromMilliseconds(last) }, '.']
}

function noticeSentence({ noticeSeconds, noticeThenSeconds }: Woken): Sentence {
  if (noticeThenSeconds === null) return []
  // No sentence is needed if both durations look the same when formatted.
  if (noticeSeconds !== null && durationWords(noticeSeconds) === durationWords(noticeThenSeconds)) return []
  const instead: Sentence = noticeSeconds === null ? [] : [', instead of ', { took: noticeSeconds }]
  return ['From now on an outage is noticed within ', { took: noticeThenSeconds }, ...instead, '.']
}
