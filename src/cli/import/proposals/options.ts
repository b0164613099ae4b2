/** Options and words of the commands that propose checks for the jobs of another scheduler. */
import type { Option } from '../../command.ts'
import { IMPORT_OPTIONS } from '../options.ts'

export const PROPOSAL_OPTIONS = {
  project: { type: 'string' },
  zone: { type: 'string' },
  prefix: { type: 'string', default: '' },
  channels: { type: 'string', default: '*' },
  ...IMPORT_OPTIONS,
} as const satisfies Readonly<Record<string, Option>>

export const PROPOSAL_USAGE = '[--project NAME_OR_ID] [--zone ZONE] [--prefix TEXT] [--channels LIST] [--apply]'

export const PROPOSAL_DETAILS = [
  'Without --apply, nothing is written, and the URLs of checks that do not exist yet are placeholders. With it, the checks are',
  'created in the project, and the URLs work. A check is found again by its slug: the same command changes nothing later.',
  'A terminal shows the report, and then what goes into the scheduler. In a pipe or a file, standard output has only the latter, and the',
  'report is on standard error.',
  "--prefix, such as the name of a host, comes before names and slugs. LIST is as in `overdue check create`, and '' for none;",
  'without it, all channels of the project get the alerts of new checks. The exit status is 1 if there is no job for a check, and',
  'none that pings one already.',
]
