/** Projects and their API keys. */

import type { Role } from '../../domain/account/role.ts'
import type { ApiKeyKind } from '../../domain/key-kind.ts'
import type { Project } from '../../domain/project.ts'
import type { Instant } from '../../lib/time.ts'

/** An API key that was found by its hash. */
export interface KeyWithProject {
  readonly project: Project
  readonly kind: ApiKeyKind
  /** when the stored key was last used */
  readonly lastUsedAt: Instant | null
}

export type ProjectEdit = Partial<Pick<Project, 'name' | 'pingLogLimit' | 'isSearched' | 'tz'>>

export interface ProjectOfPerson {
  readonly project: Project
  /** role of the account in the project; null if the account is not a member */
  readonly role: Role | null
}

export interface ProjectSummary extends ProjectOfPerson {
  /** number of checks */
  readonly checks: number
  /** number of checks stored as down */
  readonly down: number
  /** number of checks stored as up, some of which may be late */
  readonly up: number
  readonly paused: number
  /** number of checks that have had the status `new` since their creation, because no ping has counted yet */
  readonly unpinged: number
  readonly hasOwner: boolean
}

/** A project's data for the project switcher. */
export interface ProjectBrief {
  readonly id: string
  readonly slug: string
  readonly name: string
  /** number of checks stored as down */
  readonly down: number
  /** the reader's effective role */
  readonly role: Role
}

/** Totals of a project's contents. */
export interface ProjectContents {
  readonly checks: number
  /** number of the project's checks that have a slug */
  readonly slugs: number
  readonly channels: number
  readonly members: number
}

/** A ping whose URL named its check by a ping key and a slug. */
export interface PingKeyUse {
  readonly pingKey: string
  readonly slug: string
  readonly at: Instant
}

/** How a project's ping key has been used to ping checks by slug. */
export interface KeyUses {
  /** number of checks that were pinged since a given time */
  readonly checks: number
  /** time of the last ping to any of them, accurate to five minutes */
  readonly lastAt: Instant
}
