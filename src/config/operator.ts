/** Reads the settings that concern one kind of channel. */
import { KIND_SWITCHES, OPERATOR_SETTINGS } from '../transports/operator.ts'
import { endpoint, flag, text } from './parsers.ts'
import type { Settings } from './settings.ts'

/** @returns the values of the settings that are set, by name; includes switches only if they differ from their default */
export function readOperatorSettings(settings: Settings): Record<string, string> {
  const texts = OPERATOR_SETTINGS.filter(({ type }) => type === undefined || type === 'url').map(
    ({ name, type, example }) =>
      [name, settings.get(name, null, type === 'url' ? endpoint(example) : text(1000))] as const,
  )
  const switches = OPERATOR_SETTINGS.filter(({ type }) => type === 'flag').map(
    ({ name }) => [name, settings.get(name, 'False', flag) ? 'True' : null] as const,
  )
  const kinds = KIND_SWITCHES.map((name) => [name, settings.get(name, 'True', flag) ? null : 'False'] as const)
  return Object.fromEntries(
    [...texts, ...switches, ...kinds].flatMap(([name, value]) => (value ? [[name, value]] : [])),
  )
}
