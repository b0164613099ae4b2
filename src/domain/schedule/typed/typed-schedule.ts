/** What somebody typed as a schedule, made into the text that is stored, or into the sentence that says what to write. */

import { parseSchedule } from '../schedule.ts'
import { ForeignScheduleError, orScheduleError, type PlacedMessage, ScheduleError } from '../schedule-text.ts'
import { cronWord } from './cron-words.ts'
import { foreignForm } from './foreign-forms.ts'
import { plainText, refuseUnknownCharacter } from './plain-text.ts'

/**
 * The text to store. It is what was typed; only a word such as `@daily` is written out in five fields, and characters that look
 * like plain ones become these. So whatever is stored is in the grammar of {@link parseSchedule}.
 * @throws ScheduleError that points into what was typed; {@link ForeignScheduleError} for the form of another program
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

/** The text to store, as {@link readTypedSchedule} gives it; a text that is no schedule stays as it is. */
export function writtenSchedule(typed: string): string {
  const read = orScheduleError(() => readTypedSchedule(typed))
  return read instanceof ScheduleError ? typed : read
}

/** Why the text is no schedule; null when it is one. */
export function scheduleError(typed: string): ScheduleError | null {
  const read = orScheduleError(() => readTypedSchedule(typed))
  return read instanceof ScheduleError ? read : null
}
