/** `overdue import kubernetes` */
import type { Command } from '../../command.ts'
import { CURL_IMAGE } from './curl-image.ts'
import { PROPOSAL_DETAILS, PROPOSAL_OPTIONS, PROPOSAL_USAGE } from './options.ts'

const actions = () => import('./kubernetes-actions.ts')

export const importKubernetesCommands: readonly Command[] = [
  {
    words: 'import kubernetes',
    takes: ['FILE...'],
    usage: `[--image IMAGE] [--user UID] ${PROPOSAL_USAGE}`,
    summary: 'propose checks for CronJobs of Kubernetes, and print the commands that patch them to ping',
    details: [
      'FILE has manifests as YAML or JSON, such as those of `kubectl get cronjobs,networkpolicies -A -o json`, or is a folder of them; - is',
      'standard input. A document that cannot be read is left out, and named with its line. Give what templates become: `helm template`,',
      '`kubectl kustomize`. ZONE, that of jobs that name none, is an IANA name (default UTC).',
      'A patch puts the container of the job behind a container that pings its start, and before one that pings its success; both',
      `run IMAGE (default ${CURL_IMAGE}), which has curl and sh, and which the nodes can pull. Where`,
      'root is forbidden, they run as the user of the job, or else as UID (default 65534; cluster: the cluster chooses, as OpenShift does).',
      'A job that fails does not get that far, so its check goes down when the grace time is over.',
      ...PROPOSAL_DETAILS,
    ].join('\n'),
    example:
      "printf 'kind: CronJob\\nmetadata: {name: backup}\\nspec: {schedule: 0 3 * * *}\\n' | overdue import kubernetes -",
    options: {
      ...PROPOSAL_OPTIONS,
      image: { type: 'string', default: CURL_IMAGE },
      user: { type: 'string', default: '65534' },
    },
    run: async (context) => (await actions()).importKubernetes(context),
  },
]
