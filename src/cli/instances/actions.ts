/** Implements `overdue instances`. */
import { isoSeconds } from '../../lib/time.ts'
import { listInstances, processorPercent, type SeenInstance } from '../../services/server/instances.ts'
import type { Context } from '../command.ts'

export async function list({ openDeps, print }: Context): Promise<undefined> {
  const instances = await listInstances(await openDeps())
  const heads = ['NAME', 'VERSION', 'STATE', 'SEEN', 'STARTED', 'PINGS/S', 'COMMIT MS', 'CPU %', 'MB', 'CLOCK']
  print(
    instances.map(represent),
    instances.length === 0 ? 'no instance runs on this database' : [{ rows: [heads, ...instances.map(row)] }],
  )
}

/** Formats a clock difference, such as `+0.3`, `-2.5` or `0.0`. */
const clockDifference = new Intl.NumberFormat('en', {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
  useGrouping: false,
  signDisplay: 'exceptZero',
})

function represent(instance: SeenInstance) {
  const { id, name, version, isAlive, startedAt, seenAt, clockAhead, load } = instance
  return {
    id,
    name,
    version,
    alive: isAlive,
    started: isoSeconds(startedAt),
    last_seen: isoSeconds(seenAt),
    clock_ahead_seconds: clockAhead,
    pings_per_second: load.pingsPerSecond,
    commit_milliseconds: load.commitMilliseconds,
    processor_share: load.processorShare,
    memory_megabytes: load.memoryMegabytes,
  }
}

function row({ name, version, isAlive, seenAt, startedAt, clockAhead, load }: SeenInstance) {
  const { pingsPerSecond, commitMilliseconds, memoryMegabytes } = load
  const figures = [pingsPerSecond, commitMilliseconds, processorPercent(load), memoryMegabytes]
  return [
    ...[{ name }, version, isAlive ? 'alive' : 'gone', seenAt, startedAt],
    ...figures.map((figure) => (figure === null ? null : String(figure))),
    `${clockDifference.format(clockAhead)} s`,
  ]
}
