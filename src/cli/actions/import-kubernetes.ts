/** `overdue import kubernetes` */

import { type CronJobPatch, planCronJobs, writePatches } from '../../domain/import/kubernetes.ts'
import { quoteForShell } from '../../lib/text.ts'
import type { Context } from '../command.ts'
import { CURL_IMAGE } from '../curl-image.ts'
import { readAllNamed } from '../read-files.ts'
import { optionError } from '../usage.ts'
import { type Artefact, propose, unreadNotes } from './proposals.ts'
import { isYamlPath, readTrees } from './yaml-files.ts'

export async function importKubernetes(context: Context): Promise<undefined> {
  const { positionals, values, input } = context
  const image = String(values.image)
  if (!/^[\w][\w./:@-]{0,254}$/.test(image)) throw optionError('--image is not valid', `use one like ${CURL_IMAGE}`)
  const { files, unread } = await readAllNamed(positionals, input, isYamlPath)
  const texts = files.map(({ bytes }) => bytes.toString())
  await propose(context, texts, 'UTC', (options) => {
    const plan = planCronJobs(files.flatMap(readTrees), options)
    return {
      ...plan,
      notes: [...unreadNotes(unread), ...plan.notes],
      write: (urlOf) => artefactOf(writePatches(plan, image, urlOf)),
    }
  })
}

function artefactOf(patches: readonly CronJobPatch[]): Artefact {
  return { json: { patches }, text: patches.map(commandOf).join('') }
}

function commandOf({ namespace, name, operations }: CronJobPatch): string {
  const where = namespace === null ? '' : ` --namespace ${namespace}`
  return `kubectl patch cronjob ${name}${where} --type json --patch ${quoteForShell(JSON.stringify(operations))}\n`
}
