/** A project's calendar. It lists the starts and ends of windows in the coming weeks, grouped by day. */
import type { PlannedOccurrence } from '../../../../domain/silence/calendar.ts'
import { type Html, html } from '../../html.ts'
import { endWords } from '../../parts/forms/window-fields.ts'
import { type Clock, createClock, timeTag } from '../../parts/words/clock.ts'
import { bdi } from '../../parts/words/text.ts'
import type { MuteData } from './data.ts'
import { silencedWords } from './names.ts'

/** Lists each occurrence on its own line, even if some overlap. */
export function calendarList(data: MuteData): Html {
  const { calendar, now, tz } = data
  const clock = createClock(now, tz)
  const days = Map.groupBy(calendar.occurrences, ({ startsAt }) => clock.weekdayDay(startsAt))
  const lists = [...days].map(
    ([day, some]) => html`<h3>${day}</h3><ul class="planned-l">${some.map((one) => line(one, clock, data))}</ul>`,
  )
  const rest =
    calendar.isCut &&
    html`<p class="help">Listed up to ${clock.weekdayTime(calendar.until)}: there are too many for more.</p>`
  return html`${lists}${rest}`
}

function line(occurrence: PlannedOccurrence, clock: Clock, data: MuteData): Html {
  const { silence, startsAt, endsAt } = occurrence
  const { planned, projectName, tz } = data
  const named = planned.find((one) => one.silence.id === silence.id)
  const reason = silence.reason !== '' && html` ‘${bdi(silence.reason)}’`
  return html`<li><b>${timeTag(startsAt, clock.time(startsAt), tz)} to ${timeTag(endsAt, endWords(occurrence, clock), tz)}</b><span>${named && silencedWords(named, projectName)}${reason}</span></li>`
}
