/** Projects and their API keys. */

import type { Member } from '../../domain/account/account.ts'
import type { Role } from '../../domain/account/role.ts'
import type { ApiKeyKind } from '../../domain/key-kind.ts'
import type { NewProject, Project, StoredKey } from '../../domain/project.ts'
import type { Instant } from '../../lib/time.ts'

/** An API key, found by its hash. */
export interface KeyWithProject {
  readonly project: Project
  readonly kind: ApiKeyKind
  /** as of the stored key */
  readonly lastUsedAt: Instant | null
}

export type ProjectEdit = Partial<Pick<Project, 'name' | 'pingLogLimit' | 'isSearched' | 'tz'>>

export interface ProjectOfPerson {
  readonly project: Project
  /** null: the account has no place in it */
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
  readonly hasOwner: boolean
}

/** What the project switcher shows of a project. */
export interface ProjectBrief {
  readonly id: string
  readonly slug: string
  readonly name: string
  /** number of checks stored as down */
  readonly down: number
  /** that counts for the reader */
  readonly role: Role
}

/** How much a project holds. */
export interface ProjectContents {
  readonly checks: number
  /** of the checks, those with a slug */
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

/** Which checks of the project that have a slug were pinged with a ping key. */
export interface KeyUses {
  /** number of those pinged since a certain time */
  readonly checks: number
  /** the last ping to any of them, exact to five minutes */
  readonly lastAt: Instant
}

export interface ProjectReads {
  /** In order of creation. */
  listProjects(): Promise<Project[]>
  findProject(id: string): Promise<Project | null>
  /** The one of that id, else all of that name, in order of creation. */
  findProjects(idOrName: string): Promise<Project[]>
  /** By slug. @returns null if there is no such project */
  findProjectOfPerson(slug: string, accountId: string): Promise<ProjectOfPerson | null>
  /** In order of creation. It reads no checks. @param all true: also projects that the account has no place in */
  listPlacesOfPerson(accountId: string, all: boolean): Promise<ProjectOfPerson[]>
  /** In order of creation. @param all true: also projects that the account has no place in */
  listProjectsOfPerson(accountId: string, all: boolean): Promise<ProjectSummary[]>
  /**
   * In order of creation. It reads no checks but those that are down.
   * @param all true: also projects that the account has no place in
   */
  listProjectBriefs(accountId: string, all: boolean): Promise<ProjectBrief[]>
  /** Numbers of checks stored as down, in the order of `projectIds`. */
  countDown(projectIds: readonly string[]): Promise<number[]>
  countContents(projectId: string): Promise<ProjectContents>
  /** An account that owns a project, always the same of several, by its id. @returns the id of the project while nobody owns it; null without one */
  findHolder(of: { readonly projectId: string } | { readonly badgeKey: string }): Promise<string | null>
  /** Oldest first. */
  listKeys(projectId: string): Promise<StoredKey[]>
  /** @param lookup hash of an API key */
  findKey(lookup: string): Promise<KeyWithProject | null>
  /** Notes a use of an API key. Does nothing if there is no such key, or a later use is known. */
  touchKey(lookup: string, at: Instant): Promise<void>
  /** Notes uses of ping keys, unless a later one is known. Those whose key or slug is gone are left out. Give few at a time: their checks are locked. */
  notePingKeyUses(uses: readonly PingKeyUse[]): Promise<void>
  /** By ping key. One that was never used is left out. @param since of the checks that are counted */
  listPingKeyUses(projectId: string, since: Instant): Promise<ReadonlyMap<string, KeyUses>>
}

/** Changes that have an author: see `AuthoredWrites`. */
export interface ProjectWrites {
  /** @throws Refusal `project-name-taken` if a project has that name @returns it with its slug */
  createProject(project: NewProject, keys: readonly StoredKey[], owner?: Member): Promise<Project>
  /**
   * A lower limit takes the same time however many logs are now too long: `prune` shortens them later. So does the
   * switch of the search: `refillUnreadPings` finds what has changed.
   * @throws Refusal `project-name-taken` @returns null if there is no such project
   */
  editProject(id: string, edit: ProjectEdit): Promise<Project | null>
  /** Writes only to the audit log. @param withLog what the file of the project holds besides its settings */
  noteExport(project: Project, withLog: boolean): Promise<void>
  createKey(key: StoredKey): Promise<void>
  /** @returns false if the project has no such key */
  deleteKey(projectId: string, lookup: string): Promise<boolean>
  /** Deletes the ping keys of the project and creates this one. */
  replacePingKeys(key: StoredKey): Promise<void>
  /**
   * Deletes checks of a project that is being deleted, in one transaction and as `deleteChecks` does. The audit log has one row for them,
   * about the project, with the numbers of its checks before and after.
   * @returns how many it deleted
   */
  deleteProjectChecks(projectId: string, publicIds: readonly string[]): Promise<number>
  /**
   * Deletes the project with all that is left of it. Takes as long as it has checks and alerts, so delete most of them first. The audit
   * log has one row, which counts what went with the project.
   * @param deletedChecks how many {@link deleteProjectChecks} has deleted for this
   * @returns false if there is no such project
   */
  deleteProject(id: string, deletedChecks: number): Promise<boolean>
}
