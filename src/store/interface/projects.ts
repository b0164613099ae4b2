/** Projects and their API keys. */

import type { Role } from '../../domain/account/role.ts'
import type { ApiKeyKind } from '../../domain/key-kind.ts'
import type { Project } from '../../domain/project.ts'
import type { Instant } from '../../lib/time.ts'

/** An API key, found by its hash. */
export interface KeyWithProject {
  readonly project: Project
  readonly kind: ApiKeyKind
  /** last use of the stored key */
  readonly lastUsedAt: Instant | null
}

export type ProjectEdit = Partial<Pick<Project, 'name' | 'pingLogLimit' | 'isSearched' | 'tz'>>

export interface ProjectOfPerson {
  readonly project: Project
  /** null: the account is not a member */
  readonly role: Role | null
}

export interface ProjectSummary extends ProjectOfPerson {
  /** number of checks */
  readonly checks: number
  /** number of checks stored as down */
  readonly down: number
  /** number of checks stored as up; some may be late */
  readonly up: number
  readonly paused: number
  /** number of checks that have been new since they were created: no ping has counted yet */
  readonly unpinged: number
  readonly hasOwner: boolean
}

/** The data of a project in the project switcher. */
export interface ProjectBrief {
  readonly id: string
  readonly slug: string
  readonly name: string
  /** number of checks stored as down */
  readonly down: number
  /** the reader's effective role */
  readonly role: Role
}

/** Numbers of a project's contents. */
export interface ProjectContents {
  readonly checks: number
  /** number of these checks with a slug */
  readonly slugs: number
  readonly channels: number
  readonly members: number
}

/** A ping that named its check by a ping key and a slug. */
export interface PingKeyUse {
  readonly pingKey: string
  readonly slug: string
  readonly at: Instant
}

/** The use of a ping key by checks of the project that have a slug. */
export interface KeyUses {
  /** number of checks pinged since a certain time */
  readonly checks: number
  /** the last ping to any of them, exact to five minutes */
  readonly lastAt: Instant
}
