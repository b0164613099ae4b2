/** Groups the settings as docs/settings.md does, by the headings above its tables. */
import document from '../../docs/settings.md' with { type: 'text' }
import { KIND_SETTINGS } from '../transports/operator.ts'
import { isSecretName, type ShownSetting } from './settings.ts'

/** Heading of the settings that docs/channels.md explains for each kind of channel. */
const OF_KINDS = 'Kinds of channel'
/** Heading of the settings that are not in any table. */
const WITHOUT_EFFECT = 'Without effect'

/** Maps each setting that is in a table to its heading. Tables before the first heading belong to `The server`. */
const SECTIONS: ReadonlyMap<string, string> = new Map(
  `\n## The server\n${document}`.split('\n## ').flatMap((section) => {
    const rows = section.matchAll(/^\| (`[A-Z].*?) \|/gm)
    const names = Array.from(rows, ([, cell = '']) => cell.match(/[A-Z][A-Z0-9_]+/g) ?? []).flat()
    return names.map((name) => [name, section.slice(0, section.indexOf('\n'))] as const)
  }),
)

/** The setting groups, in the order of the document. */
export const SETTING_GROUPS: readonly string[] = [...new Set([...SECTIONS.values(), WITHOUT_EFFECT])]

function groupOf(name: string): string {
  return SECTIONS.get(name) ?? (KIND_SETTINGS.has(name) ? OF_KINDS : WITHOUT_EFFECT)
}

/** A setting as shown to administrators. */
interface GroupedSetting extends Omit<ShownSetting, 'from'> {
  /** one of {@link SETTING_GROUPS} */
  readonly group: string
  readonly isSecret: boolean
  readonly from: ShownSetting['from'] | 'database'
}

/** @param shown all of the server's settings. If no secret key is set, the database has generated one */
export function groupedSettings(shown: readonly ShownSetting[]): readonly GroupedSetting[] {
  return shown.map((setting) => {
    const grouped = { ...setting, group: groupOf(setting.name), isSecret: isSecretName(setting.name) }
    const isMade = setting.name === 'SECRET_KEY' && setting.value === null
    return isMade ? { ...grouped, value: '(set)', from: 'database' } : grouped
  })
}
