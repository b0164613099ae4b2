/** The card with the check's schedule and its next expected runs. */
import type { Check } from '../../../../domain/check/check.ts'
import { scheduleWords } from '../../../../domain/check/schedule-words.ts'
import { periodInWords } from '../../../../domain/duration.ts'
import type { CheckView } from '../../../../domain/list/check-view.ts'
import { preview } from '../../../../domain/schedule/schedule.ts'
import { addSeconds, type Instant } from '../../../../lib/time.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import { linkButton } from '../../parts/forms/buttons.ts'
import { keyValues } from '../../parts/lists.ts'
import { createClock, timeTag } from '../../parts/words/clock.ts'
import { shown } from '../../parts/words/text.ts'
import type { CheckContext } from './context.ts'

export function scheduleSection({ check, expected }: CheckView, context: CheckContext): Html {
  const edit = { text: 'Edit', label: 'Edit schedule', look: 'quiet', isSmall: true, key: 'e' } as const
  const zone = check.kind !== 'simple' && html`, ${shown(check.tz)}`
  return html`<section class="card" id="schedule" aria-labelledby="schedule-h"><header><h2 id="schedule-h">Schedule</h2>${
    context.canWrite && linkButton({ ...edit, href: context.pageHref('edit?tab=schedule') })
  }</header><div class="body form"><p><b>${shown(scheduleWords(check).words)}</b>${zone}.<br>Down after ${periodInWords(check.graceSeconds)} of grace.</p>
${keyValues(rows(check, nextRuns(check, expected, context.now), context))}</div></section>`
}

function rows(
  check: Check,
  [next, then]: readonly Instant[],
  { clock, now, tz }: CheckContext,
): readonly (readonly [string, HtmlValue])[] {
  // Use the check's time zone. Times in another zone would look wrong next to the check's schedule.
  const isElsewhere = check.kind !== 'simple' && check.tz !== tz
  const time = (at: Instant) =>
    isElsewhere
      ? html`${timeTag(at, createClock(now, check.tz).weekdayTime(at), tz)} in ${shown(check.tz)}`
      : timeTag(at, clock.weekdayTime(at), tz)
  return [
    ...(next ? [['Next', time(next)] as const] : []),
    ...(then ? [['Then', time(then)] as const] : []),
    ...(check.kind === 'simple' ? [] : [expression(check)]),
  ]
}

function expression({ kind, schedule }: Check): readonly [string, HtmlValue] {
  const lines = schedule.trim().split('\n')
  const codes = lines.map((line, index) => [index > 0 && html`<br>`, html`<code>${shown(line)}</code>`])
  return [kind === 'cron' ? 'As cron' : 'OnCalendar', codes]
}

/**
 * Returns the next expected runs. If the schedule is a period, the next run depends on the last ping, so nothing is returned before the
 * first ping.
 */
function nextRuns(check: Check, expected: Instant | null, now: Instant): readonly Instant[] {
  if (check.status === 'paused') return []
  if (check.kind === 'simple') return expected === null ? [] : [expected, addSeconds(expected, check.timeoutSeconds)]
  try {
    return preview(check.schedule, check.tz, now, 2)
  } catch {
    return []
  }
}
