/** The result of testing the rules on a sample ping: how it would be counted, and why. */

import { SEARCHED_BYTES } from '../../../../../domain/ping/classify.ts'
import type { PingKind } from '../../../../../domain/ping/signal.ts'
import type { FoundLine, Trial } from '../../../../../domain/ping/try-rules.ts'
import { type Html, html } from '../../../html.ts'
import { PING_LOOKS } from '../../../parts/log-lines.ts'
import { bdi } from '../../../parts/words/text.ts'
import type { RulesValues } from './fields.ts'
import type { SampleValues } from './sample-fields.ts'

const LEADS: Readonly<Record<PingKind, string>> = {
  success: 'This would be a success.',
  fail: 'This would be a failure.',
  start: 'This would be a start.',
  log: 'This would be logged without changing the status.',
  ign: 'This would be ignored: logged without changing the status.',
}

const TINTS: Readonly<Record<PingKind, string>> = { success: 'up', fail: 'down', start: 'started', log: '', ign: '' }

/** @param rules the rules that were tested */
export function trialHtml(trial: Trial, rules: RulesValues, sample: SampleValues): Html {
  const { kind, by } = trial.verdict
  const reasons = [
    ...reasonsOf(trial, rules, sample),
    ...(isResumed(kind, sample) ? ['It would resume the check.'] : []),
  ]
  return html`<div class="say round ${TINTS[kind]}">${PING_LOOKS[kind].shape}<div><p>${LEADS[kind]}</p>
<p>${reasons.map((reason, index) => [index > 0 && ' ', reason])}</p>${by.name === 'keyword' && trial.found && foundHtml(trial.found)}</div></div>`
}

function isResumed(kind: PingKind, { isPaused }: SampleValues): boolean {
  return isPaused && kind !== 'ign' && kind !== 'log'
}

function reasonsOf(trial: Trial, rules: RulesValues, sample: SampleValues): readonly (Html | string)[] {
  const { verdict, found, isCut } = trial
  switch (verdict.by.name) {
    case 'pause':
      return ['The check is paused, and stays paused until someone resumes it.']
    case 'method':
      return [`Only POST requests count, and this is a ${sample.method} request.`]
    case 'email':
      return ['Emails are not searched for keywords, so every email is a success.']
    case 'url':
      return [urlWords(sample.end), ...(hasKeywords(rules) ? ['Request bodies are not searched for keywords.'] : [])]
    case 'keyword':
      return [...(found ? [placeWords(found, sample)] : []), ORDER[verdict.kind], ...urlIgnored(sample)]
    case 'no-keyword':
      return [
        `The ${searchedWords(rules, sample)} contains no keyword.`,
        ...(isCut ? [`Only its first ${SEARCHED_BYTES.toLocaleString('en')} bytes are searched.`] : []),
        ...(verdict.kind === 'success'
          ? ['Without a keyword, an email is a success, because subject_fail was set.']
          : []),
        ...urlIgnored(sample),
      ]
  }
}

/** Explains the order in which keywords are searched: failure, then success, then start. */
const ORDER: Readonly<Record<PingKind, string>> = {
  fail: 'Success and start keywords are then not searched for.',
  success: 'There is no failure keyword. Start keywords are then not searched for.',
  start: 'There is no failure or success keyword.',
  log: '',
  ign: '',
}

function urlWords(end: string): string {
  if (end === '') return 'The URL has no suffix.'
  if (end === '/0') return 'The URL ends in the exit status 0.'
  return end === '/1' ? 'The URL ends in an exit status other than 0.' : `The URL ends in ${end}.`
}

function urlIgnored({ via, end }: SampleValues): readonly string[] {
  return via === 'email' || end === '' ? [] : [`The URL suffix ${end} is ignored, because request bodies are searched.`]
}

function hasKeywords({ failure_kw, success_kw, start_kw }: RulesValues): boolean {
  return failure_kw !== '' || success_kw !== '' || start_kw !== ''
}

function searchedWords({ filter_subject, filter_body }: RulesValues, { via }: SampleValues): string {
  if (via === 'http') return 'body'
  if (filter_subject && filter_body) return 'subject or the text'
  return filter_subject ? 'subject' : 'text'
}

function placeWords({ part, line, word }: FoundLine, { via }: SampleValues): Html {
  const place = part === 'subject' ? 'the subject' : `line ${line} of the ${via === 'http' ? 'body' : 'text'}`
  return html`‘${bdi(word)}’ is in ${place}.`
}

/** Number of characters to show before and after the keyword. */
const CONTEXT = 80

function foundHtml({ before, word, after }: FoundLine): Html {
  const from = before.length > CONTEXT ? `…${before.slice(-CONTEXT)}` : before
  const until = after.length > CONTEXT ? `${after.slice(0, CONTEXT)}…` : after
  return html`<pre class="found">${bdi(from)}<mark>${bdi(word)}</mark>${bdi(until)}</pre>`
}
