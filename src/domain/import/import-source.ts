/**
 * Data to import from another program, converted to Overdue's terms. A project is read as a whole, but its logs are read check by check in
 * pages, because a log may not fit into memory. Each source is a directory in `import/`: `from-healthchecks-api/` queries a server, and the
 * others read a database or a project file. `app/import-sources.ts` opens sources for the command and for pages.
 */
import type { Instant } from '../../lib/time.ts'
import type { Account } from '../account/account.ts'
import type { Role } from '../account/role.ts'
import type { Channel } from '../channel/channel.ts'
import type { Check } from '../check/check.ts'
import type { Flip } from '../check/flip.ts'
import type { KeyKind } from '../key-kind.ts'
import type { Ping } from '../ping/ping.ts'
import type { Project } from '../project.ts'
import type { Silence } from '../silence/silence.ts'
import type { StatusPage } from '../status-page/status-page.ts'
import type { ImportNote } from './import-note.ts'

/** Programs and file formats that can be imported. */
const IMPORT_KINDS = ['healthchecks', 'healthchecks-api', 'uptime-kuma', 'project-file'] as const
export type ImportKind = (typeof IMPORT_KINDS)[number]

/** A user in the source. If an account with the same email already exists, it is not changed. */
export interface ImportedAccount
  extends Pick<
    Account,
    'email' | 'passwordHash' | 'isAdministrator' | 'tz' | 'theme' | 'createdAt' | 'isSuspended' | 'lastSeenAt'
  > {
  /** authenticator app's secret, in base32; null: no app */
  readonly totpSecret: string | null
}

export interface ImportedMember {
  readonly email: string
  readonly role: Role
}

/**
 * An API key that stays valid after the import. A plain key is hashed with this server's secret. A hashed key, in the format of
 * `hashApiKey`, was created with the source's secret and works as long as {@link ImportedProject.secret} is kept.
 */
export type ImportedKey = {
  readonly kind: KeyKind
  readonly name: string
  readonly createdAt: Instant
} & ({ readonly text: string } | { readonly lookup: string; readonly hint: string })

/** A check with its state and run history. `createdAt` is unique within the project. */
export interface ImportedCheck extends Omit<Check, 'projectId' | 'publicId'> {
  /** public id to keep; null: a new one is generated */
  readonly publicId: string | null
  /** ids of the channels assigned to the check */
  readonly channelIds: readonly string[]
}

/** The signature of a tag's badge in published URLs. The signature must be kept if the source's secret is unknown. */
export interface ImportedBadge {
  readonly tag: string
  /** the signature, calculated as in `signBadge`, but with the source's secret */
  readonly signature: string
}

/** An imported channel. Its `createdAt` is unique within the project. `host` is missing because it is derived from the settings. */
export type ImportedChannel = Omit<Channel, 'projectId' | 'host'>

/** A planned silence. It is attributed to the user or the command that imports it. */
export type ImportedSilence = Omit<Silence, 'projectId' | 'createdBy'>

export interface ImportedProject extends Omit<Project, 'slug'> {
  /** slug to keep; null: it is derived from the name */
  readonly slug: string | null
  readonly members: readonly ImportedMember[]
  readonly keys: readonly ImportedKey[]
  readonly checks: readonly ImportedCheck[]
  readonly channels: readonly ImportedChannel[]
  /** silences that have not ended; all checks that they refer to are in `checks` */
  readonly silences: readonly ImportedSilence[]
  readonly statusPage: Omit<StatusPage, 'projectId'> | null
  /** the source's secret, used to hash its keys and sign its badges; null: unknown or not needed */
  readonly secret: string | null
  /** badges to keep; empty if the secret is known, or if the source has no tag badges */
  readonly badges: readonly ImportedBadge[]
}

/** An alert that was sent or failed in the source. It is not sent again. */
export interface ImportedAlert {
  /** lowercase UUID */
  readonly id: string
  readonly checkId: string
  /** number of the flip that the alert reports */
  readonly eventN: number
  readonly channelId: string
  readonly createdAt: Instant
  /** reason why the alert failed; null: it was sent */
  readonly error: string | null
}

/** Reads a consistent snapshot of a source. Each page is an array with at least one row. */
export interface ImportSource {
  readonly kind: ImportKind
  /** name to show for the source, such as a path or a URL, without passwords */
  readonly name: string
  readonly accounts: readonly ImportedAccount[]
  readonly projects: readonly ImportedProject[]
  /** notes, with advice, about rows that are changed or can't be imported */
  readonly notes: readonly ImportNote[]
  /**
   * Returns a check's log, sorted by `n`.
   * @param after only entries with a higher `n` are returned; 0: all entries
   */
  pings(check: ImportedCheck, after: number): AsyncIterable<readonly Ping[]>
  /**
   * Returns a check's flips, sorted by `n`.
   * @param after only flips with a higher `n` are returned; 0: all flips
   */
  flips(check: ImportedCheck, after: number): AsyncIterable<readonly Flip[]>
  /** Returns the alerts of the project's checks, in any order. Skips alerts whose flip or channel is not imported. */
  alerts(project: ImportedProject): AsyncIterable<readonly ImportedAlert[]>
  /** Returns the approximate number of pings, for a progress bar. */
  countPings(): Promise<number>
  close(): Promise<void>
}
