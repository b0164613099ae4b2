/** `overdue import crontab` */
import { type CrontabPlan, planCrontab, writeCrontab } from '../../domain/import/crontab.ts'
import type { CrontabLayout } from '../../domain/import/crontab-lines.ts'
import { unifiedDiff } from '../../lib/line-diff.ts'
import { printable } from '../../lib/text.ts'
import type { Command } from '../command.ts'
import { readNamed } from '../read-files.ts'
import { type Artefact, machineZone, PROPOSAL_DETAILS, PROPOSAL_OPTIONS, PROPOSAL_USAGE, propose } from './proposals.ts'

const BYTES_LIMIT = 1_000_000

export const importCrontabCommands: readonly Command[] = [
  {
    words: 'import crontab',
    takes: ['FILE'],
    usage: `[--system] ${PROPOSAL_USAGE}`,
    summary: 'propose checks for the jobs of a crontab, and print the crontab with pings as a diff',
    details: [
      'FILE is a crontab as `crontab -l` prints it, or - for standard input. /etc/crontab and the files in /etc/cron.d, which have a',
      'user in each line, are known by their paths; --system says it of another file. /etc/anacrontab is known by its name.',
      'ZONE, that of schedules without CRON_TZ, is an IANA name (default: that of this machine). Names come from the names of',
      'programs, never from their arguments. The commands need curl, and keep their exit statuses. `patch` takes the whole output.',
      ...PROPOSAL_DETAILS,
    ].join('\n'),
    example: "printf '0 3 * * * /usr/local/bin/backup.sh\\n' | overdue import crontab - --project Default --apply",
    options: { ...PROPOSAL_OPTIONS, system: { type: 'boolean', default: false } },
    async run(context) {
      const { positionals, values, config } = context
      const [path = ''] = positionals
      const text = (await readNamed(path, BYTES_LIMIT)).bytes.toString('latin1')
      const layout = layoutOf(path, values.system === true)
      await propose(context, [text], machineZone(), (options) => {
        const plan = planCrontab(text, { ...options, layout, pingEndpoint: config.links.pingEndpoint })
        return { ...plan, write: (urlOf) => diffOf(plan, urlOf, path) }
      })
      return 0
    },
  },
]

function diffOf(plan: CrontabPlan, urlOf: (slug: string) => string, path: string): Artefact {
  const name = path === '-' ? 'crontab' : printable(path).replaceAll(/[\n\t]/g, '')
  const diff = unifiedDiff(writeCrontab(plan, urlOf), name)
  return { json: { diff: Buffer.from(diff, 'latin1').toString() }, text: diff, isBytes: true }
}

function layoutOf(path: string, isSystem: boolean): CrontabLayout {
  if (/(?:^|\/)anacrontab$/.test(path)) return 'anacron'
  return isSystem || /(?:^|\/)(?:etc\/crontab|cron\.d\/[^/]+)$/.test(path) ? 'system' : 'user'
}
