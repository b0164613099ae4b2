/** Recognizes that a job already pings a check, by a URL, an email address, a program that pings, or a variable that names a check. */
import { namesCheck, setsCheck } from './check-variables.ts'

export interface PingedChecks {
  /** UUIDs, in lower case */
  readonly ids: readonly string[]
  readonly slugs: readonly string[]
}

/** The id or slug of the pinged check. Both are null if the text does not contain either, for example because they are in a variable. */
interface Ping {
  readonly id: string | null
  readonly slug: string | null
}

/** Reason why no check is proposed for a job that already pings. */
export const PINGS_ALREADY = 'The job pings a check already.'
/** Reason why no check is proposed for a job that already pings by email. */
export const MAILS_ALREADY = 'MAILTO mails the output of the job to a check.'

/** Returns the checks that a text pings, if their ids or slugs are in the text. Lines that begin with `#` are comments. */
export function pingedChecks(text: string): PingedChecks {
  const pings = text.split('\n').flatMap((line) => (/^\s*#/.test(line) ? [] : pingsOf(line)))
  return {
    ids: pings.flatMap(({ id }) => id ?? []),
    slugs: pings.flatMap(({ slug }) => slug ?? []),
  }
}

/** Returns true if a text seems to ping a check. The text is a command, a part of a command, or a setting such as `NAME=value`. */
export function seemsToPing(text: string): boolean {
  return pingsOf(text).length > 0
}

/**
 * Does the same as {@link seemsToPing}, but also recognizes this server's ping URLs, which may have a different path. @param pingEndpoint
 * ping URL without the part that names the check
 */
export function seemsToPingHere(text: string, pingEndpoint: string): boolean {
  return seemsToPing(text) || text.includes(pingEndpoint)
}

const WORD = /[^\s'"`;|()<>]+/g

/** Finds pings in a text, one URL at a time. A single regular expression would take quadratic time on a word that contains many `http:`. */
function pingsOf(text: string): Ping[] {
  const words = joined(text).match(WORD) ?? []
  const named = words.flatMap((word) => unescaped(word).split(/(?=https?:\/\/)/i)).flatMap((part) => pingOf(part) ?? [])
  return [...named, ...pingsByProgram(words), ...(setsCheck(text) ? [UNKNOWN] : [])]
}

/**
 * Joins the parts of each URL into one word. The parts may be quoted, as in `/ping/'"$UUID"`, or may be commands or Kubernetes variables
 * such as `$(NAME)`.
 */
function joined(text: string): string {
  return text
    .replace(/\$\((\w{1,60})\)/g, '$${$1}')
    .replace(/(\/ping\/)["']{1,4}(?=[\w$`])/g, '$1')
    .replaceAll('/ping/`', '/ping/$')
}

const UNKNOWN: Ping = { id: null, slug: null }

/** Decodes percent escapes. In a crontab, they are written with `\%`. */
function unescaped(word: string): string {
  if (!word.includes('%')) return word
  return word.replace(/\\?%([2-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

function pingOf(word: string): Ping | null {
  if (namesCheck(variableOf(word)?.[1] ?? '')) return UNKNOWN
  const address = addressOf(word)
  return address === null ? byMail(word) : byPath(address)
}

/** Matches `$NAME`, `${NAME}`, `$env:NAME` or `%NAME%` at the beginning; the first group is the name. */
const variableOf = (word: string) => /^(?:\$(?:env:)?\{?|%)(\w{1,60})(?!\w)[}%]?/i.exec(word)
/** Matches names of variables that contain the beginning of a ping URL. */
const BASE_VARIABLE = /^(?!.*HOOK).*(?:PING|HC|CHECK|OVERDUE|URL|ENDPOINT|SITE|HOST|SERVER|BASE)/i

interface Address {
  readonly host: string
  /** path, beginning with a slash */
  readonly path: string
  /** false if the word may also be a file name */
  readonly isUrl: boolean
}

/** Matches a host without a scheme, which curl accepts. */
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

/** Returns the host name without login and port. */
const hostName = (authority: string) => authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d*$/, '')

/** Matches servers that only receive pings. */
const PING_HOSTS = /^(?:[\w-]+\.)?(?:hc-ping\.com|hchk\.io)$/i
/** Matches services whose URLs look like ping URLs. Some of them monitor jobs too; such jobs can be moved to this server. */
const OTHER_SERVICES =
  /(?:^|\.)(?:cronitor\.(?:io|link)|cronhub\.io|pushmon\.com|nosnch\.in|webhook\.site|pipedream\.net|make\.com|(?:amazonaws|googleapis|azure|office|microsoftonline)\.com|(?:windows|azurewebsites)\.net)$/i
/** Matches servers of other programs that use a UUID as the first path segment. */
const OTHER_HOSTS =
  /^(?:(?:web)?hooks?|n8n|grafana|s3|minio|cdn|files?|downloads?|uploads?|media|login|auth|sso)\d*[.-]/i
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const SIGNAL = '(?:start|fail|log|(?:un)?silence|\\d{1,3})(?![\\w-])'
/** Matches the end of the path, or an ending that a ping URL can have. */
const ENDING = `(?=$|[^\\w/.-]|\\.(?!\\w)|/(?:$|[^\\w-]|${SIGNAL}))`
const BY_PING_PATH = new RegExp(`/ping/(${UUID})${ENDING}`, 'gi')
/** Matches a UUID at the root of a server, as in URLs of hc-ping.com, or below the program's name. */
const BY_ROOT = new RegExp(
  `^(?:/(?:hc|hc-ping|healthchecks?|overdue))?/(${UUID})${ENDING}(/${SIGNAL}|/[$%\`{]|\\?(?:rid|create)=)?`,
  'i',
)
const NAME = '[\\w-]+|\\$\\{?\\w+\\}?|%\\w+%'
const BY_SLUG = new RegExp(`/ping/(?:${NAME})/(${NAME})${ENDING}`, 'i')
/** Matches a path with a ping key, which has 22 letters and digits in Overdue and Healthchecks. */
const BY_KEY = new RegExp(`^/(?=[\\w-]*\\d|[a-z_-]*[A-Z])[\\w-]{22}/([a-z\\d_-]+)${ENDING}`)

function byPath({ host, path, isUrl }: Address): Ping | null {
  if (OTHER_SERVICES.test(host)) return null
  const isPingHost = PING_HOSTS.test(host)
  const isCertain = isUrl || isPingHost
  const id = [...path.matchAll(BY_PING_PATH)].at(-1)?.[1] ?? (isCertain ? idAtRoot(host, path) : null)
  if (id !== null) return { id: id.toLowerCase(), slug: null }
  const slug = BY_SLUG.exec(path)?.[1] ?? (isCertain ? BY_KEY.exec(path)?.[1] : undefined)
  if (slug !== undefined) return { id: null, slug: /^[a-z\d_-]+$/.test(slug) ? slug : null }
  return isPingHost && path.length > 1 ? UNKNOWN : /\/ping\/[$%{]/.test(path) ? UNKNOWN : null
}

/**
 * Returns the UUID at the root of a URL. Returns null if the server probably runs another program, unless a signal such as `/fail` follows
 * the UUID.
 */
function idAtRoot(host: string, path: string): string | null {
  const [, id, signal] = BY_ROOT.exec(path) ?? []
  return id !== undefined && (signal !== undefined || !OTHER_HOSTS.test(host)) ? id : null
}

const BY_MAIL = new RegExp(`(?:(${UUID})|[\\w-]{22}\\+([a-z\\d_-]{1,100}))@[a-z\\d]`, 'i')

function byMail(word: string): Ping | null {
  const [, id, slug] = BY_MAIL.exec(word) ?? []
  if (id !== undefined) return { id: id.toLowerCase(), slug: null }
  return slug === undefined ? null : { id: null, slug }
}

/** Programs that start a command and send pings for it. */
const WRAPPERS = new Set([
  'overdue-run',
  'runitor',
  'task-mon',
  'hc-runner',
  'hchk',
  'hc-ping',
  'hcping',
  'hc-run',
  'hcw',
])
const IS_UUID = new RegExp(`^${UUID}$`, 'i')

function pingsByProgram(words: readonly string[]): Ping[] {
  const at = words.findIndex((word, index) => pings(word, words[index + 1], index))
  if (at < 0) return []
  const after = words.slice(at + 1)
  const end = after.indexOf('--')
  const options = end < 0 ? after : after.slice(0, end)
  const named = options.flatMap((word, index): Ping[] => {
    const [, name, attached] = /^--?(?:uuid|slug|check|hcp-id)(=?)(.*)$/.exec(word) ?? []
    if (name === undefined) return []
    const value = name === '=' ? attached : options[index + 1]
    // URLs are recognized by other code.
    if (value === undefined || value.includes('://')) return []
    return IS_UUID.test(value) ? [{ id: value.toLowerCase(), slug: null }] : [{ id: null, slug: value }]
  })
  return [UNKNOWN, ...named]
}

/** Returns true if the word is the first one, or if an option follows it. Otherwise the word may be an argument of another program. */
function pings(word: string, next: string | undefined, index: number): boolean {
  const program = word.slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1).replace(/\.exe$/i, '')
  if (program === 'overdue') return next === 'ping' || next === 'run'
  if (word.startsWith('--hcp-id')) return true
  if (!WRAPPERS.has(program)) return false
  return index === 0 || next?.startsWith('-') === true || IS_UUID.test(next ?? '')
}
