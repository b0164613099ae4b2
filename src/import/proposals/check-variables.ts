/** Names of variables and settings whose values name a check, for all schedulers. */

/** Programs after which people name such variables. */
const PRODUCT = '(?:HC(?:P|_?IO)?|HEALTH_?CHECKS?(?:_?IO)?|OVERDUE)'
const NOUN = '(?:URL|ENDPOINT|UUID|ID|SLUG)'
/**
 * Matches `HC_URL`, `HC_BACKUP_UUID`, `HEALTHCHECKS_ID`, `OVERDUE_CHECK`, `PING_URL_NIGHTLY`, `CHECK_SLUG`, `HC_PING_KEY`. Keys
 * of the API name no check.
 */
const NAME = new RegExp(
  `(?:^|_)(?:(?:${PRODUCT}|PING)(?:_\\w+_|_?)${NOUN}(?:_\\w+)?|${PRODUCT}_CHECK|CHECK_?${NOUN}|(?:${PRODUCT}|PING|CHECK)(?:_PING)?_?KEY)$`,
  'i',
)
const LENGTH_MAX = 60

/** Returns true for a name whose value names a check. */
export function namesCheck(name: string): boolean {
  return name.length <= LENGTH_MAX && NAME.test(name)
}

/** Matches `NAME=value`, `NAME: value`, `"NAME":"value"`. A value may itself contain a setting. */
const SETTING = /\b([A-Za-z]\w{0,59})["']?\s{0,20}[=:]\s{0,20}["']?(?=([\w$`][^\s'"`;|()<>]{0,99}))/g
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/i

/** Returns true if a setting in the text names a check by something other than a ping URL. */
export function setsCheck(text: string): boolean {
  return [...text.matchAll(SETTING)].some(([, name = '', value = '']) => namesCheck(name) && mayBeCheck(name, value))
}

/** Excludes a URL that is not a ping URL, and a number: `HEALTHCHECK_URL=http://localhost/health`, `CHECK_ID=5`. */
function mayBeCheck(name: string, value: string): boolean {
  if (/^[$`]/.test(value)) return true
  if (/(?:^|_)(?:ID|CHECK)(?:_|$)/i.test(name) && !/UUID|SLUG|KEY|URL/i.test(name)) return UUID.test(value)
  return /PING/i.test(name) || !/URL|ENDPOINT/i.test(name)
}
