/** Filled-in forms of every kind of integration: the samples of the transports. */
import type { Typed } from '../../src/domain/channel/typed-settings.ts'
import { transportOf } from '../transports/kinds.ts'
import type { Fields } from './browser.ts'

interface FilledForm {
  readonly fields: Fields
  /** settings that the form stores */
  readonly settings: unknown
  /** error of each field that can be wrong, in the order of the form */
  readonly mistyped: Fields
}

export function filledForm(kind: string): FilledForm {
  const { typed, settings, mistyped } = transportOf(kind).sample
  return { fields: inForm(typed), settings, mistyped: inForm(mistyped) }
}

function inForm(typed: Typed): Fields {
  return Object.fromEntries(Object.entries(typed).map(([name, text]) => [`set-${name}`, text]))
}
