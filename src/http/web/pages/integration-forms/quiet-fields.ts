/** The fields for quiet hours in an integration's form. While the user types, the script requests an explanation of them. */
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
  /** parsed quiet hours; null if there are none, or if they contain mistakes */
  readonly window: MaintenanceWindow | null
  readonly mistakes: WindowMistakes
}

/** @param tz time zone in the reader's account, used for new quiet hours */
export function storedQuiet(quiet: QuietHours | null, tz: string): TypedQuiet {
  const typed = quiet === null ? { from: '', until: '', tz } : typedWindow(quiet)
  return { typed, window: quiet, mistakes: {} }
}

export function readQuiet(form: Form, now: Instant): TypedQuiet {
  const typed = readWindowFields(form, PREFIX)
  if (isBlankWindow(typed)) return { typed, window: null, mistakes: {} }
  return { typed, ...readTypedWindow(typed, now) }
}

/**
 * Returns the quiet hours to store. Call it only if the form has no mistakes.
 * @param stored the stored quiet hours, which include a value without a form field; null if there are none
 */
export function quietHoursOf({ window }: TypedQuiet, stored: QuietHours | null): QuietHours | null {
  return window && { upTo: stored?.upTo ?? 'down', ...window }
}

export function hasMistakes({ mistakes }: TypedQuiet): boolean {
  return Object.keys(mistakes).length > 0
}

/** @param path the preview's path, including the SITE_ROOT path prefix @param mayFocus true if no field above has a mistake */
export function quietFields(quiet: TypedQuiet, path: string, now: Instant, mayFocus: boolean): Html {
  const shown = formOf(quiet)
  const isOpen = !isBlankWindow(quiet.typed)
  const into = [`#${NEXT}`, ...belowWindowSelectors(PREFIX)].join()
  const focus = mayFocus ? firstBad(windowFieldNames(PREFIX), shown.errors) : null
  return html`<details class="advanced"${isOpen && ' open'}><summary>Quiet hours</summary><div class="form" data-preview="${path}" data-preview-into="${into}"><p class="help">During quiet hours, alerts are held, including those about recoveries. They are sent when the quiet hours end. Leave both times empty for no quiet hours.</p>
${windowFields(shown, focus)}
${meaning(quiet, now)}</div></details>`
}

/** Renders the parts that are updated while the user types. */
export function quietFragment(quiet: TypedQuiet, now: Instant): Html {
  return html`${meaning(quiet, now)}${belowWindowFields(formOf(quiet))}`
}

function formOf({ typed, mistakes }: TypedQuiet) {
  return { prefix: PREFIX, typed, errors: windowErrors(PREFIX, mistakes) }
}

function meaning({ window }: TypedQuiet, now: Instant): Html {
  return html`<div id="${NEXT}" role="status">${window && meaningWords(window, now)}</div>`
}

/** Number of upcoming quiet periods to list. */
const SHOWN = 3

/** States when the quiet hours are, and lists the next ones. All times are in the quiet hours' own time zone, as typed by the user. */
function meaningWords(window: MaintenanceWindow, now: Instant): Html {
  const { tz } = window
  const next = occurrencesFrom(window, now, SHOWN).map((one) => html`<li>${occurrenceWords(one, { now, tz })}</li>`)
  return html`<p>${sentence(windowWords(window))}</p><ul class="help" aria-label="Next">${next}</ul>`
}
