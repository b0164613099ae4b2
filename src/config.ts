/** The only reader of the environment: every setting with its unit, its default and what it accepts. See docs/settings.md. */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import type { BackupPlan } from './domain/backup.ts'
import type { LogLevel } from './domain/log.ts'
import { PING_LOG_BYTES, PING_LOG_BYTES_MAX } from './domain/log-bytes.ts'
import { isMailAddress, type Mailbox, parseMailbox } from './domain/mail-address.ts'
import { type MailHost, type MailServer, parseMailHost } from './domain/mail-server.ts'
import { parseNetwork } from './domain/network.ts'
import { KIND_SWITCHES, OPERATOR_SETTINGS, OPERATOR_SWITCHES } from './domain/operator.ts'
import { PING_LOG_LIMIT_MAX } from './domain/project.ts'
import type { FlipsForm, Links } from './domain/representation.ts'
import { parseSchedule, ScheduleError } from './domain/schedule.ts'
import { type Misspelling, misspellings } from './domain/spelling.ts'
import { SAMPLERS, type SamplerName, type TracingSettings } from './domain/tracing.ts'

export interface Config {
  readonly host: string
  readonly port: number
  /** a file path, or `:memory:` */
  readonly databasePath: string
  /** null: the server takes no backups by itself */
  readonly backups: (BackupPlan & { readonly directory: string }) | null
  readonly siteName: string
  /** of the badge of all checks of a project */
  readonly badgeLabel: string
  readonly links: Links
  /** null: the database keeps one of its own */
  readonly secretKey: string | null
  /** bytes; null keeps all */
  readonly pingBodyLimit: number | null
  /** pings per check, default of new projects */
  readonly pingLogLimit: number
  /** that the bodies of a check's log may take beyond the newest entry's */
  readonly pingLogBytes: number
  /** requests per minute and API key; 0 is no limit */
  readonly apiRateLimit: number
  /** badges and project metrics a minute and address, 0 is no limit */
  readonly publicRateLimit: number
  /** how v3 lists flips */
  readonly v3Flips: FlipsForm
  readonly allowPrivateAddresses: boolean
  /** addresses and networks whose X-Forwarded-* headers are believed */
  readonly trustedProxies: readonly string[]
  /** null: no mail leaves */
  readonly mail: MailServer | null
  /** true when nothing is sent to a mail address before its owner has agreed */
  readonly confirmAddresses: boolean
  /** null: no mail is taken */
  readonly mailPings: MailPings | null
  /** those that are set, by name */
  readonly operator: Readonly<Record<string, string>>
  /** all that commands of `shell` channels get to see of our environment */
  readonly commandEnvironment: Readonly<Record<string, string>>
  /** opens the figures of the whole server; null: only to this machine */
  readonly metricsKey: string | null
  /** false: projects have no metrics for Prometheus */
  readonly prometheusEnabled: boolean
  /** null: nothing is traced */
  readonly tracing: TracingSettings | null
  readonly logLevel: LogLevel
  /** name of the package script that runs this process, as package runners say; null when none does */
  readonly packageScript: string | null
  /** settings that are understood and given, but belong to parts that this version does not have */
  readonly withoutEffect: readonly string[]
  /** names in the environment that look like a setting and are none */
  readonly misspelled: readonly Misspelling[]
  /** every setting by its name in the environment, as a person may see it: without secrets */
  readonly shown: readonly ShownSetting[]
}

/** How mail for checks comes in. */
export interface MailPings {
  readonly port: number
  /** what the addresses of checks end with */
  readonly domain: string
  /** certificate chain and private key, PEM; null: nothing is encrypted */
  readonly tls: { readonly cert: string; readonly key: string } | null
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
 * @param readFile gives the text of a file that a setting names
 * @throws ConfigError with every problem there is
 */
export function readConfig(
  environment: Environment = process.env,
  readFile: (path: string) => string = (path) => readFileSync(path, 'utf8'),
): Config {
  const problems: string[] = []
  const settings = new Settings(environment, readFile, problems)
  const port = settings.get('PORT', '8000', wholeNumber(0, 65_535))
  const siteName = settings.get('SITE_NAME', 'Overdue', text(100))
  const siteRoot = settings.get('SITE_ROOT', `http://localhost:${port}`, webAddress)
  const databasePath = settings.get('DATABASE_URL', 'sqlite:data/overdue.db', sqlitePath)
  const config: Config = {
    host: settings.get('HOST', '127.0.0.1', listenHost),
    port,
    databasePath,
    backups: backupPlan(settings, databasePath),
    siteName,
    badgeLabel: settings.get('MASTER_BADGE_LABEL', siteName, text(100)),
    links: {
      siteRoot,
      pingEndpoint: settings.get('PING_ENDPOINT', `${siteRoot}/ping/`, pingEndpoint),
      // No page of a check is served yet, and a message must not link to a 404.
      checkPages: null,
    },
    secretKey: settings.get('SECRET_KEY', null, secret),
    pingBodyLimit: settings.get('PING_BODY_LIMIT', '10000', bodyLimit),
    pingLogLimit: settings.get('PING_LOG_LIMIT', '100', wholeNumber(1, PING_LOG_LIMIT_MAX)),
    pingLogBytes: settings.get('PING_LOG_BYTES', String(PING_LOG_BYTES), wholeNumber(0, PING_LOG_BYTES_MAX)),
    apiRateLimit: settings.get('API_RATE_LIMIT', '100', wholeNumber(0, 1_000_000)),
    publicRateLimit: settings.get('PUBLIC_RATE_LIMIT', '300', wholeNumber(0, 1_000_000)),
    v3Flips: settings.get('API_V3_FLIPS', 'array', flipsForm),
    allowPrivateAddresses: settings.get('INTEGRATIONS_ALLOW_PRIVATE_IPS', 'False', flag),
    trustedProxies: settings.get('TRUSTED_PROXIES', DEFAULT_PROXIES, networks),
    mail: mailServer(settings, siteRoot),
    confirmAddresses: confirmsAddresses(settings),
    mailPings: mailPings(settings),
    operator: operatorSettings(settings),
    commandEnvironment: pick(environment, ['PATH', 'HOME', 'LANG']),
    metricsKey: settings.get('METRICS_KEY', null, text(1000)),
    prometheusEnabled: settings.get('PROMETHEUS_ENABLED', 'True', flag),
    tracing: tracingSettings(settings),
    logLevel: settings.get('LOG_LEVEL', 'info', logLevel),
    packageScript: environment.npm_lifecycle_event ?? null,
    withoutEffect: LATER.filter(([name, parse]) => settings.get(name, null, parse) !== null).map(([name]) => name),
    misspelled: misspellings(Object.keys(environment), settings.names),
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

  /** Each also as the name of a file that holds the value. */
  get names(): string[] {
    return [...this.#shown.keys()].flatMap((name) => [name, `${name}_FILE`])
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
      const setting = error instanceof UnreadableFile ? `${name}_FILE` : name
      this.problems.push(`${setting}: ${error instanceof Error ? error.message : error}`)
      return fallback === null ? null : parse(fallback)
    }
  }

  /** The file wins, as with the peer. */
  #read(name: string, fallback: string | null): { value: string | null; from: ShownSetting['from'] } {
    const file = this.environment[`${name}_FILE`]
    if (file) return { value: this.#readNamed(file).trim(), from: 'file' }
    const given = this.environment[name]
    return given ? { value: given, from: 'environment' } : { value: fallback, from: 'default' }
  }

  #readNamed(path: string): string {
    try {
      return this.readFile(path)
    } catch (error) {
      const reason = error instanceof Error ? error.message : error
      throw new UnreadableFile(`cannot read ${path}, give a file that this user may read (${reason})`)
    }
  }
}

/** The file that a `NAME_FILE` names. */
class UnreadableFile extends Error {}

function backupPlan(settings: Settings, databasePath: string): Config['backups'] {
  const directory = settings.get('BACKUP_DIRECTORY', null, text(1000))
  const plan = {
    schedule: settings.get('BACKUP_SCHEDULE', DAILY, schedule),
    keep: settings.get('BACKUP_KEEP', '7', wholeNumber(1, 10_000)),
  }
  if (directory !== null && databasePath === ':memory:') {
    settings.problems.push('BACKUP_DIRECTORY: a database in memory cannot be backed up, give a file in DATABASE_URL')
  }
  return directory === null ? null : { directory, ...plan }
}

/** What a URL in EMAIL_HOST says goes before the settings of the same meaning. */
function mailServer(settings: Settings, siteRoot: string): MailServer | null {
  const host = settings.get('EMAIL_HOST', null, mailHost)
  const useSsl = settings.get('EMAIL_USE_SSL', 'False', flag)
  const useTls = settings.get('EMAIL_USE_TLS', useSsl ? 'False' : 'True', flag)
  if (useSsl && useTls)
    settings.problems.push('EMAIL_USE_SSL: is True and so is EMAIL_USE_TLS, set one of them to False')
  const port = settings.get('EMAIL_PORT', useSsl ? '465' : '587', wholeNumber(1, 65_535))
  const user = settings.get('EMAIL_HOST_USER', null, text(320))
  const password = settings.get('EMAIL_HOST_PASSWORD', null, text(1000))
  const login = { user: host?.user ?? user, password: host?.password ?? password }
  const from = settings.get('DEFAULT_FROM_EMAIL', defaultSender(login.user, siteRoot), mailbox)
  if (host === null) return null
  return {
    host: host.host,
    port: host.port ?? port,
    encryption: host.isTls || useSsl ? 'tls' : useTls ? 'starttls' : 'none',
    login: login.user === null || login.password === null ? null : { user: login.user, password: login.password },
    from,
  }
}

/** Most servers let a user send from his own address only. */
function defaultSender(user: string | null, siteRoot: string): string {
  if (user !== null && isMailAddress(user)) return user
  const { hostname } = new URL(siteRoot)
  const address = `overdue@${hostname}`
  // Neither an address of digits nor whatever else may stand in a URL is a domain that mail could come from.
  return isMailAddress(address) && !/^[\d.]+$/.test(hostname) ? address : 'overdue@localhost'
}

/** Where strangers can sign up, one of them could have mails sent to anybody. */
function confirmsAddresses(settings: Settings): boolean {
  const isVerified = settings.get('EMAIL_USE_VERIFICATION', 'True', flag)
  const isOpen = settings.get('REGISTRATION_OPEN', 'False', flag)
  return isVerified && isOpen
}

function mailPings(settings: Settings): MailPings | null {
  const port = settings.get('SMTPD_PORT', null, wholeNumber(0, 65_535))
  const domain = settings.get('PING_EMAIL_DOMAIN', 'localhost', mailDomain)
  const tls = certificate(settings)
  return port === null ? null : { port, domain, tls }
}

function certificate(settings: Settings): MailPings['tls'] {
  const { problems } = settings
  const problemsBefore = problems.length
  const read = (given: string) => (given.startsWith(PEM) ? given : settings.readFile(given))
  const cert = settings.get('SMTPD_TLS_CERT', null, (given) => parseCertificate(read(given)))
  const key = settings.get('SMTPD_TLS_KEY', null, (given) => parsePrivateKey(read(given)))
  if ((cert === null && key === null) || problems.length > problemsBefore) return null
  if (cert === null) problems.push('SMTPD_TLS_CERT: is not set, and SMTPD_TLS_KEY is of no use without it')
  else if (key === null) problems.push('SMTPD_TLS_KEY: is not set, and SMTPD_TLS_CERT is of no use without it')
  else if (!cert.parsed.checkPrivateKey(key.parsed)) problems.push('SMTPD_TLS_KEY: does not belong to SMTPD_TLS_CERT')
  return cert && key && { cert: cert.pem, key: key.pem }
}

/** How a file of OpenSSL begins; what a `NAME_FILE` names has been read already. */
const PEM = '-----BEGIN '

function parseCertificate(pem: string) {
  try {
    return { pem, parsed: new X509Certificate(pem) }
  } catch {
    throw new Error('names a file without a certificate, give one in PEM format')
  }
}

function parsePrivateKey(pem: string) {
  try {
    return { pem, parsed: createPrivateKey(pem) }
  } catch {
    throw new Error('names a file without a private key, give one in PEM format and without a passphrase')
  }
}

function operatorSettings(settings: Settings): Record<string, string> {
  const texts = OPERATOR_SETTINGS.map((name) => [name, settings.get(name, null, text(1000))] as const)
  const switches = OPERATOR_SWITCHES.map((name) => [name, settings.get(name, 'False', flag) ? 'True' : null] as const)
  const kinds = Object.values(KIND_SWITCHES).map(
    (name) => [name, settings.get(name, 'True', flag) ? null : 'False'] as const,
  )
  const all = [...texts, ...switches, ...kinds]
  return Object.fromEntries(all.flatMap(([name, value]) => (value === null ? [] : [[name, value]])))
}

/**
 * The standard variables of OpenTelemetry. Its libraries read those of the resource and of the connection themselves:
 * `OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES`, `OTEL_EXPORTER_OTLP_HEADERS` and so on.
 */
function tracingSettings(settings: Settings): TracingSettings | null {
  const isDisabled = settings.get('OTEL_SDK_DISABLED', 'false', (given) => given.toLowerCase() === 'true')
  const url = isDisabled ? null : tracesUrl(settings)
  if (url === null) return null
  const protocol = settings.get('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', null, otlpProtocol)
  if (protocol === null) settings.get('OTEL_EXPORTER_OTLP_PROTOCOL', 'http/protobuf', otlpProtocol)
  const sampler = settings.get('OTEL_TRACES_SAMPLER', 'parentbased_always_on', samplerName)
  return {
    url,
    sampler,
    ratio: sampler.endsWith('traceidratio') ? settings.get('OTEL_TRACES_SAMPLER_ARG', '1', ratio) : 1,
    queueLimit: settings.get('OTEL_BSP_MAX_QUEUE_SIZE', '2048', wholeNumber(1, 1_000_000)),
    batchLimit: settings.get('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', '512', wholeNumber(1, 1_000_000)),
    delayMs: settings.get('OTEL_BSP_SCHEDULE_DELAY', '5000', wholeNumber(0, 3_600_000)),
  }
}

/** @returns null when nobody asks for traces */
function tracesUrl(settings: Settings): string | null {
  const exporter = settings.get('OTEL_TRACES_EXPORTER', null, tracesExporter)
  const general = settings.get('OTEL_EXPORTER_OTLP_ENDPOINT', null, otlpEndpoint)
  const given = settings.get('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', null, otlpEndpoint)
  const isAskedFor = exporter === 'otlp' || (exporter === null && (general !== null || given !== null))
  if (!isAskedFor) return null
  return given ?? `${(general ?? 'http://localhost:4318').replace(/\/+$/, '')}/v1/traces`
}

function pick(environment: Environment, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])))
}

const SECRET_NAME = /(?:KEY|TOKEN|AUTH|PASSWORD|SECRET)$/

/** A URL keeps all but the login in it, which may be a token alone, and in which nothing may have been encoded. */
function withoutSecret(name: string, value: string): string {
  if (SECRET_NAME.test(name) || value.startsWith(PEM)) return '(set)'
  return value.replace(/^([a-z][a-z0-9+.-]*:\/\/).*@/is, '$1(set)@')
}

/** Quotes nothing: a URL holds the password. */
function mailHost(given: string): MailHost {
  const host = given.length > 1000 ? null : parseMailHost(given)
  if (host) return host
  throw new Error(
    'is neither a host name nor an SMTP URL, give mail.example.org or smtps://user:password@mail.example.org:465' +
      ' (in a URL, percent-encode what is special in the password)',
  )
}

function mailbox(given: string): Mailbox {
  const sender = parseMailbox(given)
  if (sender) return sender
  throw new Error(`"${given}" is no sender, give alerts@example.org or Overdue <alerts@example.org>`)
}

function mailDomain(given: string): string {
  if (given.length <= 255 && /^[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?$/u.test(given)) return given
  throw new Error(`"${given.slice(0, 100)}" is no domain, give one like ping.example.org`)
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

/** Whether a name leads to this machine shows when the server listens. */
function listenHost(given: string): string {
  const isAddress = isIP(given) !== 0
  if (isAddress || (given.length <= 255 && /[a-z]/i.test(given) && /^[\w.-]+$/.test(given))) return given
  throw new Error(`"${given.slice(0, 100)}" is not an address of this machine, give one like 127.0.0.1, 0.0.0.0 or ::`)
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

/** Quotes nothing: it may hold a password. */
function otlpEndpoint(given: string): string {
  if (URL.canParse(given) && /^https?:$/.test(new URL(given).protocol)) return given
  throw new Error('is no web address, give one like http://localhost:4318')
}

function tracesExporter(given: string): 'otlp' | 'none' {
  if (given === 'otlp' || given === 'none') return given
  throw new Error(`"${given}" is not there, give otlp or none`)
}

function otlpProtocol(given: string): 'http/protobuf' {
  if (given === 'http/protobuf') return given
  throw new Error(`"${given}" is not spoken, give http/protobuf and an endpoint that takes it, usually on port 4318`)
}

function samplerName(given: string): SamplerName {
  const name = SAMPLERS.find((sampler) => sampler === given)
  if (name) return name
  throw new Error(`"${given}" is not known, give one of ${SAMPLERS.join(', ')}`)
}

function ratio(given: string): number {
  const number = Number(given)
  if (/^(?:\d+\.?\d*|\.\d+)$/.test(given) && number <= 1) return number
  throw new Error(`"${given}" is not usable, give a number from 0 to 1`)
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

const DAILY = '0 3 * * *'

function schedule(given: string): string {
  // The first look at any calendar takes longer than the rest of a command's start.
  if (given === DAILY) return given
  try {
    parseSchedule(given, 'UTC')
    return given
  } catch (error) {
    if (!(error instanceof ScheduleError)) throw error
    throw new Error(`"${given}" is no schedule: ${error.message} Give one like 0 3 * * * or *-*-* 03:00:00`)
  }
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

function flipsForm(given: string): FlipsForm {
  if (given === 'array' || given === 'object') return given
  throw new Error(`"${given}" is not known, give array or object`)
}

/** Known from the peer: checked, so that a mistake shows now, and said to have no effect yet. */
const LATER: readonly (readonly [string, Parse<unknown>])[] = [
  ['REMOTE_USER_HEADER', text(100)],
  ['EMAIL_MAIL_FROM_TMPL', text(1000)],
]
