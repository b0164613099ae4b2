/** `overdue import kubernetes` */
import { type CronJobPatch, planCronJobs, writePatches } from '../../domain/import/kubernetes.ts'
import { quoteForShell } from '../../lib/text.ts'
import type { Command } from '../command.ts'
import { readAllNamed } from '../read-files.ts'
import { optionError } from '../usage.ts'
import { PROPOSAL_DETAILS, PROPOSAL_OPTIONS, PROPOSAL_USAGE, propose, readProposalOptions } from './proposals.ts'
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
      const { positionals, values, now } = context
      const image = String(values.image)
      if (!/^[\w][\w./:@-]{0,254}$/.test(image)) throw optionError('--image is not valid', `use one like ${IMAGE}`)
      const options = readProposalOptions(values, now(), 'UTC')
      const plan = planCronJobs((await readAllNamed(positionals, isYamlPath)).flatMap(readTrees), options)
      await propose(context, plan, (urlOf) => {
        const patches = writePatches(plan, image, urlOf)
        return { json: { patches }, text: patches.map(commandOf).join('') }
      })
      return 0
    },
  },
]

function commandOf({ namespace, name, operations }: CronJobPatch): string {
  const where = namespace === null ? '' : ` --namespace ${namespace}`
  return `kubectl patch cronjob ${name}${where} --type json --patch ${quoteForShell(JSON.stringify(operations))}\n`
}
