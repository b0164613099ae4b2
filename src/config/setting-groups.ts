/** The settings as docs/settings.md groups them. */
import { KIND_SETTINGS } from './operator.ts'
import { isSecretName, type ShownSetting } from './settings.ts'

/** In the order of the document, by its headings; what comes before the first one is `The server`. */
export const SETTING_GROUPS = [
  'The server',
  'Signing in',
  'Mail',
  'Kinds of channel',
  'Mail pings',
  'Tracing',
  'Without effect',
] as const
export type SettingGroup = (typeof SETTING_GROUPS)[number]

const NAMES: readonly (readonly [SettingGroup, RegExp])[] = [
  ['Without effect', /^EMAIL_MAIL_FROM_TMPL$/],
  ['Signing in', /^(?:ADMIN_|OIDC_|REMOTE_USER_HEADER$|LOCAL_SIGN_IN$|RP_ID$)/],
  ['Mail', /^(?:EMAIL_|DEFAULT_FROM_EMAIL$|REGISTRATION_OPEN$)/],
  ['Mail pings', /^(?:SMTPD_|PING_EMAIL_DOMAIN$)/],
  ['Tracing', /^OTEL_/],
]

export function groupOf(name: string): SettingGroup {
  if (KIND_SETTINGS.has(name)) return 'Kinds of channel'
  return NAMES.find(([, names]) => names.test(name))?.[0] ?? 'The server'
}

/** A setting as administrators see it. */
export interface GroupedSetting extends Omit<ShownSetting, 'from'> {
  readonly group: SettingGroup
  readonly isSecret: boolean
  readonly from: ShownSetting['from'] | 'database'
}

/** @param shown every setting of a server, whose database makes a secret key when none is set */
export function groupedSettings(shown: readonly ShownSetting[]): readonly GroupedSetting[] {
  return shown.map((setting) => {
    const grouped = { ...setting, group: groupOf(setting.name), isSecret: isSecretName(setting.name) }
    const isMade = setting.name === 'SECRET_KEY' && setting.value === null
    return isMade ? { ...grouped, value: '(set)', from: 'database' } : grouped
  })
}
