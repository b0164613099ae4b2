/** Settings of the operator for kinds of channel that need an application registered, or a server named. */

export const OPERATOR_SETTINGS = [
  'APPRISE_URL',
  'MATRIX_HOMESERVER',
  'MATRIX_ACCESS_TOKEN',
  'NTFY_SH_TOKEN',
  'PUSHOVER_API_TOKEN',
  'PUSHOVER_EMERGENCY_RETRY_DELAY',
  'PUSHOVER_EMERGENCY_EXPIRATION',
  'TELEGRAM_TOKEN',
  'TRELLO_APP_KEY',
  'TWILIO_ACCOUNT',
  'TWILIO_AUTH',
  'TWILIO_FROM',
  'TWILIO_MESSAGING_SERVICE_SID',
  'WHATSAPP_DOWN_CONTENT_SID',
  'WHATSAPP_UP_CONTENT_SID',
] as const
export type OperatorSettingName = (typeof OPERATOR_SETTINGS)[number]
