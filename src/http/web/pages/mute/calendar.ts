/** The calendar of a project: when each window of the coming weeks begins and ends, by day. */
import type { PlannedOccurrence } from '../../../../domain/silence/calendar.ts'
import { addSeconds, type Instant } from '../../../../lib/time.ts'
import { type Html, html } from '../../html.ts'
import { type Clock, createClock, timeTag } from '../../parts/words/clock.ts'
import { bdi } from '../../parts/words/text.ts'
import type { MuteData } from './data.ts'
import { silencedWords } from './names.ts'

/** Lists every occurrence: those that overlap each have a line. */
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

function line({ silence, startsAt, endsAt }: PlannedOccurrence, clock: Clock, data: MuteData): Html {
  const { planned, projectName, tz } = data
  const named = planned.find((one) => one.silence.id === silence.id)
  const reason = silence.reason !== '' && html` ‘${bdi(silence.reason)}’`
  return html`<li><b>${timeTag(startsAt, clock.time(startsAt), tz)} to ${timeTag(endsAt, endWords(startsAt, endsAt, clock), tz)}</b><span>${named && silencedWords(named, projectName)}${reason}</span></li>`
}

/** Returns `24:00` for the midnight after the day of the start, and names any later day. */
function endWords(startsAt: Instant, endsAt: Instant, { day, time, weekdayTime }: Clock): string {
  if (day(startsAt) === day(endsAt)) return time(endsAt)
  const isMidnight = time(endsAt) === '00:00' && day(startsAt) === day(addSeconds(endsAt, -1))
  return isMidnight ? '24:00' : weekdayTime(endsAt)
}
