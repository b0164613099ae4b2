/** The shared parts of forms about accounts. */
import { meantTimeZone } from '../../../../domain/schedule/similar-time-zone.ts'
import { type Html, html } from '../../html.ts'
import { shown } from '../words/text.ts'
import { textField } from './fields.ts'
import { ZONE_LIST, zoneList } from './zone-list.ts'

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
  const { label = 'Time zone', isOptional = false, help = ZONE_HELP, ...rest } = field
  return html`${textField({ ...rest, name: 'tz', label, list: ZONE_LIST, ...(isOptional ? {} : { zone: 'if-empty' }), help })}${zoneList()}`
}

/** Explains that a name is not a time zone, and suggests the one that was probably meant. */
export function zoneError(name: string): string {
  if (name === '') return 'Write a time zone, such as Europe/Riga or UTC.'
  const meant = meantTimeZone(name)
  return `${shown(name)} is no time zone.${meant === null ? '' : ` ${meant}?`}`
}
