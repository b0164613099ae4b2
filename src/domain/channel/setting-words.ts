/** Settings of the operator in words, for messages about a missing one. */

interface SettingWords {
  /** what is missing without it */
  readonly gives: string
  /** where administrators may enter that instead; null: nowhere */
  readonly page: string | null
}

const MAIL_SERVER: SettingWords = { gives: 'a mail server', page: 'Administration › Mail' }

/** @param setting name of a variable of the environment */
export function settingWords(setting: string): SettingWords {
  return setting === 'EMAIL_HOST' ? MAIL_SERVER : { gives: setting, page: null }
}
