/** The mute page's data. */
import type { Calendar } from '../../../../domain/silence/calendar.ts'
import type { EndChoice } from '../../../../domain/silence/choice.ts'
import type { HiddenCheck, TriedSilence } from '../../../../services/silences/planned.ts'
import type { NamedSilence, NamedSilences } from '../../../../services/silences/silence-checks.ts'
import type { PageContext } from '../../context.ts'
import type { FieldErrors } from '../../parts/forms/fields.ts'
import type { NamedScope } from './names.ts'

/** The form's values, either initial or submitted. */
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
  /** for each silence, the checks for which its window hides every run */
  readonly hidden: ReadonlyMap<TriedSilence, readonly HiddenCheck[]>
  readonly calendar: Calendar
  /** the silences that appear in the calendar */
  readonly planned: readonly NamedSilence[]
}
