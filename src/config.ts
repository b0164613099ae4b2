/** The only reader of the environment: every setting with its unit, its default and what it accepts. See docs/settings.md. */
import { readFileSync } from 'node:fs'
import type { LogLevel } from './domain/log.ts'
import { parseNetwork } from './domain/network.ts'
import { OPERATOR_SETTINGS } from './domain/operator.ts'
import { PING_LOG_LIMIT_MAX } from './domain/project.ts'
import type { Links } from './domain/representation.ts'

export interface Config {
  readonly host: string
  readonly port: number
  /** a file path, or `:memory:` */
  readonly databasePath: string
  readonly siteName: string
  readonly links: Links
  /** null: the database keeps one of its own */
  readonly secretKey: string | null
  /** bytes; null keeps all */
  readonly pingBodyLimit: number | null
  /** pings per check, default of new projects */
  readonly pingLogLimit: number
  /** requests per minute and API key; 0 is no limit */
  readonly apiRateLimit: number
  readonly allowPrivateAddresses: boolean
  /** addresses and networks whose X-Forwarded-* headers are believed */
  readonly trustedProxies: readonly string[]
  /** those that are set, by name */
  readonly operator: Readonly<Record<string, string>>
  readonly logLevel: LogLevel
  /** settings that are understood and given, but belong to parts that this version does not have */
  readonly withoutEffect: readonly string[]
  /** every setting by its name in the environment, as a person may see it: without secrets */
  readonly shown: readonly ShownSetting[]
}

export interface ShownSetting {
  readonly name: string
  /** null when there is neither a value nor a default */
  readonly value: string | null
  readonly from: 'environment' | 'file' | 'default'
}

/** All that is wrong with the settings, together. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'

  /** @param problems one sentence each: which setting, what is wrong, what would be right */
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'))
  }
}

export type Environment = Readonly<Record<string, string | undefined>>

const DEFAULT_PROXIES = '127.0.0.0/8,::1/128,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,fc00::/7,fe80::/10'

/**
 * @param readFile gives the text of the file that a `NAME_FILE` names
 * @throws ConfigError with every problem there is
 */
export function readConfig(
  environment: Environment = process.env,
  readFile: (path: string) => string = (path) => readFileSync(path, 'utf8'),
): Config {
  const problems: string[] = []
  const settings = new Settings(environment, readFile, problems)
  const port = settings.get('PORT', '8000', wholeNumber(0, 65_535))
  const siteRoot = settings.get('SITE_ROOT', `http://localhost:${port}`, webAddress)
  const config: Config = {
    host: settings.get('HOST', '127.0.0.1', text(255)),
    port,
    databasePath: settings.get('DATABASE_URL', 'sqlite:data/overdue.db', sqlitePath),
    siteName: settings.get('SITE_NAME', 'Overdue', text(100)),
    links: { siteRoot, pingEndpoint: settings.get('PING_ENDPOINT', `${siteRoot}/ping/`, pingEndpoint) },
    secretKey: settings.get('SECRET_KEY', null, secret),
    pingBodyLimit: settings.get('PING_BODY_LIMIT', '10000', bodyLimit),
    pingLogLimit: settings.get('PING_LOG_LIMIT', '100', wholeNumber(1, PING_LOG_LIMIT_MAX)),
    apiRateLimit: settings.get('API_RATE_LIMIT', '100', wholeNumber(0, 1_000_000)),
    allowPrivateAddresses: settings.get('INTEGRATIONS_ALLOW_PRIVATE_IPS', 'False', flag),
    trustedProxies: settings.get('TRUSTED_PROXIES', DEFAULT_PROXIES, networks),
    operator: Object.fromEntries(
      OPERATOR_SETTINGS.flatMap((name) => {
        const value = settings.get(name, null, text(1000))
        return value === null ? [] : [[name, value]]
      }),
    ),
    logLevel: settings.get('LOG_LEVEL', 'info', logLevel),
    withoutEffect: LATER.filter(([name, parse]) => settings.get(name, null, parse) !== null).map(([name]) => name),
    shown: settings.shown,
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}

/** Turns text into a value; throws an Error that says what would be right. */
type Parse<T> = (text: string) => T

class Settings {
  constructor(
    readonly environment: Environment,
    readonly readFile: (path: string) => string,
    readonly problems: string[],
  ) {}

  readonly #shown = new Map<string, ShownSetting>()

  /** What was asked for so far. */
  get shown(): ShownSetting[] {
    return [...this.#shown.values()]
  }

  /** An empty value is none. After a problem the default stands in, so that no setting is blamed for another's mistake. */
  get<T>(name: string, fallback: string, parse: Parse<T>): T
  get<T>(name: string, fallback: null, parse: Parse<T>): T | null
  get<T>(name: string, fallback: string | null, parse: Parse<T>): T | null {
    try {
      const { value, from } = this.#read(name, fallback)
      this.#shown.set(name, { name, value: value === null ? null : withoutSecret(name, value), from })
      return value === null ? null : parse(value)
    } catch (error) {
      this.problems.push(`${name}: ${error instanceof Error ? error.message : error}`)
      return fallback === null ? null : parse(fallback)
    }
  }

  /** The file wins, as with the peer. */
  #read(name: string, fallback: string | null): { value: string | null; from: ShownSetting['from'] } {
    const file = this.environment[`${name}_FILE`]
    if (file) return { value: this.readFile(file).trim(), from: 'file' }
    const given = this.environment[name]
    return given ? { value: given, from: 'environment' } : { value: fallback, from: 'default' }
  }
}

const SECRET_NAME = /(?:KEY|TOKEN|AUTH|PASSWORD|SECRET)$/

/** A URL keeps all but the password in it. */
function withoutSecret(name: string, value: string): string {
  if (SECRET_NAME.test(name)) return '(set)'
  return value.replace(/^([a-z][a-z0-9+.-]*:\/\/[^/@]*?):[^/]*@/i, '$1:(set)@')
}

function text(limit: number): Parse<string> {
  return (given) => {
    if (given.length > limit) throw new Error(`is too long, use at most ${limit} characters`)
    return given
  }
}

function wholeNumber(minimum: number, maximum: number): Parse<number> {
  return (given) => {
    const number = Number(given)
    if (!/^\d+$/.test(given) || number < minimum || number > maximum) {
      throw new Error(`"${given}" is not usable, give a whole number from ${minimum} to ${maximum}`)
    }
    return number
  }
}

/** As the peer's compose files write them, and as everybody else does. */
function flag(given: string): boolean {
  const text = given.toLowerCase()
  if (['true', '1', 'yes', 'on'].includes(text)) return true
  if (['false', '0', 'no', 'off'].includes(text)) return false
  throw new Error(`"${given}" is neither True nor False`)
}

function webAddress(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new Error(`"${given}" is no web address, give one like https://overdue.example.org`)
  }
  return given.replace(/\/+$/, '')
}

function pingEndpoint(given: string): string {
  return `${webAddress(given)}/`
}

function sqlitePath(given: string): string {
  const path = /^sqlite:(?:\/\/(?=\/))?(.+)$/.exec(given)?.[1]
  if (path) return path
  if (/^postgres(ql)?:/.test(given)) throw new Error('this version stores in SQLite only, give sqlite:<path of a file>')
  throw new Error(`"${given}" is not understood, give sqlite:<path of a file>`)
}

function secret(given: string): string {
  if (given.length < 16) throw new Error('is too short to keep anything secret, give at least 16 characters')
  return given
}

function bodyLimit(given: string): number | null {
  return given === 'None' ? null : wholeNumber(0, 2_621_440)(given)
}

function networks(given: string): string[] {
  const items = given
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
  for (const item of items) {
    try {
      parseNetwork(item)
    } catch {
      throw new Error(`"${item}" is no address and no network, give something like 10.0.0.0/8`)
    }
  }
  return items
}

function logLevel(given: string): LogLevel {
  const level = given.toLowerCase()
  if (level === 'debug' || level === 'info' || level === 'warning' || level === 'error') return level
  throw new Error(`"${given}" is not known, give debug, info, warning or error`)
}

/** Known from the peer: checked, so that a mistake shows now, and said to have no effect yet. */
const LATER: readonly (readonly [string, Parse<unknown>])[] = [
  ['DEFAULT_FROM_EMAIL', text(320)],
  ['EMAIL_HOST', text(255)],
  ['EMAIL_PORT', wholeNumber(1, 65_535)],
  ['EMAIL_HOST_USER', text(320)],
  ['EMAIL_HOST_PASSWORD', text(1000)],
  ['EMAIL_USE_TLS', flag],
  ['EMAIL_USE_SSL', flag],
  ['EMAIL_USE_VERIFICATION', flag],
  ['PING_EMAIL_DOMAIN', text(255)],
  ['SMTPD_PORT', wholeNumber(1, 65_535)],
  ['REGISTRATION_OPEN', flag],
  ['REMOTE_USER_HEADER', text(100)],
]
