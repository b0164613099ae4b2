/** `overdue import …` of the jobs of another scheduler. */

import { PINGING_WAYS, POD_WAYS } from '../../../import/proposals/ping-lines.ts'
import type { Command, Option } from '../../command.ts'
import { IMPORT_OPTIONS } from '../options.ts'
import { CURL_IMAGE } from './curl-image.ts'

const PROPOSAL_OPTIONS = {
  project: { type: 'string', value: 'NAME_OR_ID' },
  zone: { type: 'string', value: 'ZONE' },
  prefix: { type: 'string', value: 'TEXT', default: '' },
  channels: { type: 'string', value: 'LIST', default: '*' },
  ...IMPORT_OPTIONS,
} as const satisfies Readonly<Record<string, Option>>

const WITH_OPTION = { type: 'string', choices: PINGING_WAYS, default: 'overdue-run' } as const satisfies Option

const PROPOSAL_DETAILS = [
  'Without --apply, nothing is written, and the URLs of checks that do not exist yet are placeholders. With it, the checks are',
  'created in the project, and the URLs work. A check is found again by its slug: the same command changes nothing later.',
  'A terminal shows the report, and then what goes into the scheduler. In a pipe or a file, standard output has only the latter, and the',
  'report is on standard error.',
  "--prefix, such as the name of a host, comes before names and slugs. LIST is as in `overdue check create`, and '' for none;",
  'without it, all channels of the project get the alerts of new checks. The exit status is 1 if there is no job for a check, and',
  'none that pings one already.',
]

export const proposalCommands: readonly Command[] = [
  {
    words: 'import crontab',
    takes: ['FILE'],
    summary: 'propose checks for the jobs of a crontab, and print the crontab with pings as a diff',
    details: [
      'FILE is a crontab as `crontab -l` prints it, or - for standard input. /etc/crontab and the files in /etc/cron.d, which have a',
      'user in each line, are known by their paths; --system says it of another file, in which unknown users need a known one beside them.',
      '/etc/anacrontab is known by its name.',
      'ZONE, that of schedules without CRON_TZ, is an IANA name (default: that of this machine). Names come from the names of',
      'programs, never from their arguments. --with says what pings: overdue-run, the shell script in /usr/local/bin; overdue, the',
      'executable there, as `overdue run`; or curl, version 7.52 (2016) or newer, without the output. All keep the exit statuses of the jobs.',
      '`patch` can read what the command writes into a pipe.',
      ...PROPOSAL_DETAILS,
    ].join('\n'),
    example: "printf '0 3 * * * /usr/local/bin/backup.sh\\n' | overdue import crontab - --project Default --apply",
    options: {
      system: { type: 'boolean', default: false },
      with: WITH_OPTION,
      ...PROPOSAL_OPTIONS,
    },
    run: async (context) => (await import('./crontab-actions.ts')).importCrontab(context),
  },
  {
    words: 'import systemd',
    takes: ['FILE...'],
    summary: 'propose checks for timers of systemd, and print the drop-ins with which their services ping',
    details: [
      'FILE is a unit file, a drop-in, a folder of them, or - for what `systemctl cat` prints. This command prints the active timers and',
      "their services: systemctl cat '*.timer' $(systemctl show --property Unit --value '*.timer'), for a user with --user in both.",
      'NAME says which instance of a template runs: shop for all templates, or dump@shop; it may be repeated. Services and their slices',
      'are read to find out which ping already, and which cannot run curl or reach the server: separate units ping for those.',
      'ZONE, that of schedules that name none, is an IANA name (default: that of this machine). --with says what pings: overdue-run, the',
      'shell script in /usr/local/bin; overdue, the executable there, as `overdue run`; or curl. A service that neither can run keeps its',
      'command, and pings by curl, without the output; the report says why. Such pings need curl 7.52 and systemd 232 (both of 2016) or',
      'newer, separate units systemd 249. Save each file under the path above it, then run the command at the end.',
      ...PROPOSAL_DETAILS,
    ].join('\n'),
    example: "printf '# /etc/systemd/system/backup.timer\\n[Timer]\\nOnCalendar=daily\\n' | overdue import systemd -",
    options: { instance: { type: 'string', value: 'NAME', isList: true }, with: WITH_OPTION, ...PROPOSAL_OPTIONS },
    run: async (context) => (await import('./systemd-actions.ts')).importSystemd(context),
  },
  {
    words: 'import kubernetes',
    takes: ['FILE...'],
    summary: 'propose checks for CronJobs of Kubernetes, and print the commands that patch them to ping',
    details: [
      'FILE has manifests as YAML or JSON, such as those of `kubectl get cronjobs,networkpolicies -A -o json`, or is a folder of them; - is',
      'standard input. A document that cannot be read is left out, and named with its line. Give what templates become: `helm template`,',
      '`kubectl kustomize`. ZONE, that of jobs that name none, is an IANA name (default UTC).',
      'Where the manifest shows that an image has a shell, and curl or wget, a patch puts the script overdue-run before the command. It tells',
      'the start, the output and the exit status. The script is in a ConfigMap, which the first commands make. Say --with overdue-run if',
      'your images have these programs anyway: then every job with a command gets it.',
      'Elsewhere, and with --with curl, a patch puts the container of the job behind one that pings its start, and before one that pings its',
      `success; both run IMAGE (default ${CURL_IMAGE}), which has curl and sh, and which the nodes can pull.`,
      'Where root is forbidden, they run as the user of the job, or else as UID (default 65534; cluster: the cluster chooses, as OpenShift',
      'does). A job that fails does not get that far, so its check goes down when the grace time is over.',
      ...PROPOSAL_DETAILS,
    ].join('\n'),
    example:
      "printf 'kind: CronJob\\nmetadata: {name: backup}\\nspec: {schedule: 0 3 * * *}\\n' | overdue import kubernetes -",
    options: {
      image: { type: 'string', value: 'IMAGE', default: CURL_IMAGE },
      user: { type: 'string', value: 'UID', default: '65534' },
      with: { type: 'string', choices: POD_WAYS },
      ...PROPOSAL_OPTIONS,
    },
    run: async (context) => (await import('./kubernetes-actions.ts')).importKubernetes(context),
  },
  {
    words: 'import gatus',
    takes: ['FILE...'],
    summary: 'propose checks for external endpoints of Gatus, and print which URLs replace which',
    details: [
      'FILE is a configuration of Gatus, or its folder; - is standard input. Endpoints that Gatus asks itself are left out. A document that',
      'cannot be read is left out, too, and named with its line. Variables of the environment are not filled in: envsubst does that.',
      ...PROPOSAL_DETAILS,
    ].join('\n'),
    example: "printf 'external-endpoints:\\n- {name: backup, heartbeat: {interval: 24h}}\\n' | overdue import gatus -",
    options: PROPOSAL_OPTIONS,
    run: async (context) => (await import('./gatus-actions.ts')).importGatus(context),
  },
]
