/** The output of a job in messages that have room for it: what is new in it, and all of it. */
import type { Fact, Notification } from '../../domain/alert/notification.ts'
import { printable } from '../../lib/text/text.ts'

/** Texts of one or more lines, without empty ones. Nothing is escaped. */
export function outputsOf({ newLines, body }: Notification): readonly Fact[] {
  return [
    { label: 'New in the Output', value: newLines.join('\n') },
    { label: 'Last Ping Body', value: printable(body ?? '') },
  ].filter(({ value }) => value !== '')
}
