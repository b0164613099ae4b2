/** A database with many projects, each with checks and with people who watch them. */
import { createDeps } from '../../src/app/deps.ts'
import { systemClock } from '../../src/app/system-clock.ts'
import { readConfig } from '../../src/config/config.ts'
import { OPERATOR } from '../../src/domain/actor.ts'
import { newCheck } from '../../src/domain/check/check.ts'
import type { Instant } from '../../src/lib/time.ts'
import { startSession } from '../../src/services/accounts/sign-in/sessions.ts'
import { authorOf } from '../../src/services/common/author.ts'
import type { Deps } from '../../src/services/common/deps.ts'
import { newIdentity } from '../../src/services/common/identity.ts'
import { rules } from '../../src/services/common/rules.ts'
import { createProject } from '../../src/services/projects/projects.ts'
import { GRACE_SECONDS, PING, TIMEOUT_SECONDS } from './model.ts'
import { databaseFile } from './prepare.ts'

export interface Dashboard {
  /** path of its stream */
  readonly path: string
  /** cookie of a signed-in person */
  readonly cookie: string
}

interface Dashboards {
  /** paths of all ping URLs */
  readonly paths: readonly string[]
  readonly dashboards: readonly Dashboard[]
}

interface Size {
  readonly projects: number
  readonly checksEach: number
  /** number of people, each with a dashboard of their project */
  readonly readersEach: number
}

/** Creates `bench.db` in a directory. All checks are up. */
export async function prepareDashboards(directory: string, size: Size): Promise<Dashboards> {
  const deps = await createDeps(readConfig({ DATABASE_URL: `sqlite:${databaseFile(directory)}` }), () => {})
  try {
    const paths: string[] = []
    const dashboards: Dashboard[] = []
    for (let number = 1; number <= size.projects; number += 1) {
      const { project, keys } = await createProject(deps, `Project ${number}`)
      paths.push(...(await addChecks(deps, project.id, keys.pingKey, size.checksEach)))
      const cookies = await addReaders(deps, project.id, `${project.slug}.example`, size.readersEach)
      dashboards.push(...cookies.map((cookie) => ({ path: `/p/${project.slug}/live?view=checks`, cookie })))
    }
    return { paths, dashboards }
  } finally {
    await deps.closeCarriers()
    await deps.store.close()
  }
}

/** @returns paths of the ping URLs */
async function addChecks(deps: Deps, projectId: string, pingKey: string, count: number): Promise<string[]> {
  const paths: string[] = []
  const provision = (_projectId: string, slug: string, createdAt: Instant) => {
    const id = deps.random.uuid()
    paths.push(`/ping/${id}`)
    const identity = { ...newIdentity(deps.random), id, projectId, createdAt }
    const times = { timeoutSeconds: TIMEOUT_SECONDS, graceSeconds: GRACE_SECONDS }
    return { ...newCheck(identity), ...times, name: `Nightly backup of ${slug}`, slug, tags: 'production backup' }
  }
  const arrivals = Array.from({ length: count }, (_, index) => ({
    target: { kind: 'slug', pingKey, slug: `host-${index}`, create: true } as const,
    signal: PING,
    receivedAt: systemClock(),
  }))
  await deps.store.pings.commit(arrivals, { ...rules(deps), provision })
  return paths
}

/** @returns session cookies */
async function addReaders(deps: Deps, projectId: string, domain: string, count: number): Promise<string[]> {
  const at = deps.now()
  const writes = () => deps.store.by(authorOf(deps, OPERATOR))
  const cookies: string[] = []
  for (let number = 1; number <= count; number += 1) {
    const id = deps.random.uuid()
    const account = {
      id,
      email: `reader-${number}@${domain}`,
      passwordHash: null,
      isAdministrator: false,
      tz: 'UTC',
      theme: 'system',
      hasShortcuts: true,
      morningMail: null,
      listRows: 'dense',
      listPicture: 'runs',
      createdAt: at,
      isSuspended: false,
      totp: null,
      lastSeenAt: null,
      isEmailConfirmed: true,
    } as const
    await writes().accounts.create(account)
    await writes().team.setMember({ accountId: id, projectId, role: 'read-only', createdAt: at }, () => {})
    const { token } = await startSession(deps, account, { address: null, userAgent: 'bench' }, { method: 'link' })
    cookies.push(`overdue_session=${token}`)
  }
  return cookies
}
