/** Settings of the operator for kinds of channel that need an application registered, or a server named. */

export const OPERATOR_SETTINGS = [
  'APPRISE_URL',
  'MATRIX_HOMESERVER',
  'MATRIX_ACCESS_TOKEN',
  'NTFY_SH_TOKEN',
  'PUSHOVER_API_TOKEN',
  'PUSHOVER_EMERGENCY_RETRY_DELAY',
  'PUSHOVER_EMERGENCY_EXPIRATION',
  'SIGNAL_CLI_SOCKET',
  'TELEGRAM_TOKEN',
  'TRELLO_APP_KEY',
  'TWILIO_ACCOUNT',
  'TWILIO_AUTH',
  'TWILIO_FROM',
  'TWILIO_MESSAGING_SERVICE_SID',
  'WHATSAPP_DOWN_CONTENT_SID',
  'WHATSAPP_UP_CONTENT_SID',
] as const

/** Kinds that are off until the operator says True; set only then. */
export const OPERATOR_SWITCHES = ['SHELL_ENABLED'] as const

/** `EMAIL_HOST` is read with the rest of the mail server, and is only its host's name here. */
export type OperatorSettingName = (typeof OPERATOR_SETTINGS)[number] | (typeof OPERATOR_SWITCHES)[number] | 'EMAIL_HOST'
