/** Determines whether a wrapper can run in the container of a Kubernetes CronJob, and whether pinging containers can run around it. */

import type { PodWay } from '../ping-lines.ts'
import { at, listAt, type Tree, textAt } from '../tree.ts'
import { hasLessMemoryThan } from './memory.ts'
import { type ClusterObject, isName, POD } from './objects.ts'
import { type WrappedCommand, wrappedCommand } from './wrapping.ts'

/** Parts of a CronJob on which its patch depends. */
export interface PatchableJob {
  readonly namespace: string | null
  readonly name: string
  /** the container that does the job */
  readonly container: Tree
  readonly containerName: string
  /** null if additional containers send the pings */
  readonly wrapped: WrappedCommand | null
  /** a sentence that says why the wrapper cannot run the job; null if it can, or if the wrapper was not requested */
  readonly noWrapper: string | null
  readonly hasInitContainers: boolean
  /** the pod's security context, which containers inherit unless they override it */
  readonly podSecurity: Tree
  /** paths of the deadlines in the CronJob, and their values in seconds */
  readonly deadlines: readonly { readonly path: string; readonly seconds: number }[]
}

/** Settings that Kubernetes rejects in an init container. */
const REFUSED = [
  ...['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'],
  ...['resizePolicy', 'restartPolicy', 'restartPolicyRules'],
]

/**
 * @param namespaces Namespace objects @param by null to use the wrapper if the manifest shows that it can run
 * @returns a sentence with the reason if no patch is possible
 */
export function readPod(
  cronJob: ClusterObject,
  namespaces: readonly ClusterObject[],
  by: PodWay | null,
): PatchableJob | string {
  const { tree, name, namespace } = cronJob
  const containers = listAt(tree, ...POD, 'containers')
  const [container] = containers
  const containerName = textAt(container, 'name')
  if (containers.length !== 1 || !isName(containerName)) {
    return 'It does not have exactly one container, so no patch can be written.'
  }
  if (isForWindows(tree)) return 'Its pods run on Windows, where the containers of a patch cannot run.'
  const found = by === 'curl' ? null : wrappedCommand(tree, by !== null)
  const [wrapped, noWrapper] = typeof found === 'string' ? [null, found] : [found, null]
  const problem = runsProblem(tree) ?? (wrapped === null ? neighbourProblem(cronJob, container, namespaces) : null)
  if (problem !== null) return problem
  return {
    ...{ namespace, name, container, containerName, wrapped, noWrapper },
    hasInitContainers: listAt(tree, ...POD, 'initContainers').length > 0,
    podSecurity: at(tree, ...POD, 'securityContext'),
    deadlines: deadlinesOf(tree),
  }
}

/** Rejects jobs with several pods, because the ping of one pod would count for all of them. */
function runsProblem(cronJob: Tree): string | null {
  const counts = ['completions', 'parallelism'].map((name) => at(cronJob, 'spec', 'jobTemplate', 'spec', name))
  if (!counts.some((value) => typeof value === 'number' && value > 1)) return null
  return 'A run has several pods, of which the first that ends would ping success.'
}

/** Minimum memory limit in mebibytes. curl and a shell need about 8 MB. */
const MEMORY_MIN = 32

/** Returns a sentence that says why the job cannot run between pinging containers. */
function neighbourProblem(cronJob: ClusterObject, container: Tree, namespaces: readonly ClusterObject[]) {
  if (REFUSED.some((key) => at(container, key) != null))
    return 'Its container has probes, a lifecycle or rules for restarts, so no patch can be written.'
  if (hasLessMemoryThan(MEMORY_MIN, container))
    return `Its memory limit is below ${MEMORY_MIN}Mi, too little for the containers that ping.`
  return injectionProblem(cronJob, namespaces)
}

function isForWindows(cronJob: Tree): boolean {
  const pod = at(cronJob, ...POD)
  const terms = listAt(
    pod,
    ...['affinity', 'nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution', 'nodeSelectorTerms'],
  )
  return (
    textAt(pod, 'os', 'name') === 'windows' ||
    Object.values(Object(at(pod, 'nodeSelector') ?? {})).includes('windows') ||
    terms
      .flatMap((term) => listAt(term, 'matchExpressions'))
      .some((term) => at(term, 'operator') === 'In' && listAt(term, 'values').includes('windows'))
  )
}

/** Converts a text, number or boolean to text. Returns '' for anything else. */
const textOf = (value: Tree) => (/^(?:string|number|boolean)$/.test(typeof value) ? String(value) : '')

/**
 * Matches labels and annotations that cause other containers to be injected, such as `sidecar.istio.io/inject`, `linkerd.io/inject` and
 * `dapr.io/enabled`.
 */
const INJECTION =
  /inject|^dapr\.io\/enabled$|^istio\.io\/rev$|^gke-gcsfuse\/volumes$|^admission\.datadoghq\.com\/enabled$/
const OFF = /^(?:false|disabled|no|off|)$/i

/**
 * Rejects jobs with injected containers, such as a service mesh proxy. If the job ran as an init container, it would run before they start.
 */
function injectionProblem(cronJob: ClusterObject, namespaces: readonly ClusterObject[]): string | null {
  const metadata = at(cronJob.tree, 'spec', 'jobTemplate', 'spec', 'template', 'metadata')
  const own = marksOf(metadata)
  const around = namespaces
    .filter(({ name }) => name === cronJob.namespace)
    .flatMap(({ tree }) => marksOf(at(tree, 'metadata')))
  const on = own.length > 0 ? own : around
  const [key] = on.find(([, value]) => !OFF.test(value)) ?? []
  return key === undefined ? null : `Its pods get containers from elsewhere (${key}), which must run beside the job.`
}

function marksOf(metadata: Tree): readonly (readonly [key: string, value: string])[] {
  return ['annotations', 'labels'].flatMap((member) =>
    Object.entries(Object(at(metadata, member) ?? {}))
      .filter(([key]) => /^[\w./-]{1,100}$/.test(key) && INJECTION.test(key))
      .map(([key, value]) => [key, textOf(value)] as const),
  )
}

function deadlinesOf(cronJob: Tree): PatchableJob['deadlines'] {
  const job = ['spec', 'jobTemplate', 'spec']
  return [job, [...job, 'template', 'spec']].flatMap((place) => {
    const names = [...place, 'activeDeadlineSeconds']
    const seconds = at(cronJob, ...names)
    return typeof seconds === 'number' && seconds > 0 ? [{ path: `/${names.join('/')}`, seconds }] : []
  })
}
