/** What shows that a job pings a check already: a URL, an address, a program that pings, or the setting of such a program. */

export interface PingedChecks {
  /** UUIDs, in lower case */
  readonly ids: readonly string[]
  readonly slugs: readonly string[]
}

/** Null: what it is stands elsewhere, as in a variable. */
interface Ping {
  readonly id: string | null
  readonly slug: string | null
}

/** Why no check is proposed for a job that pings. */
export const PINGS_ALREADY = 'The job pings a check already.'
/** The same for one that pings by email. */
export const MAILS_ALREADY = 'MAILTO mails the output of the job to a check.'

/** Which checks the lines of a text ping, as far as they tell it. Lines that begin with `#` are comments. */
export function pingedChecks(text: string): PingedChecks {
  const pings = text.split('\n').flatMap((line) => (/^\s*#/.test(line) ? [] : pingsOf(line)))
  return {
    ids: pings.flatMap(({ id }) => id ?? []),
    slugs: pings.flatMap(({ slug }) => slug ?? []),
  }
}

/** True for a command, a part of one, or a setting as `NAME=value`, that seems to ping a check. */
export function seemsToPing(text: string): boolean {
  return pingsOf(text).length > 0
}

const WORD = /[^\s'"`;|()<>]+/g

/** Word by word: an expression for all of a URL goes through a word again from each `http:` in it. */
function pingsOf(text: string): Ping[] {
  const words = joined(text).match(WORD) ?? []
  const told = words.flatMap((word) => pingOf(unescaped(word)) ?? [])
  return [...told, ...pingsByProgram(words), ...(SETTING.test(text) ? [UNKNOWN] : [])]
}

/** With what is quoted on its own at the end of a URL, such as `/ping/'"$UUID"`, and what a command gives there. */
function joined(text: string): string {
  return text.replace(/(\/ping\/)["']{1,4}(?=[\w$`])/g, '$1').replaceAll('/ping/`', '/ping/$')
}

const UNKNOWN: Ping = { id: null, slug: null }

/** Without percent escapes, which a crontab writes as `\%`. */
function unescaped(word: string): string {
  if (!word.includes('%')) return word
  return word.replace(/\\?%([2-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

function pingOf(word: string): Ping | null {
  if (PING_VARIABLE.test(variableOf(word)?.[1] ?? '')) return UNKNOWN
  const address = addressOf(word)
  return address === null ? byMail(word) : byPath(address)
}

/** `$NAME` or `${NAME}` at the beginning, with the name as its first group. */
const variableOf = (word: string) => /^\$\{?(\w{1,60})(?!\w)\}?/.exec(word)
/** A name that says that a ping URL is in the variable, such as `HC_URL`. */
const PING_VARIABLE = /(?:^|_)(?:HC|HEALTHCHECKS?|OVERDUE|PING)(?:_\w+)?_(?:URL|UUID|ENDPOINT)$/i
/** A name that says that the beginning of a URL is in it. */
const BASE_VARIABLE = /PING|HC|CHECK|OVERDUE|URL|ENDPOINT|SITE|HOST|SERVER|BASE/i

interface Address {
  readonly host: string
  /** from its first slash on */
  readonly path: string
  /** false: the word may be the name of a file, too */
  readonly isUrl: boolean
}

/** A host without a scheme, which is enough for curl. */
const BARE_HOST =
  /^((?=[^/]{1,253}\/)(?:[a-z\d-]+\.)+[a-z\d-]+|localhost|[a-z\d-]{1,63}(?=(?::\d{1,5})?\/ping\/[\da-f]{8}-)|\[[\da-f:]{2,40}\])(?::\d{1,5})?(?=\/)/i

function addressOf(word: string): Address | null {
  const url = /https?:\/\/([^/]*)(.*)/is.exec(word)
  if (url !== null) return { host: hostName(url[1] ?? ''), path: url[2] ?? '', isUrl: true }
  const [variable, name] = variableOf(word) ?? []
  if (variable !== undefined && BASE_VARIABLE.test(name ?? ''))
    return { host: '', path: word.slice(variable.length), isUrl: true }
  const bare = BARE_HOST.exec(word)
  return bare === null ? null : { host: bare[1] ?? '', path: word.slice(bare[0].length), isUrl: false }
}

/** Without a login and a port. */
const hostName = (authority: string) => authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d*$/, '')

/** Servers that only take pings. */
const PING_HOSTS = /^(?:[\w-]+\.)?(?:hc-ping\.com|hchk\.io)$/i
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
/** What may follow: an ending of a ping URL, or something that is no further part of the path. */
const ENDING = '(?=$|[^\\w/-]|/(?:$|[^\\w-]|(?:start|fail|log|\\d{1,3})(?![\\w-])))'
const BY_ID = new RegExp(`(?<!/checks)/(${UUID})${ENDING}`, 'gi')
const NAME = '[\\w-]+|\\$\\{?\\w+\\}?|%\\w+%'
const BY_SLUG = new RegExp(`/ping/(?:${NAME})/(${NAME})${ENDING}`, 'i')
/** Ping keys have 22 letters and digits, here and at Healthchecks. */
const BY_KEY = new RegExp(`^/(?=[\\w-]*\\d|[a-z_-]*[A-Z])[\\w-]{22}/([a-z\\d_-]+)${ENDING}`)

function byPath({ host, path, isUrl }: Address): Ping | null {
  const isPingHost = PING_HOSTS.test(host)
  const isCertain = isUrl || isPingHost
  const id = [...path.matchAll(BY_ID)].at(-1)?.[1]
  if (id !== undefined && (isCertain || path.includes('/ping/'))) return { id: id.toLowerCase(), slug: null }
  const slug = BY_SLUG.exec(path)?.[1] ?? (isCertain ? BY_KEY.exec(path)?.[1] : undefined)
  if (slug !== undefined) return { id: null, slug: /^[a-z\d_-]+$/.test(slug) ? slug : null }
  return isPingHost && path.length > 1 ? UNKNOWN : /\/ping\/[$%{]/.test(path) ? UNKNOWN : null
}

const BY_MAIL = new RegExp(`(?:(${UUID})|[\\w-]{22}\\+([a-z\\d_-]{1,100}))@[a-z\\d]`, 'i')

function byMail(word: string): Ping | null {
  const [, id, slug] = BY_MAIL.exec(word) ?? []
  if (id !== undefined) return { id: id.toLowerCase(), slug: null }
  return slug === undefined ? null : { id: null, slug }
}

/** Programs that ping for the command that they begin. */
const WRAPPERS = new Set(['runitor', 'task-mon', 'hc-runner', 'hchk', 'hc-ping', 'hcping', 'hc-run', 'hcw'])
const IS_UUID = new RegExp(`^${UUID}$`, 'i')

function pingsByProgram(words: readonly string[]): Ping[] {
  const at = words.findIndex((word, index) => pings(word, words[index + 1], index))
  if (at < 0) return []
  const named = words.slice(at + 1).flatMap((word, index, after): Ping[] => {
    const [, name, attached] = /^--?(?:uuid|slug|check|hcp-id)(=?)(.*)$/.exec(word) ?? []
    if (name === undefined) return []
    const value = name === '=' ? attached : after[index + 1]
    if (value === undefined) return []
    return IS_UUID.test(value) ? [{ id: value.toLowerCase(), slug: null }] : [{ id: null, slug: value }]
  })
  return [UNKNOWN, ...named]
}

/** An option follows the program, or nothing stands before it: otherwise it may be the argument of another one. */
function pings(word: string, next: string | undefined, index: number): boolean {
  const program = word.slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1).replace(/\.exe$/i, '')
  if (program === 'overdue') return next === 'ping'
  if (word.startsWith('--hcp-id')) return true
  if (!WRAPPERS.has(program)) return false
  return index === 0 || next?.startsWith('-') === true || IS_UUID.test(next ?? '')
}

/** Settings of these programs, which name a check. */
const SETTING =
  /\b(?:CHECK_UUID|CHECK_SLUG|HC_PING_KEY|HC_RUNNER_URL|HCP_ID|(?:HC|HEALTHCHECKS?(?:_?IO)?|OVERDUE)_(?:UUID|PING_URL))["']?\s*[=:]\s*["']?[\w$]/
