/**
 * Imports projects into a database that a server uses at the same time, in a process of its own, like `overdue import`. Reads a job as JSON
 * from standard input and prints the result as JSON.
 */
import { OPERATOR } from '../../src/domain/actor.ts'
import { newCheck } from '../../src/domain/check/check.ts'
import type { ImportedCheck, ImportedProject, ImportSource } from '../../src/domain/import/import-source.ts'
import type { Ping } from '../../src/domain/ping/ping.ts'
import { applyImport } from '../../src/import/engine/apply.ts'
import { planImport } from '../../src/import/engine/plan.ts'
import { addSeconds, type Instant } from '../../src/lib/time.ts'
import type { Deps } from '../../src/services/common/deps.ts'
import { newIdentity } from '../../src/services/common/identity.ts'
import { withDeps } from './model.ts'

export interface ImportJob {
  /** URL as in DATABASE_URL */
  readonly url: string
  readonly projects: number
  /** number in each project */
  readonly checks: number
  /** number for each check */
  readonly pings: number
}

export interface ImportResult {
  readonly seconds: number
}

const BODY = new TextEncoder().encode('backup of /srv finished: 1,234 files, 56.7 GB, no errors, 8 minutes')
const PAUSE_SECONDS = 86_400

/** Returns a source whose logs are made when they are read, so that this process needs no other memory. */
function sourceOf(deps: Deps, { projects, checks, pings }: ImportJob): ImportSource {
  const now = deps.now()
  async function* pages(check: ImportedCheck, after: number) {
    if (after < pings) yield Array.from({ length: pings - after }, (_, index) => pingOf(check, after + index + 1, now))
  }
  async function* none() {}
  return {
    kind: 'healthchecks',
    name: 'bench',
    accounts: [],
    projects: Array.from({ length: projects }, (_, index) => projectOf(deps, index, checks, pings)),
    notes: [],
    pings: pages,
    flips: none,
    alerts: none,
    countPings: async () => projects * checks * pings,
    close: async () => {},
  }
}

function projectOf(deps: Deps, index: number, checks: number, pings: number): ImportedProject {
  const createdAt = deps.now()
  return {
    ...{ id: deps.random.uuid(), name: `Imported ${index}`, badgeKey: deps.random.uuid(), pingLogLimit: 100 },
    ...{
      createdAt,
      slug: null,
      isSearched: true,
      tz: null,
      members: [],
      keys: [],
      channels: [],
      silences: [],
      statusPage: null,
    },
    ...{ secret: null, badges: [] },
    checks: Array.from({ length: checks }, (_, n) => checkOf(deps, createdAt.add({ microseconds: n }), n, pings)),
  }
}

function checkOf(deps: Deps, createdAt: Instant, n: number, nPings: number): ImportedCheck {
  const { projectId: _, ...check } = newCheck({ ...newIdentity(deps.random), projectId: '', createdAt })
  const names = { name: `Nightly backup of host ${n}`, slug: `backup-${n}`, tags: 'production backup' }
  return { ...check, ...names, status: 'up', nPings, lastPingAt: createdAt, channelIds: [] }
}

function pingOf({ id, nPings }: ImportedCheck, n: number, now: Instant): Ping {
  return {
    ...{ checkId: id, n, receivedAt: addSeconds(now, (n - nPings) * PAUSE_SECONDS), kind: 'success', exitStatus: 0 },
    occurredAt: null,
    ...{ rid: null, scheme: 'https', method: 'POST', ua: 'curl/8.5.0', remoteAddr: '192.0.2.17', body: BODY },
    ...{ contentType: null, ignoredBy: null },
  }
}

async function runImport(deps: Deps, job: ImportJob): Promise<ImportResult> {
  const source = sourceOf(deps, job)
  const plan = await planImport(deps, OPERATOR, source)
  const beganAt = performance.now()
  await applyImport(deps, OPERATOR, source, plan, { signal: null, onWork: () => {} })
  return { seconds: (performance.now() - beganAt) / 1000 }
}

if (import.meta.main) {
  const job: ImportJob = await Bun.stdin.json()
  process.stdout.write(JSON.stringify(await withDeps(job.url, (deps) => runImport(deps, job))))
  process.exit(0)
}
