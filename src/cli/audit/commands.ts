/** Describes the `overdue audit` commands. */
import { AUDIT_ACTIONS, AUDIT_SUBJECT_KINDS } from '../../domain/audit/audit.ts'
import type { Command } from '../command.ts'
import { COUNT_MAX } from '../count-option.ts'

const actions = () => import('./actions.ts')

const FILTERS = {
  project: { type: 'string', value: 'NAME_OR_ID' },
  who: { type: 'string', value: 'TEXT' },
  name: { type: 'string', value: 'TEXT' },
  action: { type: 'string', choices: AUDIT_ACTIONS },
  kind: { type: 'string', value: 'KIND', choices: AUDIT_SUBJECT_KINDS },
  since: { type: 'string', value: 'DAY' },
  until: { type: 'string', value: 'DAY' },
} as const
const FILTER_DETAILS = [
  'TEXT may be a part: --who matches an email, `API key` with its first characters, or `command`; --name the changed object.',
  'DAY is a day in UTC, such as 2026-11-17; both days are included. Rows are kept for a year.',
].join('\n')

export const auditCommands: readonly Command[] = [
  {
    words: 'audit list',
    summary: 'list who changed what, newest first',
    details: `${FILTER_DETAILS}\nN is 1 to ${COUNT_MAX}; the default is 50.`,
    example: 'overdue audit list --project Default --kind check',
    options: { ...FILTERS, limit: { type: 'string', value: 'N', default: '50' } },
    run: async (context) => (await actions()).list(context),
  },
  {
    words: 'audit export',
    summary: 'print the audit log as JSON lines, newest first',
    details: FILTER_DETAILS,
    example: 'overdue audit export --since 2026-01-01',
    options: FILTERS,
    run: async (context) => (await actions()).exportLines(context),
  },
]
