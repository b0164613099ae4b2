/** The quiet hours of an integration in words, and the alerts that wait for their end. */
import { quietUntil } from '../../../../domain/channel/quiet-hours.ts'
import { quietHoursWords } from '../../../../domain/channel/quiet-words.ts'
import type { ListedChannel } from '../../../../services/channels/channel-list.ts'
import { type Html, html } from '../../html.ts'
import { counted, shown } from '../../parts/words/text.ts'
import { timeOf } from '../../parts/words/times.ts'
import type { IntegrationsContext } from './context.ts'

/** Returns `Quiet 22:00–07:00 (Europe/Riga). 3 alerts wait until 07:00.`; null without quiet hours. */
export function quietSentence(
  { channel: { quietHours }, activity: { waiting } }: ListedChannel,
  { now, tz }: Pick<IntegrationsContext, 'now' | 'tz'>,
): Html | null {
  if (quietHours === null) return null
  const until = quietUntil(quietHours, { severity: quietHours.upTo }, now)
  const who = waiting === 0 ? 'It is quiet' : counted(waiting, 'alert waits', 'alerts wait')
  return html`Quiet ${shown(quietHoursWords(quietHours))}.${until && html` ${who} until ${timeOf('clock', until, now, tz)}.`}`
}
