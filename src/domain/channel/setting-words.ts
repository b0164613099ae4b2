/** Words for settings of the operator, for a message that one of them is missing. */

interface SettingWords {
  /** what is missing without the setting */
  readonly gives: string
  /** page on which administrators can set it instead; null: none */
  readonly page: string | null
}

const MAIL_SERVER: SettingWords = { gives: 'a mail server', page: 'Administration › Mail' }

/** @param setting name of an environment variable */
export function settingWords(setting: string): SettingWords {
  return setting === 'EMAIL_HOST' ? MAIL_SERVER : { gives: setting, page: null }
}
