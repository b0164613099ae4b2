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
  'created in the project, and the URLs work. Checks are found again by their slugs, so the same command changes nothing later.',
  'A terminal shows the report, and then the changes for the scheduler. In a pipe or a file, standard output has only the changes; the',
  'report is on standard error.',
  "--prefix, such as a host name, is put before names and slugs. LIST is as in `overdue check create`, and '' for none;",
  'without it, all channels of the project get the alerts of new checks. The exit status is 1 if no check is proposed, and no job',
  'pings one already.',
]

export const proposalCommands: readonly Command[] = [
  {
    words: 'import crontab',
    takes: ['FILE'],
    summary: 'propose checks for the jobs of a crontab, and print the crontab with pings as a diff',
    details: [
      'FILE is a crontab as `crontab -l` prints it, or - for standard input. /etc/crontab and files in /etc/cron.d, which have a user in',
      'each line, are recognized by their paths. --system marks another such file; an unknown user in it needs a known one beside it.',
      '/etc/anacrontab is recognized by its name.',
      'ZONE is the IANA name of the time zone of schedules without CRON_TZ (default: that of this machine). Checks are named after',
      'programs, never after arguments. --with chooses what pings: overdue-run, the shell script in /usr/local/bin; overdue, the',
      'executable there, as `overdue run`; or curl 7.52 (2016) or newer, without the output. All keep the exit statuses of the jobs.',
      '`patch` accepts the output of the command in a pipe.',
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
    summary: 'propose checks for timers of systemd, and print drop-ins that make their services ping',
    details: [
      'FILE is a unit file, a drop-in, a folder of them, or - for the output of `systemctl cat`. This command prints the active timers and',
      "their services: systemctl cat '*.timer' $(systemctl show --property Unit --value '*.timer'), with --user in both for a user.",
      'NAME is an instance of a template that runs: shop for all templates, or dump@shop; it may be repeated. Services and their slices',
      'are read to find those that ping already, and those that cannot run curl or reach the server: separate units ping for the latter.',
      'ZONE is the IANA name for schedules without a time zone (default: that of this machine). --with chooses what pings: overdue-run, the',
      'shell script in /usr/local/bin; overdue, the executable there, as `overdue run`; or curl. A service that neither can run keeps its',
      'command, and pings by curl, without the output; the report gives the reason. Such pings need curl 7.52 and systemd 232 (both 2016) or',
      'newer; separate units need systemd 249. Save each file under the path above it, then run the command at the end.',
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
      'FILE has manifests in YAML or JSON, such as the output of `kubectl get cronjobs,networkpolicies -A -o json`, or is a folder of them;',
      '- is standard input. Unreadable documents are left out, and reported with their lines. Render templates first: `helm template`,',
      '`kubectl kustomize`. ZONE is the IANA name for jobs without a time zone (default UTC).',
      'If the manifest shows that an image has a shell, and curl or wget, a patch puts the script overdue-run before the command. It reports',
      'the start, the output and the exit status. The first commands create a ConfigMap with the script. Use --with overdue-run if',
      'your images have these programs anyway: every job with a command then gets it.',
      'Otherwise, and with --with curl, a patch adds a container that pings the start before that of the job, and one that pings its',
      `success after it; both run IMAGE (default ${CURL_IMAGE}), which must have curl and sh, and which the nodes must be able to pull.`,
      'Where root is forbidden, they run as the user of the job, or else as UID (default 65534; cluster: the cluster chooses, as OpenShift',
      'does). A failed job never reaches the second container, so its check goes down when the grace time is over.',
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
    summary: 'propose checks for external endpoints of Gatus, and print the URLs that replace theirs',
    details: [
      'FILE is a configuration of Gatus, or its folder; - is standard input. Endpoints that Gatus probes itself are left out. Unreadable',
      'documents are left out, and reported with their lines. Use envsubst to fill in environment variables.',
      ...PROPOSAL_DETAILS,
    ].join('\n'),
    example: "printf 'external-endpoints:\\n- {name: backup, heartbeat: {interval: 24h}}\\n' | overdue import gatus -",
    options: PROPOSAL_OPTIONS,
    run: async (context) => (await import('./gatus-actions.ts')).importGatus(context),
  },
]
