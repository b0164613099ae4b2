/** `overdue check …` */
import { STATES } from '../choices.ts'
import { type Command, PROJECT } from '../command.ts'
import { CHECK_HELP, SET_OPTIONS, SPEC_OPTIONS } from './options.ts'

const actions = () => import('./actions.ts')

const NAMED = { takes: ['CHECK'], options: PROJECT } as const

export const checkCommands: readonly Command[] = [
  {
    words: 'check list',
    summary: "list a project's checks with their current status",
    details: [
      'STATUS is one of those that are listed, or several with commas between them; a check must have each TAG. NEXT PING is when the next',
      'ping is due; then the grace time begins. NOTE marks a check that alerts no one, and one that was due and never pinged. A narrow',
      'terminal leaves out columns rather than cut names. --json prints the checks as the API does, and such a check with `notes`.',
    ].join('\n'),
    example: 'overdue check list --status down,late',
    options: {
      ...PROJECT,
      status: { type: 'string', choices: Object.keys(STATES) },
      tag: { type: 'string', value: 'TAG', isList: true },
    },
    run: async (context) => (await actions()).list(context),
  },
  {
    words: 'check show',
    ...NAMED,
    summary: 'show one check: its status and why, who was alerted, schedule, ping URL, channels',
    details: CHECK_HELP,
    example: 'overdue check show backup',
    run: async (context) => (await actions()).show(context),
  },
  {
    words: 'check create',
    summary: 'create a check and print its ping URL',
    details: [
      'SPAN is in seconds, or like 5m, 1h, 1d, 1d 12h. A check goes down if no ping arrives within --timeout (default 1d) plus --grace',
      '(default 1h). EXPRESSION is cron or OnCalendar; `overdue schedule` explains it. TAGS are separated by spaces.',
      'LIST is * for all channels, or names or ids separated by commas; without it, the check alerts no one, and the command says so.',
    ].join('\n'),
    example: "overdue check create --name Backup --slug backup --timeout 1d --grace 1h --channels '*'",
    options: { ...PROJECT, ...SPEC_OPTIONS },
    run: async (context) => (await actions()).create(context),
  },
  {
    words: 'check pause',
    ...NAMED,
    summary: 'pause a check: it cannot go down until it gets a ping or is resumed',
    details: CHECK_HELP,
    example: 'overdue check pause backup',
    run: async (context) => (await actions()).pause(context),
  },
  {
    words: 'check resume',
    ...NAMED,
    summary: 'resume a paused check: it waits for a ping',
    details: CHECK_HELP,
    example: 'overdue check resume backup',
    run: async (context) => (await actions()).resume(context),
  },
  {
    words: 'check delete',
    ...NAMED,
    options: { ...PROJECT, yes: { type: 'boolean', default: false } },
    summary: 'delete a check and its log',
    details: `${CHECK_HELP}\nOn a terminal, it asks first unless --yes is given.`,
    example: 'overdue check delete backup --yes',
    run: async (context) => (await actions()).remove(context),
  },
  {
    words: 'check set',
    takes: ['CHECK...'],
    options: { ...PROJECT, ...SET_OPTIONS },
    summary: 'change the schedule, grace time, zone, methods, channels or tags of checks',
    details: [
      CHECK_HELP,
      'What no option names stays as it is, in each check. MINUTES move the times of day of cron and OnCalendar expressions, later, or earlier',
      "with a minus. SPAN, EXPRESSION and LIST are as in `overdue check create`; LIST replaces all channels, and '' is none. TAGS are separated by",
      'spaces. --dry-run changes nothing. Both print what changes, and what it would have alerted in the last 30 days. The exit status is 1 if',
      'a check could not be changed as asked, such as an interval that cannot be moved.',
    ].join('\n'),
    example: 'overdue check set backup --grace 90m --dry-run',
    run: async (context) => (await import('./set.ts')).set(context),
  },
]
