/** Fields and messages that account forms share. */
import { meantTimeZone } from '../../../../domain/schedule/similar-time-zone.ts'
import { type Html, html } from '../../html.ts'
import { shown } from '../words/text.ts'
import { textField } from './fields.ts'
import { ZONE_LIST, zoneList } from './zone-list.ts'

export const PASSWORD_HELP = 'At least 10 characters. Several words are easy to remember and hard to guess.'

const ZONE_HELP = 'For example, Europe/Riga. Times on pages are in this zone.'

/**
 * Renders a field for a time zone, with all zone names as suggestions. If the field is empty, the script fills in the browser's time zone.
 */
export function zoneField(field: {
  value: string
  label?: string
  /** true if the script should leave the field empty */
  isOptional?: boolean
  error?: string | undefined
  hasFocus?: boolean
  help?: string
}): Html {
  const { label = 'Time zone', isOptional = false, help = ZONE_HELP, ...rest } = field
  return html`${textField({ ...rest, name: 'tz', label, list: ZONE_LIST, ...(isOptional ? {} : { zone: 'if-empty' }), help })}${zoneList()}`
}

/** Explains that a name is not a time zone, and suggests the zone that the user probably meant. */
export function zoneError(name: string): string {
  if (name === '') return 'Type a time zone, such as Europe/Riga or UTC.'
  const meant = meantTimeZone(name)
  return `${shown(name)} is not a time zone.${meant === null ? '' : ` ${meant}?`}`
}
