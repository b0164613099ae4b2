/** Returns remarks on a Kubernetes CronJob for users who are about to patch it. */
import { statusesHiddenBy } from '../command/exit-status.ts'
import { at, listAt, textAt } from '../tree.ts'
import { addressObstacle, isOnNode } from './address.ts'
import type { Surroundings } from './items.ts'
import { reachOf } from './network.ts'
import { type ClusterObject, POD } from './objects.ts'
import { EXTRA_SECONDS } from './patch.ts'
import type { PatchableJob } from './pod.ts'
import { hiddenVariables, programOf } from './texts.ts'
import { hasNoTemporaryFolder, NOT_SHOWN } from './wrapping.ts'

interface Remark {
  readonly kind: 'changed' | 'to-do'
  /** a sentence */
  readonly reason: string
  readonly advice: string | null
  /** true if the containers of a patch could never ping */
  readonly forbidsPatch: boolean
}

interface PingedJob {
  /** ping URL */
  readonly server: URL
  /** shortest time between two runs */
  readonly gapSeconds: number
}

export function remarksOf(
  cronJob: ClusterObject,
  job: PatchableJob,
  { policies }: Surroundings,
  { server, gapSeconds }: PingedJob,
): readonly Remark[] {
  return [
    ...wayRemarks(cronJob, job),
    ...managerRemarks(cronJob),
    ...statusRemarks(job),
    ...deadlineRemarks(job),
    ...overlapRemarks(cronJob, gapSeconds),
    ...variableRemarks(cronJob),
    ...addressRemarks(cronJob, server),
    ...policyRemarks(cronJob, policies, server),
  ]
}

const toDo = (reason: string, advice: string, forbidsPatch = false): Remark => ({
  kind: 'to-do',
  ...{ reason, advice, forbidsPatch },
})

const changed = (reason: string, advice: string | null): Remark => ({
  kind: 'changed',
  ...{ reason, advice, forbidsPatch: false },
})

function wayRemarks({ tree }: ClusterObject, { wrapped, noWrapper }: PatchableJob): readonly Remark[] {
  if (noWrapper !== null) return [changed(noWrapper, noWrapper === NOT_SHOWN ? `${SURROUNDED} ${VOUCH}` : SURROUNDED)]
  return wrapped !== null && hasNoTemporaryFolder(tree) ? [toDo(NO_FOLDER, 'Mount an emptyDir at /tmp.')] : []
}

const SURROUNDED =
  'Therefore, no wrapper runs it: containers before and after it ping its start and its success, without the output.'
const VOUCH = 'If it has both, import again and choose overdue-run.'
const NO_FOLDER = 'Its file system is read-only, even at /tmp, so the pings have no output.'

/** Programs that manage objects, by the prefixes of the labels and annotations that they set. */
const MANAGERS = [
  ['argocd.argoproj.io/', 'Argo CD'],
  ['kustomize.toolkit.fluxcd.io/', 'Flux'],
  ['helm.toolkit.fluxcd.io/', 'Flux'],
  ['meta.helm.sh/', 'Helm'],
] as const

/** Warns of programs that manage the CronJob and would undo a patch. */
function managerRemarks({ tree }: ClusterObject): readonly Remark[] {
  const keys = ['labels', 'annotations'].flatMap((name) => Object.keys(Object(at(tree, 'metadata', name) ?? {})))
  const manager = MANAGERS.find(([begin]) => keys.some((key) => key.startsWith(begin)))?.[1]
  const isOwned = listAt(tree, 'metadata', 'ownerReferences').length > 0
  const isOfHelm = at(tree, 'metadata', 'labels', 'app.kubernetes.io/managed-by') === 'Helm'
  const who = isOwned ? 'The object that owns it' : (manager ?? (isOfHelm ? 'Helm' : null))
  if (who === null) return []
  return [toDo(`${who} manages it, and will undo the patch.`, 'Make the same change there.')]
}

/**
 * Finds hidden exit statuses. Without a command, the arguments are passed to the image's entry point. The entry point is assumed to be a
 * shell, or the program after which the image is named.
 */
function statusRemarks({ container }: PatchableJob): readonly Remark[] {
  const [command = [], args = []] = ['command', 'args'].map((key) =>
    listAt(container, key).filter((word) => typeof word === 'string'),
  )
  const entryPoint = /^-\w*c$/.test(args[0] ?? '') ? 'sh' : programOf(textAt(container, 'image') ?? '')
  const words = [...(command.length > 0 ? command : [entryPoint]), ...args]
  return statusesHiddenBy(words, 'manifest').map(({ reason, advice }) => toDo(reason, advice))
}

function deadlineRemarks({ deadlines }: PatchableJob): readonly Remark[] {
  const reason = `The patch adds ${EXTRA_SECONDS} seconds to activeDeadlineSeconds, for the pings.`
  return deadlines.length === 0 ? [] : [changed(reason, null)]
}

/** Gap between runs, in seconds, below which the pings alone may make the runs overlap. */
const CLOSE_SECONDS = 120

/**
 * Warns if runs follow each other closely. Depending on the concurrency policy, a running job prevents the next run or is stopped by it.
 */
function overlapRemarks({ tree }: ClusterObject, gapSeconds: number): readonly Remark[] {
  const policy = textAt(tree, 'spec', 'concurrencyPolicy')
  if (policy === null || policy === 'Allow' || gapSeconds > CLOSE_SECONDS) return []
  const what = policy === 'Forbid' ? 'skips the next one' : 'is ended by the next one'
  const reason = `An unfinished run ${what}. While the server is unreachable, the pings add up to 30 seconds.`
  return [toDo(reason, 'Make sure that runs are short enough, or set concurrencyPolicy to Allow.')]
}

function variableRemarks(cronJob: ClusterObject): readonly Remark[] {
  const names = hiddenVariables(cronJob)
  if (names.length === 0) return []
  const reason = `The value of ${names.join(', ')} is in an object that was not given. If it names a check, the job pings already.`
  return [toDo(reason, 'Do not apply its patch then.')]
}

function addressRemarks({ tree }: ClusterObject, server: URL): readonly Remark[] {
  const obstacle = addressObstacle(tree, server)
  return obstacle === null ? [] : [toDo(obstacle.reason, obstacle.advice, obstacle.isCertain)]
}

function policyRemarks(cronJob: ClusterObject, policies: readonly ClusterObject[], server: URL): readonly Remark[] {
  const labels = at(cronJob.tree, ...POD.slice(0, -1), 'metadata', 'labels')
  const { kind, policies: names } = reachOf(policies, cronJob, labels, server)
  if (kind === 'open') return []
  const named = `${names.length === 1 ? 'NetworkPolicy' : 'NetworkPolicies'} ${names.join(', ')}`
  if (isOnNode(cronJob.tree)) {
    const reason = `Its pods use the network of their node, where the ${named} may not apply.`
    return [toDo(reason, `Make sure that they can reach ${server.host}.`)]
  }
  if (kind === 'unknown') {
    const allows = names.length === 1 ? 'allows' : 'allow'
    const reason = `The ${named} ${allows} only some connections of its pods.`
    return [toDo(reason, `Make sure that those to ${server.host} and to the DNS servers are among them.`)]
  }
  const keeps = names.length === 1 ? 'keeps' : 'keep'
  const advice = `Allow TCP to ${server.host} and UDP to DNS servers (port 53), and run the command again.`
  return [toDo(`The ${named} ${keeps} its pods from the server, so no patch is written.`, advice, true)]
}
