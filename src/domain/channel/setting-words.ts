/** Settings of the operator in words, for messages about a missing one. */

interface SettingWords {
  /** the thing that is missing without the setting, in words */
  readonly gives: string
  /** the page on which administrators may set it instead; null: none */
  readonly page: string | null
}

const MAIL_SERVER: SettingWords = { gives: 'a mail server', page: 'Administration › Mail' }

/** @param setting name of a variable of the environment */
export function settingWords(setting: string): SettingWords {
  return setting === 'EMAIL_HOST' ? MAIL_SERVER : { gives: setting, page: null }
}
