/** The dependencies of services. The first parameter of each function names the part that it needs. */
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
  /** 0 ≤ fraction < 1 */
  readonly fraction: () => number
}

/** Figures that the operating system reports about this process. */
export interface ProcessFigures {
  readonly version: string
  readonly startedAt: Instant
  /** bytes */
  readonly residentMemory: () => number
  /** CPU seconds since the start */
  readonly cpuSeconds: () => number
  /** open file descriptors and their limit; null if the system does not report them */
  readonly descriptors: () => { readonly open: number; readonly limit: number } | null
  /** Frees unused memory. Everything waits for it, for tens of milliseconds. */
  readonly collectGarbage: () => void
}

/** The run of this server, one of those on its database. */
interface OwnInstance {
  readonly id: string
  /** the name that its operator gave it */
  readonly name: string
}

/** The places where this server keeps its data and gets emails. */
export interface ServerPlace {
  /** `SQLite` or `PostgreSQL` */
  readonly engine: string
  /** path of the file, `:memory:`, or the URL without the password */
  readonly database: string
  /** whether its clock may differ from that of this machine */
  readonly hasOwnClock: boolean
  /** words that run this program again, before the words of a command */
  readonly program: readonly string[]
  /** true: it runs in a container, whose files are not those of the machine */
  readonly isInContainer: boolean
  /** domain of the addresses for pings by email; null if it receives none */
  readonly mailDomain: string | null
}

/** A setting as the server has read it. */
export interface SettingInUse {
  readonly name: string
  /** the heading in docs/settings.md; settings of one group may be listed apart */
  readonly group: string
  /** without secrets; null if there is neither a value nor a default */
  readonly value: string | null
  /** true: its value is never shown */
  readonly isSecret: boolean
  /** `database`: created at the first start, and stored there */
  readonly from: 'environment' | 'file' | 'default' | 'database'
}

export interface ServerSettings {
  /** names of the groups in display order */
  readonly groups: readonly string[]
  readonly shown: readonly SettingInUse[]
  /** one line about each value that is probably a mistake */
  readonly notes: readonly string[]
}

/** Bytes of the disk that holds the database. */
export interface DiskSpace {
  /** bytes that this user may write */
  readonly free: number
  readonly total: number
}

export interface Site {
  readonly name: string
  /** label of the badge for all checks of a project */
  readonly badgeLabel: string
  readonly links: Links
  /** signs badge URLs and hashes keys */
  readonly secret: string
}

/**
 * Sends one email through a mail server over a connection of its own, within 20 seconds. Never throws.
 * @param onLine called with each line of the dialogue, after `C: ` or `S: `, without credentials
 */
type MailProbe = (inUse: MailInUse, mail: Mail, onLine: (line: string) => void) => Promise<MailAnswer>

export interface Deps {
  readonly store: Store
  /** the clock of the database, as far as it is known: times that one instance has stored are compared with those of others */
  readonly now: Clock
  /** Reads the time of the database, which `now` then follows. */
  readonly readClock: SharedClock['read']
  readonly random: Random
  readonly log: Log
  readonly site: Site
  readonly transports: Registry
  readonly carriers: Carriers
  /** Aborts the requests of carriers and closes their connections. */
  readonly closeCarriers: () => Promise<void>
  readonly mailSetup: MailSetup
  readonly probeMail: MailProbe
  /** false: nothing is sent to private addresses */
  readonly allowPrivateAddresses: boolean
  /** settings for kinds of channels, by name; EMAIL_HOST is that of the mail server in use, which may change */
  readonly operator: OperatorSettings
  /** true: nothing is sent to an email address before its owner confirms it */
  readonly confirmAddresses: boolean
  /** bytes of a ping's body that are kept; null keeps all */
  readonly pingBodyLimit: number | null
  /** default of new projects */
  readonly pingLogLimit: number
  /** most bytes of all bodies in a check's log, except the newest entry's */
  readonly pingLogBytes: number
  /** how v3 of the API lists flips */
  readonly v3Flips: FlipsForm
  /** facts about this server that the set-up shows */
  readonly place: ServerPlace
  /** for administrators */
  readonly settings: ServerSettings
  /** null: no folder of this machine holds the database, or the system does not report it */
  readonly diskSpace: () => Promise<DiskSpace | null>
  readonly passwords: PasswordHasher
  readonly signInLimits: SignInLimits
  readonly mailboxLimits: MailboxLimits
  /** the header in which a proxy names the signed-in person, in lower case; null: people sign in here */
  readonly remoteUserHeader: string | null
  readonly signInRules: SignInRules
  /** client of the OpenID provider; null: there is none */
  readonly openId: OpenIdClient | null
  /** for work that no request waits for */
  readonly background: Background
  /** key to the server's metrics; null: only this machine may read them */
  readonly metricsKey: string | null
  /** false: projects have no metrics for Prometheus */
  readonly prometheusEnabled: boolean
  /** counters of this process about itself */
  readonly measurements: Measurements
  readonly stopwatch: Stopwatch
  /** yields for all work that keeps the event loop busy: the store, and parsing emails */
  readonly eventLoop: EventLoopYield
  /** shared by all reads of long lists and of incoming emails */
  readonly budget: EventLoopBudget
  readonly ownProcess: ProcessFigures
  readonly instance: OwnInstance
  /** called when deliveries were written that can be claimed at once */
  readonly onOwed: () => void
  /** called when there is something to prune that should not wait */
  readonly onPrunable: () => void
}

/** The dependencies of a server: those of every command, and two for its pages. */
export interface ServerDeps extends Deps {
  /** opens the places from which imports read */
  readonly importPlaces: ImportPlaces
  /** sends changes to open pages */
  readonly live: LiveHub
}
