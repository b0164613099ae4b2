/** The data of the mute page. */
import type { Calendar } from '../../../../domain/silence/calendar.ts'
import type { EndChoice } from '../../../../domain/silence/choice.ts'
import type { HiddenCheck, TriedSilence } from '../../../../services/silences/planned.ts'
import type { NamedSilence, NamedSilences } from '../../../../services/silences/silence-checks.ts'
import type { PageContext } from '../../context.ts'
import type { FieldErrors } from '../../parts/forms/fields.ts'
import type { NamedScope } from './names.ts'

/** The submitted or initial values of the form. */
export interface MuteForm {
  readonly choice: EndChoice
  readonly day: string
  readonly time: string
  readonly reason: string
  readonly errors: FieldErrors
}

export interface MuteData extends PageContext, NamedScope {
  readonly slug: string
  /** local path of the page to open afterwards */
  readonly back: string
  readonly form: MuteForm
  readonly muted: NamedSilences
  /** checks of which a window hides every run, by the silence that the window belongs to */
  readonly hidden: ReadonlyMap<TriedSilence, readonly HiddenCheck[]>
  readonly calendar: Calendar
  /** the silences in the calendar */
  readonly planned: readonly NamedSilence[]
}
