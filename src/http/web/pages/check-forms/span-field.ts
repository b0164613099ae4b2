/** A form field for a duration: a number and its unit. */
import { type Html, html } from '../../html.ts'
import { common, type Field, labelled } from '../../parts/forms/fields.ts'

/** A duration as the user typed it. */
export interface Span {
  readonly amount: string
  readonly unit: string
}

const UNITS: ReadonlyMap<string, number> = new Map([
  ['seconds', 1],
  ['minutes', 60],
  ['hours', 3_600],
  ['days', 86_400],
])

export const UNIT_NAMES: readonly string[] = [...UNITS.keys()]

/** Converts seconds to the largest unit that gives a whole number. */
export function spanOf(seconds: number): Span {
  const [unit, size] = [...UNITS].findLast(([, size]) => seconds % size === 0) ?? ['seconds', 1]
  return { amount: String(seconds / size), unit }
}

/** Converts a typed duration to seconds. Returns null unless it consists of an integer and a unit. */
export function spanSeconds({ amount, unit }: Span): number | null {
  const size = UNITS.get(unit)
  return size === undefined || !/^\d+$/.test(amount) ? null : Number(amount) * size
}

/** Returns the name of the control that selects the unit. */
export function unitName(name: string): string {
  return `${name}-unit`
}

export function spanField(field: Field & { readonly value: Span }): Html {
  const { name, label, value } = field
  const options = UNIT_NAMES.map((unit) => html`<option${unit === value.unit && html` selected`}>${unit}</option>`)
  const controls = html`<div class="inline"><input class="in" id="${name}" name="${name}" inputmode="numeric" autocomplete="off" size="6" value="${value.amount}"${common(field)}><select name="${unitName(name)}" aria-label="Unit of: ${label}">${options}</select></div>`
  return labelled(field, controls)
}
