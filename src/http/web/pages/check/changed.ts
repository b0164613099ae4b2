/** The card that compares the output of the newest run with that of the last successful run, if the newest run failed. */

import type { NotCompared, OutputChange } from '../../../../domain/output-diff/output-change.ts'
import type { DiffLine, ShownChanges } from '../../../../domain/output-diff/shown-changes.ts'
import { happenedAt } from '../../../../domain/ping/occurred-at.ts'
import type { Instant } from '../../../../lib/time.ts'
import type { CheckPage } from '../../../../services/overview/check-page.ts'
import type { FailedOutput } from '../../../../services/pings/failed-output.ts'
import { type Html, html } from '../../html.ts'
import { LINES_ID, LINES_PARAMETER } from '../../parts/advice/advice-acts.ts'
import { timeTag } from '../../parts/words/clock.ts'
import { counted, shownLines } from '../../parts/words/text.ts'
import type { CheckContext } from './context.ts'

/**
 * Returns a hidden element unless the newest run failed. If a run fails while the page is open, a live update replaces the element with the
 * card.
 */
export function changedSection({ failedOutput }: Pick<CheckPage, 'failedOutput'>, context: CheckContext): Html {
  if (failedOutput === null) return html`<section id="changed" hidden></section>`
  return html`<section class="card clip" id="changed" aria-labelledby="changed-h"><header><h2 id="changed-h">What changed in the output</h2>${against(failedOutput.change, context)}</header>${
    failedOutput.change.kind === 'changed'
      ? diffHtml(failedOutput.change.diff)
      : html`<div class="body"><p class="muted">${words(failedOutput.change, context)}</p></div>`
  }${outputLinks(failedOutput, context)}</section>`
}

function against({ good }: OutputChange, context: CheckContext): Html | null {
  return good && html`<p>compared with the last successful run, ${dayOf(happenedAt(good), context)}</p>`
}

function dayOf(at: Instant, { clock, tz }: CheckContext): Html {
  return timeTag(at, clock.isToday(at) ? clock.time(at) : clock.day(at), tz)
}

const MARKS = { same: ' ', gone: '−', new: '+' } as const

function diffHtml({ lines, more }: ShownChanges): Html {
  return html`<pre class="diff" tabindex="0" role="group" aria-label="Difference of the outputs">${lines.map(lineHtml)}${
    more > 0 && html`<i>and ${counted(more, 'more line', 'more lines')}</i>`
  }</pre>`
}

function lineHtml(line: DiffLine): Html {
  if (line.kind === 'folded') return html`<i>${foldedWords(line.lines, line.of)}</i>`
  const text = html`${MARKS[line.kind]} ${shownLines(line.text)}`
  if (line.kind === 'new') return html`<ins><span class="sr">new line: </span>${text}</ins>`
  if (line.kind === 'gone') return html`<del><span class="sr">removed line: </span>${text}</del>`
  return html`<span>${text}</span>`
}

function foldedWords(lines: number, of: keyof typeof MARKS): string {
  if (of === 'same') return `${counted(lines, 'unchanged line', 'unchanged lines')}`
  return of === 'new'
    ? `${counted(lines, 'more new line', 'more new lines')}`
    : `${counted(lines, 'removed line', 'removed lines')}`
}

function words(change: Exclude<OutputChange, { kind: 'changed' }>, context: CheckContext): Html {
  if (change.kind === 'same') {
    return html`Nothing changed, except times and other values that differ in every run.`
  }
  return change.why === 'no-output' ? noOutput(context) : html`${NOT_COMPARED[change.why]}`
}

const NOT_COMPARED: Readonly<Record<Exclude<NotCompared, 'no-output'>, string>> = {
  gone: 'This run sent no output, but the last successful run did.',
  dropped: 'The output of this run was dropped, because the log of the check was full.',
  'no-good-run': 'The log contains no successful run before this one, so there is nothing to compare with.',
  'no-good-output': 'The last successful run sent no output, so there is nothing to compare with.',
  'no-text': 'One of the two outputs is not text, so they are not compared.',
}

function noOutput({ canWrite, pageHref }: CheckContext): Html {
  if (!canWrite) return html`The job sends no output.`
  return html`The job sends no output. <a href="${pageHref()}?${LINES_PARAMETER}=output#${LINES_ID}">Add it to the ping</a>`
}

function outputLinks({ n, change }: FailedOutput, { entryHref }: CheckContext): Html | null {
  if (change.kind === 'not-compared') return null
  const cut = change.isCut && html`<span class="muted">Only the first 64 KiB are compared.</span>`
  return html`<div class="card-end"><a href="${entryHref(n)}">Output of this run</a><a href="${entryHref(change.good.n)}">Output of the last successful run</a>${cut}</div>`
}
