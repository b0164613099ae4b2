/** Converts a typed schedule to the text to store, or to a message that says what to write instead. */

import { parseSchedule } from '../schedule.ts'
import { ForeignScheduleError, orScheduleError, type PlacedMessage, ScheduleError } from '../schedule-text.ts'
import { cronWord } from './cron-words.ts'
import { foreignForm } from './foreign-forms.ts'
import { plainText, refuseUnknownCharacter } from './plain-text.ts'

/**
 * Returns the text to store. Words such as `@daily` are expanded to five fields, and typographic characters are replaced with plain ones.
 * Stored text can therefore always be parsed by {@link parseSchedule}.
 * @throws ScheduleError with a position in the typed text; {@link ForeignScheduleError} for another program's syntax
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

/** Returns the text to store, like {@link readTypedSchedule}. Text that is not a schedule is returned unchanged. */
export function writtenSchedule(typed: string): string {
  const read = orScheduleError(() => readTypedSchedule(typed))
  return read instanceof ScheduleError ? typed : read
}

/** Returns the error in a typed schedule, or null if the schedule is valid. */
export function scheduleError(typed: string): ScheduleError | null {
  const read = orScheduleError(() => readTypedSchedule(typed))
  return read instanceof ScheduleError ? read : null
}
