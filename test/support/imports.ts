/** Projects to import, for tests of the store. */
import type { Author } from '../../src/domain/author.ts'
import type { Check, StoredStatus } from '../../src/domain/check/check.ts'
import type { Flip } from '../../src/domain/check/flip.ts'
import type { Ping } from '../../src/domain/ping/ping.ts'
import type { Project } from '../../src/domain/project.ts'
import type { LogExtent, LogPart, ProjectImport, Rules, Store } from '../../src/store/store.ts'
import { after, anAuthor, aProject, bytes, NOON } from './store-builders.ts'

/** A success with a body that names its check. */
export function aPing(check: Pick<Check, 'id'>, n: number, over: Partial<Ping> = {}): Ping {
  return {
    checkId: check.id,
    n,
    receivedAt: after(n),
    kind: 'success',
    exitStatus: null,
    occurredAt: null,
    rid: null,
    scheme: 'https',
    method: 'POST',
    ua: 'curl/8',
    remoteAddr: '192.0.2.1',
    body: bytes(`backup ${n} of ${check.id}`),
    contentType: null,
    ignoredBy: null,
    ...over,
  }
}

/** A flip of the check: odd numbers go up, even ones down. */
export function aFlip(check: Pick<Check, 'id'>, n: number, over: Partial<Flip> = {}): Flip {
  const statuses: [StoredStatus, StoredStatus] = n % 2 === 1 ? [n === 1 ? 'new' : 'down', 'up'] : ['up', 'down']
  return {
    checkId: check.id,
    n,
    createdAt: after(n),
    oldStatus: statuses[0],
    newStatus: statuses[1],
    reason: '',
    ...over,
  }
}

/** The numbers `first…last`. */
export function numbers(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

/** An import of an empty project. */
export function anImport(over: Partial<ProjectImport> = {}): ProjectImport {
  return {
    kind: 'healthchecks',
    project: aProject(),
    drawnSlug: 'drawn',
    accounts: [],
    members: [],
    keys: [],
    secret: null,
    badges: [],
    channels: [],
    mailings: new Map(),
    checks: [],
    logs: new Map(),
    silences: [],
    statusPage: null,
    ...over,
  }
}

/** Returns the next entries of a log. */
export function aPart(
  check: Pick<Check, 'id'>,
  project: Pick<Project, 'id'>,
  pings: readonly number[],
  flips: readonly number[] = [],
  from: LogExtent = { n: 0, eventN: 0 },
): LogPart {
  return {
    checkId: check.id,
    projectId: project.id,
    after: from,
    pings: pings.map((n) => aPing(check, n)),
    flips: flips.map((n) => aFlip(check, n)),
  }
}

/** Stages a log of so many pings and flips. */
export async function stage(
  store: Store,
  check: Pick<Check, 'id'>,
  project: Pick<Project, 'id'>,
  { n, eventN }: LogExtent,
): Promise<void> {
  await store.imports.stageLogs([aPart(check, project, numbers(1, n), numbers(1, eventN))], NOON)
}

/** Stages a project whose logs are staged; nothing finds it yet. @returns the id of the import */
export async function stageProject(store: Store, order: ProjectImport, rules: Pick<Rules, 'alertAfter'>, at = NOON) {
  const importId = crypto.randomUUID()
  await store.imports.beginProject(order, importId, at)
  await store.imports.stageChecks({ projectId: order.project.id, importId }, order, rules, at)
  return importId
}

/** Creates a project as an import does after staging its logs. */
export async function importProject(
  store: Store,
  order: ProjectImport,
  rules: Pick<Rules, 'alertAfter'>,
  author: Author = anAuthor(),
): Promise<Project> {
  return store.by(author).imports.importProject(order, await stageProject(store, order, rules))
}
