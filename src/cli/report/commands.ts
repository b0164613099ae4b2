/** Describes the `overdue report` commands. */
import { REPORT_PERIODS } from '../../domain/mail/report-period.ts'
import { type Command, PROJECT } from '../command.ts'

const actions = () => import('./actions.ts')

export const reportCommands: readonly Command[] = [
  {
    words: 'report show',
    summary: 'show the downtime of each check in the last two full days, weeks or months',
    details:
      'Reports by email also say why checks are down. ZONE is the IANA name of the time zone of the days; the default is UTC.',
    example: 'overdue report show --project Default --period weekly --tz Europe/Riga',
    options: {
      ...PROJECT,
      period: { type: 'string', required: true, choices: REPORT_PERIODS },
      tz: { type: 'string', value: 'ZONE', default: 'UTC' },
    },
    run: async (context) => (await actions()).show(context),
  },
  {
    words: 'report list',
    summary: 'list the reports and reminders of email channels, with their next dates and errors',
    details: 'Reminders are due while a check is down. An error stays until the next email of its kind is accepted.',
    example: 'overdue report list --project Default',
    options: PROJECT,
    run: async (context) => (await actions()).list(context),
  },
]
