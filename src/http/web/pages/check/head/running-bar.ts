/** The progress bar for the current run. It shows how long the run has taken so far, the usual range, and the limit. */
import { startedAt } from '../../../../../domain/check/check.ts'
import { deadline } from '../../../../../domain/check/status.ts'
import { usualWords } from '../../../../../domain/check/usual-duration.ts'
import type { CheckView } from '../../../../../domain/list/check-view.ts'
import { durationWords } from '../../../../../lib/time-words.ts'
import { type Html, html } from '../../../html.ts'
import { wholeDurations } from '../../../parts/words/durations.ts'
import type { CheckContext } from '../context.ts'

const WIDTH = 540

/** Returns null if no run is in progress. The script makes the bar grow, using the start time and scale from its attributes. */
export function runningBar(view: CheckView, { now }: Pick<CheckContext, 'now'>): Html | null {
  const { check, usual, expected, state } = view
  const began = startedAt(check)?.epochMilliseconds
  const limitAt = deadline(check, expected)
  if (began === undefined || limitAt === null || state === 'down') return null
  const limit = limitAt.epochMilliseconds - began
  const range = usual && { low: usual.low / 1_000, high: usual.high / 1_000 }
  const scale = WIDTH / Math.max(limit, range?.high ?? 0, 1)
  const x = (milliseconds: number) => Math.min(WIDTH, Math.max(0, Math.round(milliseconds * scale * 10) / 10))
  const words = [...(usual ? [`usually ${usualWords(usual)}`] : []), `alerts after ${durationWords(limit / 1_000)}`]
  const band =
    range &&
    html`<rect class="band" x="${x(range.low)}" y="0" width="${Math.max(2, x(range.high) - x(range.low))}" height="20"/>`
  return html`<div class="bar-of"><svg viewBox="0 0 ${WIDTH} 20" preserveAspectRatio="none" role="img" aria-label="Time so far: ${words.join(', ')}" data-from="${began}" data-scale="${scale}">${band}<path class="rn" d="M0 10H${x(now.epochMilliseconds - began)}"/><path class="lim" d="M${x(limit)} 0V20"/></svg><div class="ends" aria-hidden="true">${words.map((each) => html`<span>${wholeDurations(each)}</span>`)}</div></div>`
}
