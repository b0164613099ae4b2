/** Job output, for messages that have room for it: its new lines, and all of it. */
import type { Fact, Notification } from '../../domain/alert/notification.ts'
import { printable, within } from '../../lib/text/text.ts'

/** Texts of one or more lines, without empty ones. Nothing is escaped. */
export function outputsOf({ newLines, body }: Notification): readonly Fact[] {
  return [
    { label: 'New in the Output', value: newLines.join('\n') },
    { label: 'Last Ping Body', value: printable(body ?? '') },
  ].filter(({ value }) => value !== '')
}

/** {@link outputsOf} in `limit` UTF-16 units together. The new lines are short and come first; the body gets the remaining room. */
export function outputsWithin(message: Notification, limit: number): readonly Fact[] {
  let room = limit
  return outputsOf(message).map(({ label, value }) => {
    const text = within(value, room)
    room -= text.length
    return { label, value: text }
  })
}
