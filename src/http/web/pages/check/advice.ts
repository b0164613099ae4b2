/** The line with the check's first piece of advice. After the user applies a fix, the line shows how many runs have been on time since. */
import { doubtOf } from '../../../../domain/advice/doubt.ts'
import { fixedWords } from '../../../../domain/advice/fix-words.ts'
import { Temporal } from '../../../../lib/time.ts'
import { isRisky } from '../../../../services/advice/check-advice.ts'
import type { CheckPage } from '../../../../services/overview/check-page.ts'
import { checkPath } from '../../href.ts'
import { type Html, html } from '../../html.ts'
import { LINES_ID } from '../../parts/advice/advice-acts.ts'
import { adviceLine } from '../../parts/advice/advice-line.ts'
import { sparedWords } from '../../parts/advice/woken-words.ts'
import { icon } from '../../parts/icons.ts'
import { timeOf } from '../../parts/words/times.ts'
import type { CheckContext } from './context.ts'
import { type FixLinesOf, fixLines } from './fix-lines.ts'

/** Number of runs after a fix during which the page reports whether the fix worked. */
const TOLD_RUNS = 3

export function adviceSection(page: CheckPage, context: CheckContext): Html {
  return html`<div id="advice">${lineOf(page, context)}</div>`
}

function lineOf(page: CheckPage, context: CheckContext): Html | null {
  const { view, advice, untold } = page
  const { first } = advice
  if (first === null) return sinceFix(page, context)
  // A more prominent note above the sentence already reports this problem.
  if (untold !== null && doubtOf(first.advice) === 'untold') return null
  const { href, slug, canWrite } = context
  const { publicId } = view.check
  const place = canWrite
    ? {
        ...{ href, slug, back: checkPath(slug, publicId), of: '', isRisky: isRisky(first.woken) },
        checks: [publicId] as const,
      }
    : null
  return adviceLine(first.advice, place, context, sparedWords(first.woken))
}

/**
 * Renders a sentence such as `Zone set to UTC on 12 May at 10:04: 2 of 2 on time since.` Returns null if no fix was applied, or more than
 * {@link TOLD_RUNS} runs ago.
 */
function sinceFix({ advice: { fixed }, runs }: CheckPage, { now, tz }: CheckContext): Html | null {
  if (fixed === null) return null
  const since = runs.filter(({ at, kind }) => at !== null && kind !== 'paused' && at.epochMilliseconds > fixed.at)
  const ended = since.filter(({ kind }) => kind !== 'running')
  if (ended.length > TOLD_RUNS) return null
  const onTime = ended.filter(({ kind }) => kind === 'ok').length
  const at = timeOf('at', Temporal.Instant.fromEpochMilliseconds(fixed.at), now, tz)
  const words = ended.length === 0 ? 'no runs since' : `${onTime} of ${ended.length} on time since`
  return html`<div class="advice">${icon('bulb')}<p>${fixedWords(fixed.settings).slice(0, -1)} ${at}: ${words}.</p></div>`
}

/** Renders lines to add to the job if the URL names a set of lines, as the URL of an advice button does. Otherwise returns null. */
export function fixLinesSection(named: string | null, of: FixLinesOf): Html | null {
  const found = named === null ? null : fixLines(named, of)
  if (found === null) return null
  const { words, lines } = found
  return html`<section class="card" id="${LINES_ID}" aria-labelledby="${LINES_ID}-h" tabindex="-1"><header><h2 id="${LINES_ID}-h">Lines for the job</h2><a class="btn quiet small" href="#now">Close</a></header><div class="body form"><p>${words}</p><div class="snip"><pre data-copy tabindex="0" role="group" aria-label="Lines for the job">${lines}</pre></div></div></section>`
}
