/** Describes the `overdue import` commands that read the jobs of another scheduler. */

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
  'Without --apply, nothing is written, and checks that do not exist yet have placeholder URLs. With --apply, the checks are',
  'created in the project, and the URLs work. If you run the same command again, it recognizes the checks by their slugs and changes nothing.',
  'A terminal shows the report, then the changes for the scheduler. If standard output is a pipe or a file, it contains only the changes; the',
  'report is on standard error.',
  "--prefix, such as a host name, is added before names and slugs. LIST is as in `overdue check create`, and '' means no channels;",
  'without it, new checks alert through all channels of the project. The exit status is 1 if no check is proposed, and no job',
  'already pings a check.',
]

export const proposalCommands: readonly Command[] = [
  {
    words: 'import crontab',
    takes: ['FILE'],
    summary: 'propose checks for the jobs of a crontab, and print the crontab with pings as a diff',
    details: [
      'FILE is a crontab as `crontab -l` prints it, or - for standard input. /etc/crontab and files in /etc/cron.d, which have a user in',
      'each line, are recognized by their paths. --system marks another such file; an unknown user is accepted only if another line has a known user.',
      '/etc/anacrontab is recognized by its name.',
      'ZONE is the IANA name of the time zone of schedules without CRON_TZ (default: that of this machine). Checks are named after',
      'programs, never after arguments. --with chooses the program that pings: overdue-run, the shell script in /usr/local/bin; overdue, the',
      'executable there, as `overdue run`; or curl 7.52 (2016) or newer, which does not send the output. All of them preserve the exit status of the job.',
      'You can pipe the output of this command to `patch`.',
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
    summary: 'propose checks for systemd timers, and print drop-ins that make their services ping',
    details: [
      'FILE is a unit file, a drop-in, a folder of them, or - for the output of `systemctl cat`. This command prints the active timers and',
      "their services: systemctl cat '*.timer' $(systemctl show --property Unit --value '*.timer'), with --user in both commands for the timers of a user.",
      'NAME is a running instance of a template: shop for all templates, or dump@shop; it may be repeated. Services and their slices',
      'are read to find services that already ping, and services that cannot run curl or reach the server. Separate units ping for those that cannot.',
      'ZONE is the IANA name for schedules without a time zone (default: that of this machine). --with chooses the program that pings: overdue-run, the',
      'shell script in /usr/local/bin; overdue, the executable there, as `overdue run`; or curl. A service that can run neither of the first two keeps its',
      'command and pings with curl, without the output; the report gives the reason. Pings with curl need curl 7.52 and systemd 232 (both 2016) or',
      'newer; separate units need systemd 249. Save each printed file at the path above it, then run the command at the end.',
      ...PROPOSAL_DETAILS,
    ].join('\n'),
    example: "printf '# /etc/systemd/system/backup.timer\\n[Timer]\\nOnCalendar=daily\\n' | overdue import systemd -",
    options: { instance: { type: 'string', value: 'NAME', isList: true }, with: WITH_OPTION, ...PROPOSAL_OPTIONS },
    run: async (context) => (await import('./systemd-actions.ts')).importSystemd(context),
  },
  {
    words: 'import kubernetes',
    takes: ['FILE...'],
    summary: 'propose checks for Kubernetes CronJobs, and print commands that patch the CronJobs to ping',
    details: [
      'FILE contains manifests in YAML or JSON, such as the output of `kubectl get cronjobs,networkpolicies -A -o json`, or is a folder of such files;',
      '- is standard input. Documents that cannot be read are skipped and reported with their line numbers. Render templates first: `helm template`,',
      '`kubectl kustomize`. ZONE is the IANA name for jobs without a time zone (default UTC).',
      'If the manifest shows that an image has a shell, and curl or wget, a patch puts the script overdue-run before the command. It reports',
      'the start, the output and the exit status. The first commands create a ConfigMap with the script. Use --with overdue-run if',
      'your images have these programs even though the manifests do not show it. Every job with a command then runs the script.',
      'Otherwise, and with --with curl, a patch adds a container that pings the start before the container of the job runs, and one that pings',
      `success after it has run; both use IMAGE (default ${CURL_IMAGE}), which must have curl and sh, and which the nodes must be able to pull.`,
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
    summary: 'propose checks for external Gatus endpoints, and print the URLs that replace the old ones',
    details: [
      'FILE is a Gatus configuration, or its folder; - is standard input. Endpoints that Gatus probes itself are left out. Unreadable',
      'documents are skipped and reported with their line numbers. Use envsubst to fill in environment variables.',
      ...PROPOSAL_DETAILS,
    ].join('\n'),
    example: "printf 'external-endpoints:\\n- {name: backup, heartbeat: {interval: 24h}}\\n' | overdue import gatus -",
    options: PROPOSAL_OPTIONS,
    run: async (context) => (await import('./gatus-actions.ts')).importGatus(context),
  },
]
