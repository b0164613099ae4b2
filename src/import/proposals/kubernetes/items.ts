/** Sorts the objects in Kubernetes manifests into CronJobs, related objects, and objects that are skipped. */
import type { ImportNote } from '../../../domain/import/import-note.ts'
import { noteOf } from '../proposal.ts'
import { at, type Tree, textAt } from '../tree.ts'
import { type ClusterObject, type Item, readObject, titleOf } from './objects.ts'
import type { MapsByTitle } from './texts.ts'

/** Objects to which CronJobs refer, or which restrict CronJobs. */
export interface Surroundings {
  readonly policies: readonly ClusterObject[]
  readonly namespaces: readonly ClusterObject[]
  readonly maps: MapsByTitle
}

interface SortedItems {
  /** jobs by namespace and name, such as `prod/backup` */
  readonly cronJobs: ReadonlyMap<string, ClusterObject>
  readonly around: Surroundings
  readonly notes: readonly ImportNote[]
}

export function sortItems(items: readonly Item[]): SortedItems {
  const cronJobs = new Map<string, ClusterObject>()
  const others: ClusterObject[] = []
  const notes: ImportNote[] = []
  for (const item of items) {
    const read = readItem(item)
    if ('reason' in read) notes.push(read)
    else if (read.kind !== 'CronJob') others.push(read)
    else {
      const place = [read.namespace, read.name].filter((part) => part !== null).join('/')
      if (at(read.tree, 'spec', 'schedule') == null) notes.push(noteOf('left-out', 'CronJob', place, NO_SCHEDULE))
      else if (cronJobs.has(place))
        notes.push(noteOf('left-out', 'CronJob', place, 'It occurs twice; the first one counts.'))
      else cronJobs.set(place, read)
    }
  }
  const ofKind = (kind: string) => others.filter((object) => object.kind === kind)
  const maps = Map.groupBy([...ofKind('ConfigMap'), ...ofKind('Secret')], ({ kind, name }) => `${kind} ${name}`)
  return { cronJobs, around: { policies: ofKind('NetworkPolicy'), namespaces: ofKind('Namespace'), maps }, notes }
}

const NO_SCHEDULE = 'It has no schedule, so it is only a part of a manifest.'

/** Kinds that are read, and their API groups. */
const GROUPS: Readonly<Record<string, string>> = {
  CronJob: 'batch/',
  NetworkPolicy: 'networking.k8s.io/',
  Namespace: '',
  ConfigMap: '',
  Secret: '',
}

function readItem(item: Item): ClusterObject | ImportNote {
  const left = (reason: string, advice: string | null = null) =>
    noteOf('left-out', 'object', titleOf(item), reason, advice)
  const kind = textAt(item.tree, 'kind') ?? item.kindOfList
  if (kind === 'Template') return left('It is an OpenShift template.', OPENSHIFT_ADVICE)
  if (isTemplate(item.tree)) return left('It is a template, or has variables to fill in.', TEMPLATE_ADVICE)
  if (kind === 'Kustomization' || (kind === null && Array.isArray(at(item.tree, 'resources')))) {
    return left('Kustomizations are not built.', KUSTOMIZE_ADVICE)
  }
  const object = readObject(item)
  if (object !== null && isKnown(object)) return object
  if (kind?.endsWith('NetworkPolicy')) {
    return noteOf(
      'to-do',
      'object',
      titleOf(item),
      'It is not read.',
      'Make sure that it lets the jobs reach the server.',
    )
  }
  if (kind === 'CronJob' && textAt(item.tree, 'metadata', 'generateName') !== null) return left(NO_NAME, NO_NAME_ADVICE)
  if (hasSchedule(item.tree))
    return left('Of objects with a schedule, only CronJobs of batch/v1 are read.', OTHER_ADVICE)
  return left('It is not a CronJob of batch/v1 with a name.')
}

/** Returns true for other objects with a schedule, such as an Argo CronWorkflow, a Knative PingSource or a Velero Schedule. */
function hasSchedule(tree: Tree): boolean {
  const spec = at(tree, 'spec')
  const kind = textAt(tree, 'kind') ?? ''
  return (
    /^Cron|^Schedul|^Recurring/.test(kind) || ['schedule', 'schedules', 'cron'].some((name) => at(spec, name) != null)
  )
}

const NO_NAME = 'It has generateName and no name, so its name is not known.'
const NO_NAME_ADVICE = 'Give the object in the cluster: `kubectl get cronjobs -o json | overdue import kubernetes -`.'
const OTHER_ADVICE = 'Create a check with its schedule, and ping it from the job.'

/** Returns true if the object has a supported kind and the matching API group. The `apiVersion` may be missing, as in short examples. */
function isKnown({ kind, tree }: ClusterObject): boolean {
  const group = Object.hasOwn(GROUPS, kind) ? GROUPS[kind] : undefined
  return group !== undefined && (textAt(tree, 'apiVersion') ?? group).startsWith(group)
}

/** Advice for a template, with the command that renders it. */
export const TEMPLATE_ADVICE = 'Give the rendered manifest: `helm template CHART | overdue import kubernetes -`.'
const OPENSHIFT_ADVICE = 'Give the rendered manifest: `oc process -f FILE | overdue import kubernetes -`.'
const KUSTOMIZE_ADVICE = 'Give the rendered manifest: `kubectl kustomize FOLDER | overdue import kubernetes -`.'

/** Returns true if a job's name or schedule contains the braces of Helm and Jinja, or the variables of envsubst and OpenShift. */
function isTemplate(tree: Tree): boolean {
  if (textAt(tree, 'kind') !== 'CronJob') return false
  const places = [
    ['metadata', 'name'],
    ['metadata', 'namespace'],
    ['spec', 'schedule'],
    ['spec', 'timeZone'],
  ] as const
  return places.some((place) => /\{\{|\$[{(\w]/.test(textAt(tree, ...place) ?? ''))
}
