/** Implements `overdue import kubernetes`. */

import { scriptText } from '../../../domain/ping/script-text.ts'
import { TEMPLATE_ADVICE } from '../../../import/proposals/kubernetes/items.ts'
import {
  type CronJobPatch,
  planCronJobs,
  writePatches,
  writeScriptMaps,
} from '../../../import/proposals/kubernetes/kubernetes.ts'
import type { ScriptMap } from '../../../import/proposals/kubernetes/wrapping.ts'
import { POD_WAYS } from '../../../import/proposals/ping-lines.ts'
import { noteOf } from '../../../import/proposals/proposal.ts'
import { quoteForShell } from '../../../lib/text/text.ts'
import type { Context, ExitStatus } from '../../command.ts'
import { readAllNamed } from '../../read-files.ts'
import { optionError } from '../../usage.ts'
import { CURL_IMAGE } from './curl-image.ts'
import { type Artefact, propose, unreadNotes } from './proposals.ts'
import { readWay } from './with-option.ts'
import { isYamlPath, readTrees } from './yaml-files.ts'

export async function importKubernetes(context: Context): Promise<ExitStatus> {
  const { positionals, values, input } = context
  const image = String(values.image)
  if (!/^[\w][\w./:@-]{0,254}$/.test(image)) throw optionError('--image is not valid', `use one like ${CURL_IMAGE}`)
  const user = readUser(String(values.user))
  const by = values.with === undefined ? null : readWay(String(values.with), POD_WAYS)
  const { links, pingBodyLimit } = await context.readConfig()
  const { files, unread } = await readAllNamed(positionals, input, isYamlPath)
  const texts = files.map(({ bytes }) => bytes.toString())
  const read = readTrees(files, TEMPLATE_ADVICE)
  return propose(context, texts, 'UTC', (options) => {
    const plan = planCronJobs(read.trees, { ...options, by })
    const maps = writeScriptMaps(plan, scriptText(links.siteRoot, pingBodyLimit))
    return {
      ...plan,
      notes: [...plan.notes, ...(maps.length > 0 ? [MAPS_NOTE] : [])],
      unread: [...unreadNotes(unread), ...read.unread],
      write: (urlOf) => artefactOf(maps, writePatches(plan, { image, user }, urlOf)),
    }
  })
}

/** @throws Refusal `option-invalid` */
function readUser(text: string): number | null {
  if (text === 'cluster') return null
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw optionError('--user is not valid', 'use the number of a user other than root, or: cluster')
}

/**
 * Note to create the ConfigMaps first. A job whose ConfigMap is missing does not start, and a wrapper without curl or wget sends no pings.
 */
const MAPS_NOTE = noteOf(
  'to-do',
  'ConfigMap of',
  'the jobs',
  'Jobs run through overdue-run in a ConfigMap, which the first commands create. Without the ConfigMap, no job starts.',
  'Their images need sh, and curl or wget with timeout. Try one: `kubectl create job --from=cronjob/NAME trial`.',
)

function artefactOf(maps: readonly ScriptMap[], patches: readonly CronJobPatch[]): Artefact {
  const commands = [...maps.map(mapCommand), ...patches.map(patchCommand)]
  return { json: { config_maps: maps, patches }, text: commands.join('') }
}

/** Formats a ConfigMap as YAML, so that users can read the script and store it with their manifests. */
function mapCommand({ apiVersion, kind, metadata: { name, namespace }, data }: ScriptMap): string {
  const values = Object.entries(data).map(([key, text]) => `  ${key}: |\n${text.replace(/^(?=.)/gm, '    ')}`)
  return [
    `kubectl apply --filename - <<'END'`,
    `apiVersion: ${apiVersion}`,
    `kind: ${kind}`,
    'metadata:',
    `  name: ${name}`,
    ...(namespace === undefined ? [] : [`  namespace: ${JSON.stringify(namespace)}`]),
    'data:',
    `${values.join('')}END\n`,
  ].join('\n')
}

function patchCommand({ namespace, name, operations }: CronJobPatch): string {
  const where = namespace === null ? '' : ` --namespace ${namespace}`
  return `kubectl patch cronjob ${name}${where} --type json --patch ${quoteForShell(JSON.stringify(operations))}\n`
}
