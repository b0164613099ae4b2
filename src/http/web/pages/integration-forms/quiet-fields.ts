/** The quiet hours in the form of an integration. While a person types, the script requests what they mean. */
import type { QuietHours } from '../../../../domain/channel/quiet-hours.ts'
import { type MaintenanceWindow, occurrencesFrom } from '../../../../domain/silence/maintenance-window.ts'
import {
  isBlankWindow,
  readTypedWindow,
  type TypedWindow,
  typedWindow,
  type WindowMistakes,
} from '../../../../domain/silence/typed-window.ts'
import { windowWords } from '../../../../domain/silence/words.ts'
import type { Instant } from '../../../../lib/time.ts'
import type { Form } from '../../form.ts'
import { type Html, html } from '../../html.ts'
import { firstBad } from '../../parts/forms/fields.ts'
import {
  belowWindowFields,
  belowWindowSelectors,
  occurrenceWords,
  readWindowFields,
  windowErrors,
  windowFieldNames,
  windowFields,
} from '../../parts/forms/window-fields.ts'
import { sentence } from '../../parts/words/text.ts'

const PREFIX = 'quiet-'
const NEXT = `${PREFIX}next`

export interface TypedQuiet {
  readonly typed: TypedWindow
  /** null: there are none, or mistakes */
  readonly window: MaintenanceWindow | null
  readonly mistakes: WindowMistakes
}

/** @param tz zone of the reader's account, for new quiet hours */
export function storedQuiet(quiet: QuietHours | null, tz: string): TypedQuiet {
  const typed = quiet === null ? { from: '', until: '', tz } : typedWindow(quiet)
  return { typed, window: quiet, mistakes: {} }
}

export function readQuiet(form: Form, now: Instant): TypedQuiet {
  const typed = readWindowFields(form, PREFIX)
  if (isBlankWindow(typed)) return { typed, window: null, mistakes: {} }
  return { typed, ...readTypedWindow(typed, now) }
}

/** Returns typed quiet hours without mistakes. @param stored provides the value that the form has no field for */
export function quietHoursOf({ window }: TypedQuiet, stored: QuietHours | null): QuietHours | null {
  return window && { upTo: stored?.upTo ?? 'down', ...window }
}

export function hasMistakes({ mistakes }: TypedQuiet): boolean {
  return Object.keys(mistakes).length > 0
}

/** @param path answers with the fragment, including the path of SITE_ROOT @param mayFocus whether no field above has a mistake */
export function quietFields(quiet: TypedQuiet, path: string, now: Instant, mayFocus: boolean): Html {
  const shown = formOf(quiet)
  const isOpen = !isBlankWindow(quiet.typed)
  const into = [`#${NEXT}`, ...belowWindowSelectors(PREFIX)].join()
  const focus = mayFocus ? firstBad(windowFieldNames(PREFIX), shown.errors) : null
  return html`<details class="advanced"${isOpen && ' open'}><summary>Quiet hours</summary><div class="form" data-preview="${path}" data-preview-into="${into}"><p class="help">While they last, alerts wait, also those of recoveries. They are sent when the quiet hours end. Leave both times empty for none.</p>
${windowFields(shown, focus)}
${meaning(quiet, now)}</div></details>`
}

/** Renders the parts that change while a person types. */
export function quietFragment(quiet: TypedQuiet, now: Instant): Html {
  return html`${meaning(quiet, now)}${belowWindowFields(formOf(quiet))}`
}

function formOf({ typed, mistakes }: TypedQuiet) {
  return { prefix: PREFIX, typed, errors: windowErrors(PREFIX, mistakes) }
}

function meaning({ window }: TypedQuiet, now: Instant): Html {
  return html`<div id="${NEXT}" role="status">${window && meaningWords(window, now)}</div>`
}

/** Number of occurrences that are shown. */
const SHOWN = 3

/** Says when the quiet hours are, and lists the next ones. All times are in the zone of the quiet hours, as they are typed. */
function meaningWords(window: MaintenanceWindow, now: Instant): Html {
  const { tz } = window
  const next = occurrencesFrom(window, now, SHOWN).map((one) => html`<li>${occurrenceWords(one, { now, tz })}</li>`)
  return html`<p>${sentence(windowWords(window))}</p><ul class="help" aria-label="Next">${next}</ul>`
}
