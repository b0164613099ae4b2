/** Describes the `overdue check` commands. */
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
      'STATUS is one of these states, or several separated by commas. A check must have each TAG. NEXT PING is the time of the next ping;',
      'the grace time begins then. NOTE marks checks that alert no one, and checks that were due and never pinged. A narrow terminal',
      'leaves out columns rather than cut names. --json prints checks as the API does, with their `notes`.',
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
      'LIST is * for all channels, or names or ids separated by commas; without it, the check alerts no one.',
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
      'Settings without an option stay as they are. MINUTES move the times of day of cron and OnCalendar expressions later, or earlier',
      "with a minus. SPAN, EXPRESSION and LIST are as in `overdue check create`; LIST replaces all channels, and '' is none. TAGS are separated by",
      'spaces. It prints the changes, and the alerts that they would have caused in the last 30 days; --dry-run only prints. The exit status is 1 if',
      'a check could not be changed as asked, such as an interval that cannot be moved.',
    ].join('\n'),
    example: 'overdue check set backup --grace 90m --dry-run',
    run: async (context) => (await import('./set.ts')).set(context),
  },
]
