/** Describes the `overdue silence` commands. */
import { CHECK_HELP } from '../check/options.ts'
import { type Command, PROJECT } from '../command.ts'
import { COUNT_MAX } from '../count-option.ts'
import { END_HELP, END_OPTIONS } from '../end-option.ts'

const actions = () => import('./actions.ts')

export const silenceCommands: readonly Command[] = [
  {
    words: 'silence list',
    summary: 'list silences: which checks send no alerts, and until when',
    details: `N is 1 to ${COUNT_MAX}; the default is ${COUNT_MAX}. --ended lists ended silences instead, most recent first; they are kept for 93 days.`,
    example: 'overdue silence list',
    options: {
      ...PROJECT,
      ended: { type: 'boolean', default: false },
      limit: { type: 'string', value: 'N', default: String(COUNT_MAX) },
    },
    run: async (context) => (await actions()).list(context),
  },
  {
    words: 'silence create',
    takes: ['[CHECK]...'],
    summary: 'hold the alerts of checks for a time, or until the checks are healthy; they are still watched',
    details: [
      CHECK_HELP,
      `${END_HELP} With --from a silence begins later, and SPAN counts from`,
      'there. A silence lasts 30 days at most. With --until-healthy it ends for a check at its next success, and after 7 days at most. With --schedule it',
      'comes again: each occurrence of EXPR, which is cron or OnCalendar, begins a window that lasts SPAN, until TIME or without an end. EXPR is read in ZONE,',
      'by default in UTC. A silence is for the checks that are named, those that have each TAG, or with --all for the whole project. What is still down when it',
      'ends is alerted then; that something is up again is always told, if the alert was.',
    ].join('\n'),
    example: "overdue silence create backup --for 2h --reason 'New disk'",
    options: {
      ...PROJECT,
      tag: { type: 'string', value: 'TAG', isList: true },
      all: { type: 'boolean', default: false },
      from: { type: 'string', value: 'TIME' },
      ...END_OPTIONS,
      'until-healthy': { type: 'boolean', default: false },
      schedule: { type: 'string', value: 'EXPR' },
      tz: { type: 'string', value: 'ZONE', with: 'schedule' },
      reason: { type: 'string', value: 'TEXT' },
    },
    run: async (context) => (await actions()).create(context),
  },
  {
    words: 'silence set',
    takes: ['ID'],
    summary: 'change the start, the end, the windows or the reason of a silence; its checks stay',
    details: [
      'ID is the id of the silence, or the first characters that `overdue silence list` shows.',
      `${END_HELP} --from is when a silence begins, and SPAN counts from`,
      'there if that is later. Of a silence that comes again, SPAN is how long each window lasts, and TIME when the last one ends; `--until never` takes that',
      'end away. --schedule makes a silence come again, and needs --for then. Options that are left out change nothing. What the silence no longer holds is',
      'alerted at once, if it is still down.',
    ].join('\n'),
    example: 'overdue silence set 7c9e6679 --until 2026-11-29T04:00Z',
    options: {
      ...PROJECT,
      from: { type: 'string', value: 'TIME' },
      for: END_OPTIONS.for,
      until: { type: 'string', value: 'TIME' },
      schedule: { type: 'string', value: 'EXPR' },
      tz: { type: 'string', value: 'ZONE' },
      reason: { type: 'string', value: 'TEXT' },
    },
    run: async (context) => (await actions()).set(context),
  },
  {
    words: 'silence end',
    takes: ['ID'],
    summary: 'end a silence: checks that are still down alert now',
    details: 'ID is the id of the silence, or the first characters that `overdue silence list` shows.',
    example: 'overdue silence end 7c9e6679',
    options: PROJECT,
    run: async (context) => (await actions()).end(context),
  },
]
