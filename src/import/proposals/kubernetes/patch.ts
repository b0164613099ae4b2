/** JSON patches (RFC 6902) that make Kubernetes CronJobs ping. */

import { endPing, startPing } from '../ping-lines.ts'
import { at, type Tree, textAt } from '../tree.ts'
import { type Operation, POD_PATH, proxiesOf } from './objects.ts'
import type { PatchableJob } from './pod.ts'
import { wrappingOperations } from './wrapping.ts'

/** Settings of the containers that ping. */
export interface PingContainers {
  /** an image with curl and sh */
  readonly image: string
  /** user id for these containers if they must not run as root and the job names no user; null to let the cluster choose */
  readonly user: number | null
}

const START = 'overdue-start'
const END = 'overdue-end'

export const isPingContainer = (container: Tree) => [START, END].includes(textAt(container, 'name') ?? '')

/** Seconds that the patch adds to the job's deadlines, to allow for two pings and the start of their containers. */
export const EXTRA_SECONDS = 60

/** Returns operations that make the job ping. If the container has changed since the manifest was read, the patch does not apply. */
export function operationsOf(job: PatchableJob, containers: PingContainers, url: string): readonly Operation[] {
  return [
    { op: 'test', path: `${POD_PATH}/containers/0/name`, value: job.containerName },
    ...(job.wrapped === null ? surroundingOperations(job, containers, url) : wrappingOperations(job.wrapped, url)),
    ...job.deadlines.flatMap(({ path, seconds }) => [
      { op: 'test', path, value: seconds },
      { op: 'replace', path, value: seconds + EXTRA_SECONDS },
    ]),
  ]
}

/**
 * Makes the job's container the last init container. The container that replaces it pings, and runs only if the job has succeeded. This
 * way, the job's image needs neither curl nor a shell.
 */
function surroundingOperations(job: PatchableJob, containers: PingContainers, url: string): readonly Operation[] {
  const [first, before] = [`${POD_PATH}/containers/0`, `${POD_PATH}/initContainers`]
  const start = pingContainer(START, startPing(url), job, containers)
  const end = pingContainer(END, endPing(url, ''), job, containers)
  return [
    job.hasInitContainers
      ? { op: 'add', path: `${before}/0`, value: start }
      : { op: 'add', path: before, value: [start] },
    { op: 'add', path: `${POD_PATH}/containers/-`, value: end },
    ...proxiesOf(job.container).flatMap(({ index, name }) => [
      { op: 'test', path: `${first}/env/${index}/name`, value: name },
      { op: 'copy', from: `${first}/env/${index}`, path: `${before}/0/env/-` },
      { op: 'copy', from: `${first}/env/${index}`, path: `${POD_PATH}/containers/1/env/-` },
    ]),
    { op: 'move', from: first, path: `${before}/-` },
  ]
}

function pingContainer(name: string, ping: string, job: PatchableJob, { image, user }: PingContainers) {
  return {
    ...{ name, image, imagePullPolicy: 'IfNotPresent' },
    // A failed ping must not make the job fail.
    command: ['/bin/sh', '-c', `${ping} || true`],
    ...(proxiesOf(job.container).length > 0 ? { env: [] } : {}),
    resources: resourcesOf(job.container),
    securityContext: securityOf(job, user),
  }
}

/**
 * Returns the job's resources, to use for the pinging containers. They satisfy the quotas and limits of the namespace, and the pod keeps
 * its quality-of-service class. The pod needs no more resources than before, because the containers run one after another.
 */
function resourcesOf(container: Tree): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  const kept = ['requests', 'limits'].map((member) => {
    const amounts = ['cpu', 'memory', 'ephemeral-storage'].flatMap((name) => {
      const amount = at(container, 'resources', member, name)
      return isAmount(amount) ? [[name, amount] as const] : []
    })
    return [member, Object.fromEntries(amounts)] as const
  })
  return Object.fromEntries(kept.filter(([, amounts]) => Object.keys(amounts).length > 0))
}

const isAmount = (value: Tree) =>
  typeof value === 'number' || (typeof value === 'string' && /^[\w.+-]{1,30}$/.test(value))

/** Returns a security context that satisfies the level "restricted" of the Pod Security Standards and names the job's user. */
function securityOf({ container, podSecurity }: PatchableJob, user: number | null): Readonly<Record<string, unknown>> {
  const of = (name: string) => at(container, 'securityContext', name) ?? at(podSecurity, name)
  const [runAsNonRoot, runAsUser, runAsGroup] = [of('runAsNonRoot'), of('runAsUser'), of('runAsGroup')]
  // If a container must not run as root and its image gives the user by name, Kubernetes does not start the container.
  const usual = runAsNonRoot === true ? user : null
  const chosen = typeof runAsUser === 'number' ? runAsUser : usual
  return {
    ...(typeof runAsNonRoot === 'boolean' ? { runAsNonRoot } : {}),
    ...(chosen === null ? {} : { runAsUser: chosen }),
    ...(typeof runAsGroup === 'number' ? { runAsGroup } : {}),
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
    seccompProfile: { type: 'RuntimeDefault' },
  }
}
