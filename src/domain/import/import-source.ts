/**
 * What is moved in from another program, in the words of this one. A source reads its projects whole, and their logs check by check,
 * in pages, since a log may be larger than the memory. Each source is a folder in `import/`: one asks a server
 * (`from-healthchecks-api/`), others read a database. `app/import-sources.ts` opens them, for a command and for a page.
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
import type { StatusPage } from '../status-page/status-page.ts'
import type { ImportNote } from './import-note.ts'

/** Which program, or which file, the rows come from. */
const IMPORT_KINDS = ['healthchecks', 'healthchecks-api', 'uptime-kuma', 'project-file'] as const
export type ImportKind = (typeof IMPORT_KINDS)[number]

/** A person of the source. Whoever has an account of the same email here keeps it as it is. */
export interface ImportedAccount
  extends Pick<
    Account,
    'email' | 'passwordHash' | 'isAdministrator' | 'tz' | 'theme' | 'createdAt' | 'isSuspended' | 'lastSeenAt'
  > {
  /** of an authenticator app, in base32; null: none */
  readonly totpSecret: string | null
}

export interface ImportedMember {
  readonly email: string
  readonly role: Role
}

/**
 * A key that goes on working. A plain text is hashed with our own secret; a hash was made with the secret of the source, in the form of
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
  /** which of the project's channels are told */
  readonly channelIds: readonly string[]
}

/** The signature of a tag's badge in URLs that the source has published, kept where its secret is not known. */
export interface ImportedBadge {
  readonly tag: string
  /** as `signBadge` makes it, but with the secret of the source */
  readonly signature: string
}

/** A channel; `createdAt` is distinct within its project. `host` follows from the settings. */
export type ImportedChannel = Omit<Channel, 'projectId' | 'host'>

export interface ImportedProject extends Omit<Project, 'slug'> {
  /** null: chosen from the name */
  readonly slug: string | null
  readonly members: readonly ImportedMember[]
  readonly keys: readonly ImportedKey[]
  readonly checks: readonly ImportedCheck[]
  readonly channels: readonly ImportedChannel[]
  readonly statusPage: Omit<StatusPage, 'projectId'> | null
  /** the secret of the source, under which its keys were hashed and its badges signed; null: unknown, or not needed */
  readonly secret: string | null
  /** none when the secret is known, or when the source has no badges of tags */
  readonly badges: readonly ImportedBadge[]
}

/** An alert that ended in the source, one way or the other. It is never sent again. */
export interface ImportedAlert {
  /** lower-case UUID */
  readonly id: string
  readonly checkId: string
  /** number of the flip that it told */
  readonly eventN: number
  readonly channelId: string
  readonly createdAt: Instant
  /** null: it was sent */
  readonly error: string | null
}

/** Reads one state of the source. Every page is an array of at least one row. */
export interface ImportSource {
  readonly kind: ImportKind
  /** what is read, for people, without passwords: a path, a URL */
  readonly name: string
  readonly accounts: readonly ImportedAccount[]
  readonly projects: readonly ImportedProject[]
  /** what is changed on the way or cannot be taken, and what to do about it */
  readonly notes: readonly ImportNote[]
  /** The log of a check in the order of `n`. @param after only entries with a greater `n`; 0: all */
  pings(check: ImportedCheck, after: number): AsyncIterable<readonly Ping[]>
  /** In the order of `n`. @param after only flips with a greater `n`; 0: all */
  flips(check: ImportedCheck, after: number): AsyncIterable<readonly Flip[]>
  /** Those of the project's checks, in any order. An alert whose flip or channel is not taken is left out. */
  alerts(project: ImportedProject): AsyncIterable<readonly ImportedAlert[]>
  /** How many pings there are, about, for a bar of progress. */
  countPings(): Promise<number>
  close(): Promise<void>
}
