/** Descriptions of operator settings, for messages that say that a setting is missing. */

interface SettingWords {
  /** feature that requires the setting */
  readonly gives: string
  /** page on which administrators can provide the setting instead; null: there is no such page */
  readonly page: string | null
}

const MAIL_SERVER: SettingWords = { gives: 'a mail server', page: 'Administration › Mail' }

/** @param setting name of an environment variable */
export function settingWords(setting: string): SettingWords {
  return setting === 'EMAIL_HOST' ? MAIL_SERVER : { gives: setting, page: null }
}
