/** Describes a mistake in a schedule that the user typed: where it is, and what the user probably meant. */
import { isSchedule } from '../../../../domain/check/fields.ts'
import { type ScheduleError, scheduleKind } from '../../../../domain/schedule/schedule.ts'
import { ForeignScheduleError } from '../../../../domain/schedule/schedule-text.ts'
import { cronWord } from '../../../../domain/schedule/typed/cron-words.ts'
import { scheduleError, writtenSchedule } from '../../../../domain/schedule/typed/typed-schedule.ts'
import { codePoints } from '../../../../domain/schema.ts'
import { excerpt, type Mistake } from '../../../../lib/text/excerpt.ts'
import { type Html, html } from '../../html.ts'
import { bdi, counted, shown } from '../../parts/words/text.ts'
import type { ScheduleValues } from './schedule-values.ts'

const LIMIT = 100

interface ScheduleMistake {
  readonly words: string
  /** position in the expression, in UTF-16 code units; null if the mistake is not at a particular position */
  readonly place: Mistake | null
}

/** Returns the mistake in the expression of the selected kind; null if there is none. */
export function scheduleMistake(values: ScheduleValues): ScheduleMistake | null {
  if (values.kind === 'simple') return null
  const text = values[values.kind]
  if (text === '') return whole(EMPTY[values.kind])
  if (codePoints(text) > LIMIT) return whole(`This is too long: use at most ${LIMIT} characters.`)
  const error = scheduleError(text)
  if (error instanceof ForeignScheduleError) return placed(error)
  return kindMistake(values.kind, text) ?? (error && placed(error))
}

function whole(words: string): ScheduleMistake {
  return { words, place: null }
}

const EMPTY = {
  cron: 'Type an expression, such as 0 2 * * 1-5 for 02:00 on weekdays.',
  oncalendar: 'Type an expression, such as Mon..Fri 02:00 for 02:00 on weekdays.',
} as const

/**
 * Returns a mistake if a check would interpret the expression as the other kind. The interpretation depends only on the number of words. A
 * word such as `@daily` is valid for both kinds.
 */
function kindMistake(kind: 'cron' | 'oncalendar', text: string): ScheduleMistake | null {
  if (scheduleKind(writtenSchedule(text)) === kind || cronWord(text) !== null) return null
  if (kind === 'oncalendar') {
    return whole(`‘${shown(text)}’ has 5 words, so it would be read as cron. Choose Cron, or use fewer words.`)
  }
  if (isSchedule(text))
    return whole(`‘${shown(text)}’ is an OnCalendar expression. Choose OnCalendar, or type a cron expression.`)
  const fields = [...text.matchAll(/\S+/g)]
  const position = fields[5]?.index ?? text.length
  return {
    words: `‘${shown(text)}’ has ${counted(fields.length, 'field', 'fields')}, but cron needs 5.`,
    place: { position, length: text.length - position },
  }
}

function placed({ message, position, length }: ScheduleError): ScheduleMistake {
  return { words: message, place: { position, length } }
}

/** Number of characters before a mistake that fit on a phone's screen. */
const ROOM = 24
const KEPT = 12

/**
 * Renders the line with the mistake, and carets below the mistake. The line is hidden from screen readers, because the text next to it
 * explains the mistake.
 */
export function caret(text: string, place: Mistake): Html {
  const [line = '', carets = ''] = excerpt(text, place)
  const column = carets.indexOf('^')
  const cut = column > ROOM ? column - KEPT : 0
  const begin = cut > 0 ? '…' : ''
  const below = carets.slice(cut).replaceAll('\t', ' ')
  return html`<pre class="caret" aria-hidden="true">${begin}${bdi(line.slice(cut))}
<b>${begin && ' '}${below}</b></pre>`
}
