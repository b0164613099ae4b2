/** Formats job output for messages that have enough space for it: the new lines, and the complete output. */
import type { Fact, Notification } from '../../domain/alert/notification.ts'
import { printable, within } from '../../lib/text/text.ts'

/** Returns texts with one or more lines each. Leaves out empty texts. Escapes nothing. */
export function outputsOf({ newLines, body }: Notification): readonly Fact[] {
  return [
    { label: 'New in the Output', value: newLines.join('\n') },
    { label: 'Last Ping Body', value: printable(body ?? '') },
  ].filter(({ value }) => value !== '')
}

/**
 * Returns the same as {@link outputsOf}, limited to `limit` UTF-16 units in total. The new lines are short and come first. The body gets
 * the remaining space.
 */
export function outputsWithin(message: Notification, limit: number): readonly Fact[] {
  let room = limit
  return outputsOf(message).map(({ label, value }) => {
    const text = within(value, room)
    room -= text.length
    return { label, value: text }
  })
}
