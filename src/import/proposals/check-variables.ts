/** Recognizes variables and settings whose values identify a check, for jobs of any scheduler. */

/** Matches the program names with which such variables begin. */
const PRODUCT = '(?:HC(?:P|_?IO)?|HEALTH_?CHECKS?(?:_?IO)?|OVERDUE)'
const NOUN = '(?:URL|ENDPOINT|UUID|ID|SLUG)'
/**
 * Matches `HC_URL`, `HC_BACKUP_UUID`, `HEALTHCHECKS_ID`, `OVERDUE_CHECK`, `PING_URL_NIGHTLY`, `CHECK_SLUG`, `HC_PING_KEY`. API keys do not
 * identify a check.
 */
const NAME = new RegExp(
  `(?:^|_)(?:(?:${PRODUCT}|PING)(?:_\\w+_|_?)${NOUN}(?:_\\w+)?|${PRODUCT}_CHECK|CHECK_?${NOUN}|(?:${PRODUCT}|PING|CHECK)(?:_PING)?_?KEY)$`,
  'i',
)
const LENGTH_MAX = 60

/** Returns true if a variable with this name identifies a check. */
export function namesCheck(name: string): boolean {
  return name.length <= LENGTH_MAX && NAME.test(name)
}

/** Matches `NAME=value`, `NAME: value`, `"NAME":"value"`. A value may itself contain a setting. */
const SETTING = /\b([A-Za-z]\w{0,59})["']?\s{0,20}[=:]\s{0,20}["']?(?=([\w$`][^\s'"`;|()<>]{0,99}))/g
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/i

/** Returns true if a setting in the text identifies a check without a ping URL. */
export function setsCheck(text: string): boolean {
  return [...text.matchAll(SETTING)].some(([, name = '', value = '']) => namesCheck(name) && mayBeCheck(name, value))
}

/** Returns false for numbers and for URLs other than ping URLs, as in `CHECK_ID=5` and `HEALTHCHECK_URL=http://localhost/health`. */
function mayBeCheck(name: string, value: string): boolean {
  if (/^[$`]/.test(value)) return true
  if (/(?:^|_)(?:ID|CHECK)(?:_|$)/i.test(name) && !/UUID|SLUG|KEY|URL/i.test(name)) return UUID.test(value)
  return /PING/i.test(name) || !/URL|ENDPOINT/i.test(name)
}
