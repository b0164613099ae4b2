/** The instances that share a database: what each one reports with its heartbeat, and which ones are alive. */
import { addSeconds, type Instant, isBefore, microsecondsBetween } from '../../lib/time.ts'
import type { Instance, InstanceLoad } from '../../store/store.ts'
import type { Deps } from '../common/deps.ts'

/** Seconds without a heartbeat after which an instance is considered dead. This is as long as three heartbeat intervals. */
const ALIVE_SECONDS = 30
/** Clock difference, in seconds, above which one of the two clocks is considered wrong. Instances follow the database's clock. */
const CLOCK_TOLERANCE_SECONDS = 2

export type BeatDeps = Pick<Deps, 'readClock' | 'stopwatch' | 'log' | 'measurements' | 'ownProcess' | 'instance'>

export interface Beat {
  readonly instance: Instance
  /** seconds by which this heartbeat has set `now` back, because `now` had run ahead since the last heartbeat */
  readonly setBackBy: number
}

/** @returns a function to call for each heartbeat; it returns this instance's report for the time since the last call */
export function createBeats(deps: BeatDeps): () => Promise<Beat> {
  const { readClock, log, ownProcess, instance } = deps
  const readLoad = createLoadMeter(deps)
  let lastAhead: number | null = null
  return async () => {
    const { at: seenAt, ahead: clockAhead, setBackBy } = await readClock()
    warnOfClock(log, lastAhead, clockAhead)
    lastAhead = clockAhead
    const { version, startedAt } = ownProcess
    return { instance: { ...instance, version, startedAt, seenAt, clockAhead, load: readLoad() }, setBackBy }
  }
}

/** Logs a message whenever the clock becomes wrong, and when it is right again. */
function warnOfClock(log: Deps['log'], lastAhead: number | null, ahead: number): void {
  const [wasWrong, isWrong] = [lastAhead !== null && isClockWrong(lastAhead), isClockWrong(ahead)]
  if (isWrong && !wasWrong) {
    log('warning', `the clock of this machine is ${clockWords(ahead)}; synchronize both with a time server (NTP)`, {})
  }
  if (wasWrong && !isWrong) log('info', 'the clock of this machine is that of the database again')
}

export function isClockWrong(ahead: number): boolean {
  return Math.abs(ahead) > CLOCK_TOLERANCE_SECONDS
}

/** Returns a string such as `3.2 seconds ahead of the database clock`. */
export function clockWords(ahead: number): string {
  return `${Math.abs(ahead).toFixed(1)} seconds ${ahead > 0 ? 'ahead of' : 'behind'} the database clock`
}

function createLoadMeter({ stopwatch, measurements, ownProcess }: BeatDeps): () => InstanceLoad {
  const count = () => ({
    at: stopwatch(),
    pings: measurements.pingCount,
    commits: measurements.commitSeconds.counts.reduce((sum, commits) => sum + commits, 0),
    commitSeconds: measurements.commitSeconds.sum,
    processor: ownProcess.cpuSeconds(),
  })
  let last = count()
  return () => {
    const present = count()
    const [seconds, commits] = [present.at - last.at, present.commits - last.commits]
    const load: InstanceLoad = {
      pingsPerSecond: rounded(ratio(present.pings - last.pings, seconds), 1),
      commitMilliseconds: rounded(ratio(1000 * (present.commitSeconds - last.commitSeconds), commits), 2),
      processorShare: rounded(ratio(present.processor - last.processor, seconds), 3),
      memoryMegabytes: Math.round(ownProcess.residentMemory() / 1_000_000),
    }
    last = present
    return load
  }
}

function ratio(value: number, of: number): number | null {
  return of > 0 ? value / of : null
}

function rounded(value: number | null, digits: number): number | null {
  return value === null ? null : Number(value.toFixed(digits))
}

/** Returns CPU usage as a percentage of one core. */
export function processorPercent({ processorShare }: InstanceLoad): number | null {
  return processorShare === null ? null : Math.round(processorShare * 100)
}

/** An instance, as seen by another instance. */
export interface SeenInstance extends Instance {
  /** false if the instance stopped without reporting it, or cannot reach the database */
  readonly isAlive: boolean
  /** seconds since the last heartbeat */
  readonly silentSeconds: number
}

/** Lists instances in the order in which they were started, including instances that were killed within the last day. */
export async function listInstances({ store }: Pick<Deps, 'store'>): Promise<SeenInstance[]> {
  const [at, instances] = await Promise.all([store.server.readClock(), store.instances.list()])
  return instances.map((instance) => ({
    ...instance,
    isAlive: !isBefore(addSeconds(instance.seenAt, ALIVE_SECONDS), at),
    silentSeconds: Math.max(0, seconds(instance.seenAt, at)),
  }))
}

/** Returns true if another instance uses the database. */
export async function hasOthers(deps: Pick<Deps, 'store' | 'instance'>): Promise<boolean> {
  return (await listInstances(deps)).some(({ id, isAlive }) => isAlive && id !== deps.instance.id)
}

function seconds(from: Instant, until: Instant): number {
  return microsecondsBetween(from, until) / 1_000_000
}
