/** Words for an operator setting, used in the message that the setting is missing. */

interface SettingWords {
  /** feature that requires the setting */
  readonly gives: string
  /** page on which administrators can set it instead; null: there is none */
  readonly page: string | null
}

const MAIL_SERVER: SettingWords = { gives: 'a mail server', page: 'Administration › Mail' }

/** @param setting name of an environment variable */
export function settingWords(setting: string): SettingWords {
  return setting === 'EMAIL_HOST' ? MAIL_SERVER : { gives: setting, page: null }
}
