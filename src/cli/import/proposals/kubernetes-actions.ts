/** `overdue import kubernetes` */

import { TEMPLATE_ADVICE } from '../../../import/proposals/kubernetes/items.ts'
import { type CronJobPatch, planCronJobs, writePatches } from '../../../import/proposals/kubernetes/kubernetes.ts'
import { quoteForShell } from '../../../lib/text/text.ts'
import type { Context, ExitStatus } from '../../command.ts'
import { readAllNamed } from '../../read-files.ts'
import { optionError } from '../../usage.ts'
import { CURL_IMAGE } from './curl-image.ts'
import { type Artefact, propose, unreadNotes } from './proposals.ts'
import { isYamlPath, readTrees } from './yaml-files.ts'

export async function importKubernetes(context: Context): Promise<ExitStatus> {
  const { positionals, values, input } = context
  const image = String(values.image)
  if (!/^[\w][\w./:@-]{0,254}$/.test(image)) throw optionError('--image is not valid', `use one like ${CURL_IMAGE}`)
  const user = readUser(String(values.user))
  const { files, unread } = await readAllNamed(positionals, input, isYamlPath)
  const texts = files.map(({ bytes }) => bytes.toString())
  const read = readTrees(files, TEMPLATE_ADVICE)
  return propose(context, texts, 'UTC', (options) => {
    const plan = planCronJobs(read.trees, options)
    return {
      ...plan,
      unread: [...unreadNotes(unread), ...read.unread],
      write: (urlOf) => artefactOf(writePatches(plan, { image, user }, urlOf)),
    }
  })
}

/** @throws Refusal `option-invalid` */
function readUser(text: string): number | null {
  if (text === 'cluster') return null
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw optionError('--user is not valid', 'use the number of a user other than root, or: cluster')
}

function artefactOf(patches: readonly CronJobPatch[]): Artefact {
  return { json: { patches }, text: patches.map(commandOf).join('') }
}

function commandOf({ namespace, name, operations }: CronJobPatch): string {
  const where = namespace === null ? '' : ` --namespace ${namespace}`
  return `kubectl patch cronjob ${name}${where} --type json --patch ${quoteForShell(JSON.stringify(operations))}\n`
}
