/** The list of time zones that fields suggest. */
import { timeZones } from '../../../../domain/schedule/time-zones.ts'
import { type Html, html } from '../../html.ts'

/** Id of {@link zoneList}, for a field's `list`. */
export const ZONE_LIST = 'zones'

/** Renders the suggestions. A page needs only one list for all of its fields. */
export function zoneList(): Html {
  return html`<datalist id="${ZONE_LIST}">${timeZones.map((name) => html`<option value="${name}"></option>`)}</datalist>`
}
