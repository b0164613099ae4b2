/** Shows how the rules in the form would have counted the pings in the log. */

import { wokenLines } from '../../../../../domain/advice/woken-sentence.ts'
import type { PingKind } from '../../../../../domain/ping/signal.ts'
import type { TriedRules } from '../../../../../services/advice/try-rules.ts'
import { type Html, html } from '../../../html.ts'
import type { Zone } from '../../../parts/words/sentence.ts'
import { counted, numbered } from '../../../parts/words/text.ts'
import { linesHtml } from '../woken.ts'

export const PAST_PART = '#past'

/** The result of testing rules on past pings, with the reader's time zone. */
export type ShownPast = TriedRules & Zone

/** @param past null if the rules are unchanged or cannot be saved, or if the log is empty */
export function pastPart(past: ShownPast | null): Html {
  return html`<div id="past" role="status">${past && pastHtml(past)}</div>`
}

function pastHtml(past: ShownPast): Html {
  return html`<h3>Your pings against these rules</h3>
<p class="help">${changeWords(past)}${unknownWords(past)}</p>
${past.changes.size > 0 && linesHtml(wokenLines(past.woken), past)}`
}

const AS: Readonly<Record<PingKind, string>> = {
  success: 'as a success',
  fail: 'as a failure',
  start: 'as a start',
  log: 'as a log entry',
  ign: 'not at all',
}

/** Returns a string such as `12 of the last 100 pings would count differently: 10 not at all, 2 as a failure.` */
function changeWords({ pings, changes }: TriedRules): string {
  const all = pings === 1 ? 'the last ping' : `the last ${counted(pings, 'ping', 'pings')}`
  const kinds = numbered(...[...changes].map(([kind, amount]) => [amount, AS[kind]] as const))
  const changed = [...changes.values()].reduce((sum, amount) => sum + amount, 0)
  return changed === 0
    ? `None of ${all} would count differently.`
    : `${changed} of ${all} would count differently: ${kinds.join(', ')}.`
}

/**
 * States how many pings the rules could not be tested on. The log records how each ping was counted, but does not keep all of its content.
 */
function unknownWords({ unknown }: TriedRules): string {
  if (unknown === 0) return ''
  return ` ${unknown} could not be tried, and count as before. The log does not contain their URL suffix or their entire text.`
}
