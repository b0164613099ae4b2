/** Finds CronJob settings that Kubernetes rejects. A CronJob with such settings never runs. */

import { type Problem, problemOf } from '../proposal.ts'
import { at, type Tree, textAt } from '../tree.ts'
import { POD } from './objects.ts'

const POLICIES = ['Allow', 'Forbid', 'Replace']

/** Returns a sentence about why Kubernetes rejects the CronJob, whatever its schedule; null if no reason is known. */
export function refusalOf(cronJob: Tree): string | null {
  const restart = at(cronJob, ...POD, 'restartPolicy') ?? null
  if (restart !== null && restart !== 'Never' && restart !== 'OnFailure')
    return 'Kubernetes rejects it: the restartPolicy of a job must be Never or OnFailure.'
  const policy = at(cronJob, 'spec', 'concurrencyPolicy') ?? null
  if (policy !== null && !POLICIES.includes(String(policy)))
    return 'Kubernetes rejects it: its concurrencyPolicy must be Allow, Forbid or Replace.'
  return null
}

/** The Kubernetes release that removed an API version. */
const REMOVED: Readonly<Record<string, string>> = { 'batch/v1beta1': '1.25', 'batch/v2alpha1': '1.21' }
const STARTING_DEADLINE_MIN = 10

/** Returns reasons why the CronJob may not run in some clusters. */
export function doubtsAbout(cronJob: Tree): readonly Problem[] {
  const version = textAt(cronJob, 'apiVersion') ?? ''
  const removed = Object.hasOwn(REMOVED, version) ? REMOVED[version] : undefined
  const deadline = at(cronJob, 'spec', 'startingDeadlineSeconds')
  const isTooShort = typeof deadline === 'number' && deadline < STARTING_DEADLINE_MIN
  return [
    ...(removed === undefined
      ? []
      : [problemOf(`Kubernetes ${removed} removed ${version}.`, 'Change it to batch/v1.')]),
    ...(isTooShort ? [problemOf(SHORT_DEADLINE, `Set it to ${STARTING_DEADLINE_MIN} or more.`)] : []),
  ]
}

// The controller looks for due jobs every ten seconds.
const SHORT_DEADLINE = 'With a startingDeadlineSeconds below 10, Kubernetes may not start it at all.'
