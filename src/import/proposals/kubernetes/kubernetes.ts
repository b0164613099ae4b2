/** Proposes checks for Kubernetes CronJobs, and patches that make them ping. */
import type { ImportNote } from '../../../domain/import/import-note.ts'
import type { PodWay } from '../ping-lines.ts'
import { PINGS_ALREADY, seemsToPingHere } from '../pinging-already.ts'
import { noteOf, type ProposalOptions, Proposals, type ProposedCheck, shortestGap } from '../proposal.ts'
import type { PlacedTree } from '../tree.ts'
import { type Surroundings, sortItems } from './items.ts'
import { type ClusterObject, containersOf, itemsOf } from './objects.ts'
import { isPingContainer, operationsOf, type PingContainers } from './patch.ts'
import { type PatchableJob, readPod } from './pod.ts'
import { remarksOf } from './remarks.ts'
import { readTiming } from './schedule.ts'
import { textsOf } from './texts.ts'
import { doubtsAbout, refusalOf } from './validity.ts'
import { type ScriptMap, scriptMap } from './wrapping.ts'

interface CronJobPlan {
  readonly checks: readonly ProposedCheck[]
  readonly notes: readonly ImportNote[]
  /** jobs that can be patched, by slug */
  readonly patchable: ReadonlyMap<string, PatchableJob>
}

export interface CronJobPatch {
  /** null for the namespace in kubectl's configuration */
  readonly namespace: string | null
  readonly name: string
  readonly operations: ReturnType<typeof operationsOf>
}

export interface CronJobOptions extends ProposalOptions {
  /** how jobs ping; null to use the wrapper if the manifest shows that it can run, or else additional containers */
  readonly by: PodWay | null
}

/** @param documents parsed YAML or JSON: CronJobs, lists of them, and related objects; other documents are skipped */
export function planCronJobs(documents: readonly PlacedTree[], options: CronJobOptions): CronJobPlan {
  const proposals = new Proposals(options)
  const checks: ProposedCheck[] = []
  const patchable = new Map<string, PatchableJob>()
  const { cronJobs, around, notes: ofItems } = sortItems(documents.flatMap(itemsOf))
  const notes: ImportNote[] = [...ofItems]
  for (const [place, cronJob] of cronJobs) {
    const found = leftOut(cronJob, around, options.pingEndpoint) ?? readTiming(cronJob.tree, options)
    if (typeof found === 'string') {
      notes.push(noteOf('left-out', 'CronJob', place, found))
      continue
    }
    const check = proposals.add({ name: place, tags: 'kubernetes', place, ...found })
    checks.push(check)
    notes.push(
      ...doubtsAbout(cronJob.tree).map(({ reason, advice }) => noteOf('to-do', 'CronJob', place, reason, advice)),
    )
    const pod = readPod(cronJob, around.namespaces, options.by)
    if (typeof pod === 'string') {
      notes.push(noteOf('to-do', 'CronJob', place, pod, 'Ping the check from the job itself.'))
      continue
    }
    const remarks = remarksOf(cronJob, pod, around, {
      server: new URL(options.pingEndpoint),
      gapSeconds: shortestGap(check.timing, options.now),
    })
    notes.push(...remarks.map(({ kind, reason, advice }) => noteOf(kind, 'CronJob', place, reason, advice)))
    if (remarks.every(({ forbidsPatch }) => !forbidsPatch)) patchable.set(check.slug, pod)
  }
  return { checks, notes, patchable }
}

/** Returns a sentence that says why the CronJob gets no check. Returns null if nothing apart from its schedule prevents a check. */
function leftOut(cronJob: ClusterObject, around: Surroundings, pingEndpoint: string): string | null {
  return pings(cronJob, around, pingEndpoint) ? PINGS_ALREADY : refusalOf(cronJob.tree)
}

/**
 * Returns true if the pods already ping a check, because a text passed to them contains a ping, or because they have the containers of a
 * patch.
 */
function pings(cronJob: ClusterObject, { maps }: Surroundings, pingEndpoint: string): boolean {
  const isPing = (text: string) => seemsToPingHere(text, pingEndpoint)
  return textsOf(cronJob, maps).some(isPing) || containersOf(cronJob.tree).some(isPingContainer)
}

/** @param urlOf returns the ping URL of the check with the given slug */
export function writePatches(
  { patchable }: CronJobPlan,
  containers: PingContainers,
  urlOf: (slug: string) => string,
): readonly CronJobPatch[] {
  return [...patchable].map(([slug, job]) => ({
    namespace: job.namespace,
    name: job.name,
    operations: operationsOf(job, containers, urlOf(slug)),
  }))
}

/** Returns the ConfigMaps that wrapped jobs need to start, one for each namespace. @param script text of the script in each ConfigMap */
export function writeScriptMaps({ patchable }: CronJobPlan, script: string): readonly ScriptMap[] {
  const wrapped = [...patchable.values()].filter((job) => job.wrapped !== null)
  const namespaces = new Set(wrapped.map(({ namespace }) => namespace))
  return [...namespaces].map((namespace) => scriptMap(namespace, script))
}
