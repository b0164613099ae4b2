/** Reads the environment. Every setting has a unit, a default and a range of accepted values. See docs/settings.md. */

import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import type { SignInRules } from '../domain/account/sign-in-rules.ts'
import type { FlipsForm, Links } from '../domain/check/representation.ts'
import { Refusal } from '../domain/errors.ts'
import { PING_LOG_BYTES, PING_LOG_BYTES_MAX } from '../domain/log/log-bytes.ts'
import type { EnvironmentMail } from '../domain/mail/mail-server.ts'
import { PING_BODY_BYTES_MAX } from '../domain/ping/signal.ts'
import { PING_LOG_LIMIT_MAX } from '../domain/project.ts'
import { messageOf } from '../lib/errors.ts'
import type { LogLevel } from '../lib/log.ts'
import { isLoopback } from '../lib/network/network.ts'
import { type Misspelling, misspellings } from '../lib/text/spelling.ts'
import { type BackupSettings, readBackups } from './backups.ts'
import { type DatabaseSettings, readDatabase } from './database.ts'
import { type MailPings, readMailPings } from './mail-pings.ts'
import { readMailServer } from './mail-server.ts'
import { readOperatorSettings } from './operator.ts'
import { flag, listenHost, networks, oneOf, type Parse, siteUrl, text, webUrl, wholeNumber } from './parsers.ts'
import { type Environment, isGiven, Settings, type ShownSetting } from './settings.ts'
import { readSignIn, type SignInSettings } from './sign-in.ts'
import { readTracing, type TracingSettings } from './tracing.ts'

export interface Config extends SignInSettings, DatabaseSettings {
  readonly host: string
  readonly port: number
  readonly backups: BackupSettings
  /** name that distinguishes this server from others on the same database */
  readonly instanceName: string
  /** time in seconds between the stop signal and the rejection of requests, during which `/healthz` fails */
  readonly drainSeconds: number
  readonly siteName: string
  /** label of the badge for all checks of a project */
  readonly badgeLabel: string
  readonly links: Links
  /** null to use the generated key in the database */
  readonly secretKey: string | null
  /** maximum size of a ping's body in bytes; null for no limit */
  readonly pingBodyLimit: number | null
  /** maximum number of pings per check, the default for new projects */
  readonly pingLogLimit: number
  /** maximum size in bytes of the bodies in a check's log, not counting the newest body */
  readonly pingLogBytes: number
  /** requests per minute and API key; 0 for no limit */
  readonly apiRateLimit: number
  /** requests for badges, project metrics and public pages, per minute and IP address; 0 for no limit */
  readonly publicRateLimit: number
  /** format of the list of flips in API v3 */
  readonly v3Flips: FlipsForm
  readonly allowPrivateAddresses: boolean
  /** addresses and networks of proxies whose X-Forwarded-* headers are trusted */
  readonly trustedProxies: readonly string[]
  readonly mail: EnvironmentMail
  /** whether an email address gets alerts only after its owner has confirmed it */
  readonly confirmAddresses: boolean
  /** null if the server receives no email */
  readonly mailPings: MailPings | null
  /** settings that concern one kind of channel, by name; does not contain unset ones */
  readonly operator: Readonly<Record<string, string>>
  /** complete environment of the commands that `shell` channels run */
  readonly commandEnvironment: Readonly<Record<string, string>>
  /** key for the whole server's metrics; null if only this machine may read them */
  readonly metricsKey: string | null
  /** whether projects provide metrics */
  readonly prometheusEnabled: boolean
  /** null if tracing is off */
  readonly tracing: TracingSettings | null
  readonly logLevel: LogLevel
  /** package script that started this process, according to the package runner; null if there is none */
  readonly packageScript: string | null
  /** names of settings that are set but have no effect in this version */
  readonly withoutEffect: readonly string[]
  /** names in the environment that resemble the name of a setting */
  readonly misspelled: readonly Misspelling[]
  /** one line for each valid value that is probably a mistake */
  readonly warnings: readonly string[]
  /** every setting, without secrets */
  readonly shown: readonly ShownSetting[]
}

const DEFAULT_PROXIES = '127.0.0.0/8,::1/128,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,fc00::/7,fe80::/10'

/**
 * @param readFile returns the text of a file that a setting names
 * @throws Refusal `settings` with all problems
 */
export function readConfig(
  environment: Environment,
  readFile: (path: string) => string = (path) => readFileSync(path, 'utf8'),
): Config {
  const settings = new Settings(environment, readFile)
  const port = settings.get('PORT', '8000', wholeNumber(0, 65_535))
  const siteName = settings.get('SITE_NAME', 'Overdue', text(100))
  const siteRoot = settings.get('SITE_ROOT', `http://localhost:${port}`, siteUrl)
  const database = readDatabase(settings)
  const host = settings.get('HOST', '127.0.0.1', listenHost)
  if (!isGiven(settings.shown, 'SITE_ROOT') && host !== 'localhost' && !isLoopback(host)) {
    settings.warnings.push(
      'SITE_ROOT is not set, so ping URLs and links use localhost: set it to an address that other machines can reach, such as SITE_ROOT=https://overdue.example.org',
    )
  }
  const trustedProxies = settings.get('TRUSTED_PROXIES', DEFAULT_PROXIES, networks)
  const signIn = readSignIn(settings, siteRoot, isGiven(settings.shown, 'TRUSTED_PROXIES') ? trustedProxies : [])
  const config: Config = {
    ...signIn,
    host,
    port,
    ...database,
    backups: readBackups(settings, database.database),
    instanceName: settings.get('INSTANCE_NAME', hostname(), text(100)),
    drainSeconds: settings.get('DRAIN_SECONDS', '0', wholeNumber(0, 300)),
    siteName,
    badgeLabel: settings.get('MASTER_BADGE_LABEL', siteName, text(100)),
    links: {
      siteRoot,
      pingEndpoint: settings.get('PING_ENDPOINT', `${siteRoot}/ping/`, (given) => `${webUrl(given)}/`),
      // These URLs redirect users who may see the check to the check's page.
      checkPages: `${siteRoot}/cloaked/`,
    },
    secretKey: settings.get('SECRET_KEY', null, secret),
    pingBodyLimit: settings.get('PING_BODY_LIMIT', '10000', bodyLimit),
    pingLogLimit: settings.get('PING_LOG_LIMIT', '100', wholeNumber(1, PING_LOG_LIMIT_MAX)),
    pingLogBytes: settings.get('PING_LOG_BYTES', String(PING_LOG_BYTES), wholeNumber(0, PING_LOG_BYTES_MAX)),
    apiRateLimit: settings.get('API_RATE_LIMIT', '100', wholeNumber(0, 1_000_000)),
    publicRateLimit: settings.get('PUBLIC_RATE_LIMIT', '300', wholeNumber(0, 1_000_000)),
    v3Flips: settings.get('API_V3_FLIPS', 'array', oneOf(['array', 'object'])),
    allowPrivateAddresses: settings.get('INTEGRATIONS_ALLOW_PRIVATE_IPS', 'False', flag),
    trustedProxies,
    mail: readMailServer(settings, siteRoot),
    confirmAddresses: confirmsAddresses(settings, signIn.signInRules),
    mailPings: readMailPings(settings),
    operator: readOperatorSettings(settings),
    commandEnvironment: pick(environment, ['PATH', 'HOME', 'LANG']),
    metricsKey: settings.get('METRICS_KEY', null, text(1000)),
    prometheusEnabled: settings.get('PROMETHEUS_ENABLED', 'True', flag),
    tracing: readTracing(settings),
    logLevel: settings.get('LOG_LEVEL', 'info', logLevel),
    packageScript: environment.npm_lifecycle_event ?? null,
    withoutEffect: UNSUPPORTED_SETTINGS.filter(([name, parse]) => settings.get(name, null, parse) !== null).map(
      ([name]) => name,
    ),
    misspelled: misspellings(
      notOpenTelemetry(Object.keys(environment)),
      notOpenTelemetry(settings.names),
      // Many programs use LOG_FILE. It is not a misspelling of LOG_LEVEL_FILE.
      notOpenTelemetry(settings.shown.map(({ name }) => name)),
    ),
    warnings: settings.warnings,
    shown: settings.shown,
  }
  const { problems } = settings
  if (port !== 0 && config.mailPings?.port === port) {
    problems.push('SMTPD_PORT: is the same as PORT; use another port')
  }
  if (problems.length > 0) throw new Refusal('settings', 'the settings are not valid', { problems })
  return config
}

/**
 * Returns whether email addresses must be confirmed. The default is true if registration is open, because otherwise a stranger could make
 * this server email anybody.
 */
function confirmsAddresses(settings: Settings, { isRegistrationOpen }: SignInRules): boolean {
  return settings.get('EMAIL_USE_VERIFICATION', 'True', flag) && isRegistrationOpen
}

function secret(given: string): string {
  if (given.length < 16) throw new Error('is too short; use at least 16 characters')
  return given
}

function bodyLimit(given: string): number | null {
  if (given.toLowerCase() === 'none') return null
  try {
    return wholeNumber(0, PING_BODY_BYTES_MAX)(given)
  } catch (error) {
    throw new Error(`${messageOf(error)}, or None`)
  }
}

function logLevel(given: string): LogLevel {
  return oneOf(['debug', 'info', 'warning', 'error'])(given.toLowerCase())
}

/** Healthchecks settings for features that Overdue doesn't have yet. Mistakes in them are still reported. */
const UNSUPPORTED_SETTINGS: readonly (readonly [string, Parse<unknown>])[] = [['EMAIL_MAIL_FROM_TMPL', text(1000)]]

/**
 * Removes the names of OpenTelemetry variables. The OpenTelemetry libraries read most of them directly, and many of these names are similar
 * to each other.
 */
function notOpenTelemetry(names: readonly string[]): string[] {
  return names.filter((name) => !name.startsWith('OTEL_'))
}

function pick(environment: Environment, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])))
}
