/** Reads the settings of single kinds of channel. */
import { KIND_SWITCHES, OPERATOR_SETTINGS, OPERATOR_SWITCHES } from '../domain/channel/operator.ts'
import { endpoint, flag, type Parse, text } from './parsers.ts'
import type { Settings } from './settings.ts'

/** The settings that are the URL of a server. */
const URLS: Readonly<Record<string, Parse<string>>> = {
  APPRISE_URL: endpoint('https://apprise.example.org/notify'),
  MATRIX_HOMESERVER: endpoint('https://matrix.example.org'),
}

/** @returns those that are set, by name; a switch only where it differs from its default */
export function readOperatorSettings(settings: Settings): Record<string, string> {
  const texts = OPERATOR_SETTINGS.map((name) => [name, settings.get(name, null, URLS[name] ?? text(1000))] as const)
  const switches = OPERATOR_SWITCHES.map((name) => [name, settings.get(name, 'False', flag) ? 'True' : null] as const)
  const kinds = Object.values(KIND_SWITCHES).map(
    (name) => [name, settings.get(name, 'True', flag) ? null : 'False'] as const,
  )
  return Object.fromEntries(
    [...texts, ...switches, ...kinds].flatMap(([name, value]) => (value ? [[name, value]] : [])),
  )
}
