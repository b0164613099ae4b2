/** Dependencies of services. The type of a function's first parameter states which dependencies the function needs. */
import type { OpenIdClient } from '../../domain/account/openid.ts'
import type { SignInRules } from '../../domain/account/sign-in-rules.ts'
import type { Carriers } from '../../domain/carrier/carriers.ts'
import type { Mail, MailAnswer } from '../../domain/carrier/mail.ts'
import type { FlipsForm, Links } from '../../domain/check/representation.ts'
import type { MailInUse } from '../../domain/mail/mail-server.ts'
import type { Log } from '../../lib/log.ts'
import type { PasswordHasher } from '../../lib/secrets/password-hasher.ts'
import type { RandomBytes } from '../../lib/secrets/random-text.ts'
import type { Clock, Instant } from '../../lib/time.ts'
import type { Background } from '../../lib/work/background.ts'
import type { EventLoopBudget } from '../../lib/work/event-loop-budget.ts'
import type { EventLoopYield } from '../../lib/work/event-loop-yield.ts'
import type { Store } from '../../store/store.ts'
import type { OperatorSettings, Registry } from '../../transports/transport.ts'
import type { MailboxLimits } from './limits/mailbox-limits.ts'
import type { SignInLimits } from './limits/sign-in-limits.ts'
import type { MailSetup } from './mail-setup.ts'
import type { ImportPlaces } from './ports/import-places.ts'
import type { LiveHub } from './ports/live.ts'
import type { Measurements, Stopwatch } from './ports/measurements.ts'
import type { SharedClock } from './ports/shared-clock.ts'

export interface Random {
  /** a UUID, version 4, lower case */
  readonly uuid: () => string
  readonly bytes: RandomBytes
  /** Returns a random number that is at least 0 and less than 1. */
  readonly fraction: () => number
}

/** Process statistics that the operating system reports. */
export interface ProcessFigures {
  readonly version: string
  readonly startedAt: Instant
  /** in bytes */
  readonly residentMemory: () => number
  /** CPU seconds since the process started */
  readonly cpuSeconds: () => number
  /** number of open file descriptors and their limit; null if the system does not report them */
  readonly descriptors: () => { readonly open: number; readonly limit: number } | null
  /** Frees unused memory. This blocks the process for tens of milliseconds. */
  readonly collectGarbage: () => void
}

/** This server instance. Several instances may use the same database. */
interface OwnInstance {
  readonly id: string
  /** the name that the operator gave this instance */
  readonly name: string
}

/** Information about where this server stores its data and receives emails. */
export interface ServerPlace {
  /** `SQLite` or `PostgreSQL` */
  readonly engine: string
  /** path of the file, `:memory:`, or the URL without the password */
  readonly database: string
  /** true if the database's clock may differ from this machine's clock */
  readonly hasOwnClock: boolean
  /** command line that runs this program, as separate words; a subcommand's words are appended */
  readonly program: readonly string[]
  /** true if the server runs in a container, which has its own file system */
  readonly isInContainer: boolean
  /** domain of the email addresses that receive pings; null if the server receives no email */
  readonly mailDomain: string | null
}

/** A setting, as read by the server. */
export interface SettingInUse {
  readonly name: string
  /** heading under which docs/settings.md lists the setting; settings in the same group are not always adjacent */
  readonly group: string
  /** the value without secrets; null if there is neither a value nor a default */
  readonly value: string | null
  /** true if the value is never shown */
  readonly isSecret: boolean
  /** where the value comes from; `database` if it was generated on first start and stored in the database */
  readonly from: 'environment' | 'file' | 'default' | 'database'
}

export interface ServerSettings {
  /** names of the groups in display order */
  readonly groups: readonly string[]
  readonly shown: readonly SettingInUse[]
  /** a line of text for each value that is probably a mistake */
  readonly notes: readonly string[]
}

/** Disk space where the database is stored, in bytes. */
export interface DiskSpace {
  /** bytes that the current user can still write */
  readonly free: number
  readonly total: number
}

export interface Site {
  readonly name: string
  /** label of the badge that covers all of a project's checks */
  readonly badgeLabel: string
  readonly links: Links
  /** secret that signs badge URLs and hashes keys */
  readonly secret: string
}

/**
 * Sends one email through a mail server over a separate connection, within 20 seconds. Never throws.
 * @param onLine called with each line of the SMTP dialogue, prefixed with `C: ` or `S: `, without credentials
 */
type MailProbe = (inUse: MailInUse, mail: Mail, onLine: (line: string) => void) => Promise<MailAnswer>

export interface Deps {
  readonly store: Store
  /** returns the database's time, because an instance compares it with times that other instances stored */
  readonly now: Clock
  /** Reads the database's time and adjusts `now` to it. */
  readonly readClock: SharedClock['read']
  readonly random: Random
  readonly log: Log
  readonly site: Site
  readonly transports: Registry
  readonly carriers: Carriers
  /** Aborts the carriers' requests and closes their connections. */
  readonly closeCarriers: () => Promise<void>
  readonly mailSetup: MailSetup
  readonly probeMail: MailProbe
  /** false if messages must not be sent to private addresses */
  readonly allowPrivateAddresses: boolean
  /** server settings for kinds of channels, by name; EMAIL_HOST is the host of the mail server in use, which may change at run time */
  readonly operator: OperatorSettings
  /** true if alerts are sent to an email address only after its owner has confirmed it */
  readonly confirmAddresses: boolean
  /** maximum number of bytes of a ping's body that are stored; null for no limit */
  readonly pingBodyLimit: number | null
  /** number of pings per check that new projects store */
  readonly pingLogLimit: number
  /** maximum total size of the bodies in a check's log, in bytes, not counting the newest body */
  readonly pingLogBytes: number
  /** format in which API v3 lists flips */
  readonly v3Flips: FlipsForm
  /** information about this server for the set-up pages */
  readonly place: ServerPlace
  /** settings that administrators can see */
  readonly settings: ServerSettings
  /** null if the database is not in a directory on this machine, or if the system does not report the space */
  readonly diskSpace: () => Promise<DiskSpace | null>
  readonly passwords: PasswordHasher
  readonly signInLimits: SignInLimits
  readonly mailboxLimits: MailboxLimits
  /** header in which a proxy sends the name of the signed-in person, in lower case; null if users sign in to Overdue directly */
  readonly remoteUserHeader: string | null
  readonly signInRules: SignInRules
  /** client of the OpenID provider; null if none is configured */
  readonly openId: OpenIdClient | null
  /** runs work in the background, so that no request waits for it */
  readonly background: Background
  /** key that protects the server's metrics; null if metrics can only be read from this machine */
  readonly metricsKey: string | null
  /** false if projects do not have Prometheus metrics */
  readonly prometheusEnabled: boolean
  /** counters of this process */
  readonly measurements: Measurements
  readonly stopwatch: Stopwatch
  /** lets long work, such as store operations and email parsing, yield to the event loop */
  readonly eventLoop: EventLoopYield
  /** time budget that all reads of long lists and of incoming emails share */
  readonly budget: EventLoopBudget
  readonly ownProcess: ProcessFigures
  readonly instance: OwnInstance
  /** called when new deliveries can be claimed immediately */
  readonly onDeliveriesCreated: () => void
  /** called when data should be pruned without delay */
  readonly onPrunable: () => void
}

/** Dependencies of a server: everything that commands need, plus two more for pages. */
export interface ServerDeps extends Deps {
  /** opens the sources that imports read from */
  readonly importPlaces: ImportPlaces
  /** sends changes to open pages in browsers */
  readonly live: LiveHub
}
