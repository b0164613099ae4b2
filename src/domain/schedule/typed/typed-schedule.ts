/** Converts a typed schedule into the text to store, or into a sentence that says what to write. */

import { parseSchedule } from '../schedule.ts'
import { ForeignScheduleError, orScheduleError, type PlacedMessage, ScheduleError } from '../schedule-text.ts'
import { cronWord } from './cron-words.ts'
import { foreignForm } from './foreign-forms.ts'
import { plainText, refuseUnknownCharacter } from './plain-text.ts'

/**
 * Returns the text to store. It is the typed text, but a word such as `@daily` is expanded to five fields, and lookalike characters are
 * replaced with plain ones. So a stored text is always in the grammar of {@link parseSchedule}.
 * @throws ScheduleError with a position in the typed text; {@link ForeignScheduleError} for the form of another program
 */
export function readTypedSchedule(typed: string): string {
  const plain = plainText(typed)
  const text = cronWord(plain.text) ?? plain.text
  const parsed = orScheduleError(() => parseSchedule(text, 'UTC'))
  if (!(parsed instanceof ScheduleError)) return text
  const place = ({ message, position, length }: PlacedMessage) => {
    const start = plain.offsets[position] ?? typed.length
    return [message, start, (plain.offsets[position + length - 1] ?? start) + 1 - start] as const
  }
  const foreign = foreignForm(text)
  if (foreign !== null) throw new ForeignScheduleError(...place(foreign))
  refuseUnknownCharacter(plain)
  throw new ScheduleError(...place(parsed))
}

/** Returns the text to store, like {@link readTypedSchedule}; a text that is not a schedule is unchanged. */
export function writtenSchedule(typed: string): string {
  const read = orScheduleError(() => readTypedSchedule(typed))
  return read instanceof ScheduleError ? typed : read
}

/** Returns the error of a text that is not a schedule; null for a schedule. */
export function scheduleError(typed: string): ScheduleError | null {
  const read = orScheduleError(() => readTypedSchedule(typed))
  return read instanceof ScheduleError ? read : null
}
