/** Reads this instance's health for administrators: its loops, queues, database, disk and backups. */
import { type Operator, type Person, requireAdministrator } from '../../domain/actor.ts'
import type { Instant } from '../../lib/time.ts'
import type { DiskUsage, Outbox } from '../../store/store.ts'
import type { Deps, DiskSpace } from '../common/deps.ts'
import type { LoopFigures } from '../common/ports/measurements.ts'
import { listInstances } from './instances.ts'
import type { Readiness, ReadinessLine } from './readiness.ts'
import { type BackupState, readServerState } from './server-state.ts'

export interface LoopState {
  readonly name: string
  /** null if no run has finished yet */
  readonly lastRunAt: Instant | null
  readonly failures: number
  /** mean delay of runs that were scheduled for a specific time; null if there were none */
  readonly meanLagSeconds: number | null
}

export interface ServerHealth {
  readonly lines: readonly ReadinessLine[]
  readonly loops: readonly LoopState[]
  /** null if the database cannot be read */
  readonly stored: StoredFigures | null
  /** null if the database is not in a directory on this machine, or if the system does not report the space */
  readonly disk: DiskSpace | null
}

export interface StoredFigures {
  readonly outbox: Outbox
  readonly size: DiskUsage
  /** seconds by which this machine's clock was ahead of the database clock at the last heartbeat; null before the first heartbeat */
  readonly clockAhead: number | null
  /** null if the database is not a file */
  readonly backup: BackupState | null
}

type HealthDeps = Pick<Deps, 'store' | 'now' | 'stopwatch' | 'measurements' | 'diskSpace' | 'instance'>

/** @throws Refusal `forbidden` */
export async function readServerHealth(
  deps: HealthDeps,
  readiness: Readiness,
  by: Person | Operator,
): Promise<ServerHealth> {
  requireAdministrator(by)
  const lines = await readiness()
  const canRead = lines.every(({ part, problem }) => part !== 'database' || problem === null)
  return {
    lines,
    loops: Array.from(deps.measurements.loops, ([name, figures]) => loopState(name, figures)),
    stored: canRead ? await readStored(deps) : null,
    disk: await deps.diskSpace(),
  }
}

async function readStored(deps: HealthDeps): Promise<StoredFigures> {
  const [outbox, size] = [await deps.store.server.readOutbox(), await deps.store.server.size()]
  const { backup } = await readServerState(deps)
  const own = (await listInstances(deps)).find(({ id }) => id === deps.instance.id)
  return { outbox, size, backup, clockAhead: own?.clockAhead ?? null }
}

function loopState(name: string, { lastRunAt, failures, lagSeconds }: LoopFigures): LoopState {
  const runs = lagSeconds.counts.reduce((sum, count) => sum + count, 0)
  return { name, lastRunAt, failures, meanLagSeconds: runs === 0 ? null : lagSeconds.sum / runs }
}
