/** Describes an integration's quiet hours, and how many alerts are being held back. */
import { quietUntil } from '../../../../domain/channel/quiet-hours.ts'
import { quietHoursWords } from '../../../../domain/channel/quiet-words.ts'
import type { ListedChannel } from '../../../../services/channels/channel-list.ts'
import { type Html, html } from '../../html.ts'
import { createClock, timeTag } from '../../parts/words/clock.ts'
import { counted, shown } from '../../parts/words/text.ts'
import type { IntegrationsContext } from './context.ts'

/**
 * Returns a sentence such as `Quiet 22:00–07:00 (Europe/Riga). 3 alerts wait until Sun 29 Nov, 07:00.`, with times in the time zone of the
 * quiet hours. Returns null if there are no quiet hours.
 */
export function quietSentence(
  { channel: { quietHours }, activity: { waiting } }: ListedChannel,
  { now }: Pick<IntegrationsContext, 'now'>,
): Html | null {
  if (quietHours === null) return null
  const until = quietUntil(quietHours, { severity: quietHours.upTo }, now)
  const who = waiting === 0 ? 'It is quiet' : counted(waiting, 'alert waits', 'alerts wait')
  const { tz } = quietHours
  return html`Quiet ${shown(quietHoursWords(quietHours))}.${until && html` ${who} until ${timeTag(until, createClock(now, tz).weekdayTime(until), tz)}.`}`
}
