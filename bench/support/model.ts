/** The check that databases for benchmarks copy, created and pinged by the program's own code, on any engine. */
import { createDeps } from '../../src/app/deps.ts'
import { readConfig } from '../../src/config/config.ts'
import { newCheck } from '../../src/domain/check/check.ts'
import type { Signal } from '../../src/domain/ping/signal.ts'
import { type Instant, toMicroseconds } from '../../src/lib/time.ts'
import type { Deps } from '../../src/services/common/deps.ts'
import { newIdentity } from '../../src/services/common/identity.ts'
import { rules } from '../../src/services/common/rules.ts'
import { plainProject } from '../../test/support/plain-project.ts'

/** Period and grace time of the checks in a prepared database. */
export const TIMEOUT_SECONDS = 86_400
export const GRACE_SECONDS = 3_600

export const PING: Signal = {
  action: 'success',
  exitStatus: null,
  occurredAt: null,
  rid: null,
  scheme: 'http',
  method: 'GET',
  ua: 'bench',
  remoteAddr: '127.0.0.1',
  body: null,
  contentType: null,
  searched: null,
  mail: null,
}

interface Model {
  readonly id: string
  /** read-write key of its project */
  readonly apiKey: string
}

/** Runs work with dependencies on a database. @param url as in DATABASE_URL */
export async function withDeps<Result>(url: string, work: (deps: Deps) => Promise<Result>): Promise<Result> {
  const deps = await createDeps(readConfig({ DATABASE_URL: url }), () => {})
  try {
    return await work(deps)
  } finally {
    await deps.closeCarriers()
    await deps.store.close()
  }
}

/** Creates the project "bench" and the check with a ping, as `create=1` does. */
export async function makeModel(deps: Deps, pingedAt: Instant): Promise<Model> {
  const { keys } = await plainProject(deps, 'bench')
  const id = deps.random.uuid()
  const provision = (projectId: string, slug: string, createdAt: Instant) => ({
    ...newCheck({ ...newIdentity(deps.random), id, projectId, createdAt }),
    name: 'Nightly backup of host 0',
    slug,
    tags: 'production backup',
    desc: 'Dumps the databases and copies them to the other site.',
    timeoutSeconds: TIMEOUT_SECONDS,
    graceSeconds: GRACE_SECONDS,
  })
  const target = { kind: 'slug', pingKey: keys.pingKey, slug: 'backup-0', create: true } as const
  const arrival = { target, signal: PING, receivedAt: pingedAt }
  const { outcomes } = await deps.store.pings.commit([arrival], { ...rules(deps), provision })
  if (outcomes[0] !== 'created') throw new Error(`the first check was not created: ${outcomes[0]}`)
  return { id, apiKey: keys.apiKey }
}

/** @throws Error when one of the checks does not handle a ping as the model does */
export async function tryPing(deps: Deps, ids: readonly string[], at: Instant): Promise<void> {
  const id = ids[Math.floor(deps.random.fraction() * ids.length)] ?? ''
  const before = await deps.store.flips.nextLookAt()
  await deps.store.pings.commit([{ target: { kind: 'id', id }, signal: PING, receivedAt: at }], rules(deps))
  const [found, pings] = [await deps.store.checks.find(id), await deps.store.pings.list(id, 3)]
  const isSound = found?.check.status === 'up' && found.check.nPings === 2 && pings.length === 2
  const waits = before !== null && toMicroseconds(before) === toMicroseconds(at) + waitMicroseconds()
  if (!isSound || !waits) throw new Error('a bad copy: it does not handle a ping as the model does')
}

function waitMicroseconds(): number {
  return (TIMEOUT_SECONDS + GRACE_SECONDS) * 1_000_000
}
