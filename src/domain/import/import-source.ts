/**
 * The data imported from another program, in the terms of this one. A source reads its projects whole, and their logs check by check, in
 * pages, because a log may be larger than the memory. Each source is a folder in `import/`: one queries a server
 * (`from-healthchecks-api/`), others read a database or a project file. `app/import-sources.ts` opens them, for a command and for a page.
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

/** The program or the file from which the rows are read. */
const IMPORT_KINDS = ['healthchecks', 'healthchecks-api', 'uptime-kuma', 'project-file'] as const
export type ImportKind = (typeof IMPORT_KINDS)[number]

/** A person of the source. An existing account with the same email is not changed. */
export interface ImportedAccount
  extends Pick<
    Account,
    'email' | 'passwordHash' | 'isAdministrator' | 'tz' | 'theme' | 'createdAt' | 'isSuspended' | 'lastSeenAt'
  > {
  /** secret of an authenticator app, in base32; null: none */
  readonly totpSecret: string | null
}

export interface ImportedMember {
  readonly email: string
  readonly role: Role
}

/**
 * A key that remains valid. A plain text is hashed with our own secret. A hash was made with the secret of the source, in the form of
 * `hashApiKey`, and is found while {@link ImportedProject.secret} is kept.
 */
export type ImportedKey = {
  readonly kind: KeyKind
  readonly name: string
  readonly createdAt: Instant
} & ({ readonly text: string } | { readonly lookup: string; readonly hint: string })

/** A check with its state and its run history. `createdAt` is distinct within its project. */
export interface ImportedCheck extends Omit<Check, 'projectId' | 'publicId'> {
  /** null: a new one is chosen */
  readonly publicId: string | null
  /** ids of the project's channels that get its alerts */
  readonly channelIds: readonly string[]
}

/** The signature of a tag's badge in published URLs, kept if the secret of the source is unknown. */
export interface ImportedBadge {
  readonly tag: string
  /** made like `signBadge`, but with the secret of the source */
  readonly signature: string
}

/** A channel; `createdAt` is distinct within its project. `host` follows from the settings. */
export type ImportedChannel = Omit<Channel, 'projectId' | 'host'>

/** A planned silence. Its author is the person or the command that imports it. */
export type ImportedSilence = Omit<Silence, 'projectId' | 'createdBy'>

export interface ImportedProject extends Omit<Project, 'slug'> {
  /** null: chosen from the name */
  readonly slug: string | null
  readonly members: readonly ImportedMember[]
  readonly keys: readonly ImportedKey[]
  readonly checks: readonly ImportedCheck[]
  readonly channels: readonly ImportedChannel[]
  /** those that have not ended; the checks that they name are in `checks` */
  readonly silences: readonly ImportedSilence[]
  readonly statusPage: Omit<StatusPage, 'projectId'> | null
  /** the secret of the source, under which its keys were hashed and its badges signed; null: unknown, or not needed */
  readonly secret: string | null
  /** empty if the secret is known, or the source has no badges of tags */
  readonly badges: readonly ImportedBadge[]
}

/** An alert that was sent or failed in the source. It is never sent again. */
export interface ImportedAlert {
  /** lower-case UUID */
  readonly id: string
  readonly checkId: string
  /** number of the flip that it reported */
  readonly eventN: number
  readonly channelId: string
  readonly createdAt: Instant
  /** null: it was sent */
  readonly error: string | null
}

/** Reads one state of the source. Every page is an array of at least one row. */
export interface ImportSource {
  readonly kind: ImportKind
  /** name of the source for people, without passwords: a path, a URL */
  readonly name: string
  readonly accounts: readonly ImportedAccount[]
  readonly projects: readonly ImportedProject[]
  /** notes on rows that are changed or cannot be imported, with advice */
  readonly notes: readonly ImportNote[]
  /** Returns the log of a check in the order of `n`. @param after only entries with a greater `n`; 0: all */
  pings(check: ImportedCheck, after: number): AsyncIterable<readonly Ping[]>
  /** Returns flips in the order of `n`. @param after only flips with a greater `n`; 0: all */
  flips(check: ImportedCheck, after: number): AsyncIterable<readonly Flip[]>
  /** Returns the alerts of the project's checks, in any order, except those whose flip or channel is not imported. */
  alerts(project: ImportedProject): AsyncIterable<readonly ImportedAlert[]>
  /** Returns an approximate number of pings, for a progress bar. */
  countPings(): Promise<number>
  close(): Promise<void>
}
