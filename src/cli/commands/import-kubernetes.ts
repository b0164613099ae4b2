/** `overdue import kubernetes` */
import { type CronJobPatch, planCronJobs, writePatches } from '../../domain/import/kubernetes.ts'
import { quoteForShell } from '../../lib/text.ts'
import type { Command } from '../command.ts'
import { readAllNamed } from '../read-files.ts'
import { optionError } from '../usage.ts'
import { type Artefact, PROPOSAL_DETAILS, PROPOSAL_OPTIONS, PROPOSAL_USAGE, propose, unreadNotes } from './proposals.ts'
import { isYamlPath, readTrees } from './yaml-files.ts'

const IMAGE = 'docker.io/curlimages/curl:8.11.1'

export const importKubernetesCommands: readonly Command[] = [
  {
    words: 'import kubernetes',
    takes: ['FILE...'],
    usage: `[--image IMAGE] ${PROPOSAL_USAGE}`,
    summary: 'propose checks for CronJobs of Kubernetes, and print the commands that patch them to ping',
    details: [
      'FILE has manifests as YAML or JSON, such as those of `kubectl get cronjobs -A -o json`, or is a folder of them; - is standard',
      'input. ZONE, that of jobs that name none, is an IANA name (default UTC).',
      'A patch puts the container of the job behind a container that pings its start, and before one that pings its success; both',
      `run IMAGE (default ${IMAGE}), which has curl and sh. A job that fails does not get that far, so its check`,
      'goes down when the grace time is over.',
      ...PROPOSAL_DETAILS,
    ].join('\n'),
    example:
      "printf 'kind: CronJob\\nmetadata: {name: backup}\\nspec: {schedule: 0 3 * * *}\\n' | overdue import kubernetes -",
    options: { ...PROPOSAL_OPTIONS, image: { type: 'string', default: IMAGE } },
    async run(context) {
      const { positionals, values } = context
      const image = String(values.image)
      if (!/^[\w][\w./:@-]{0,254}$/.test(image)) throw optionError('--image is not valid', `use one like ${IMAGE}`)
      const { files, unread } = await readAllNamed(positionals, isYamlPath)
      const texts = files.map(({ bytes }) => bytes.toString())
      await propose(context, texts, 'UTC', (options) => {
        const plan = planCronJobs(files.flatMap(readTrees), options)
        return {
          ...plan,
          notes: [...unreadNotes(unread), ...plan.notes],
          write: (urlOf) => artefactOf(writePatches(plan, image, urlOf)),
        }
      })
      return 0
    },
  },
]

function artefactOf(patches: readonly CronJobPatch[]): Artefact {
  return { json: { patches }, text: patches.map(commandOf).join('') }
}

function commandOf({ namespace, name, operations }: CronJobPatch): string {
  const where = namespace === null ? '' : ` --namespace ${namespace}`
  return `kubectl patch cronjob ${name}${where} --type json --patch ${quoteForShell(JSON.stringify(operations))}\n`
}
