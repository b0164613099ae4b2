/** The shared parts of forms about accounts. */
import { meantTimeZone } from '../../../../domain/schedule/similar-time-zone.ts'
import { timeZones } from '../../../../domain/schedule/time-zones.ts'
import { type Html, html } from '../../html.ts'
import { shown } from '../words/text.ts'
import { textField } from './fields.ts'

export const PASSWORD_HELP = 'At least 10 characters. Several words are easy to remember and hard to guess.'

const ZONE_HELP = 'Such as Europe/Riga. Times on pages are in this zone.'

/** Renders a field for a time zone, with all names as suggestions. The script fills an empty one. */
export function zoneField(field: {
  value: string
  label?: string
  /** true: the script does not fill it */
  isOptional?: boolean
  error?: string | undefined
  hasFocus?: boolean
  help?: string
}): Html {
  const options = timeZones.map((name) => html`<option value="${name}"></option>`)
  const { label = 'Time zone', isOptional = false, help = ZONE_HELP, ...rest } = field
  return html`${textField({ ...rest, name: 'tz', label, list: 'zones', ...(isOptional ? {} : { zone: 'if-empty' }), help })}<datalist id="zones">${options}</datalist>`
}

/** Explains that a name is not a time zone, and suggests the one that was probably meant. */
export function zoneError(name: string): string {
  if (name === '') return 'Write a time zone, such as Europe/Riga or UTC.'
  const meant = meantTimeZone(name)
  return `${shown(name)} is no time zone.${meant === null ? '' : ` ${meant}?`}`
}
