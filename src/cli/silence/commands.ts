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
    summary: 'hold back alerts of checks for a time, or until the checks are healthy; the checks are still monitored',
    details: [
      CHECK_HELP,
      END_HELP,
      'With --from, the silence begins at that time, and SPAN is counted from it. A silence lasts 30 days at most. With --until-healthy, it ends for each',
      'check at its next success, after 7 days at most. With --schedule, the silence repeats: each occurrence of EXPR, a cron or OnCalendar expression,',
      'begins a window that lasts SPAN. The windows repeat until TIME, or without --until, until the silence is ended. The time zone of EXPR is ZONE, by',
      'default UTC. A silence applies to the named checks, to checks that have every TAG, or with --all to the entire project. If a check is still',
      'down when the silence ends, its alert is sent then. A recovery is announced only if the alert was sent.',
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
      END_HELP,
      '--from sets when the silence begins. If a silence begins in the future, SPAN is counted from its start. For a repeating silence, SPAN is the length of',
      'each window, and TIME is the end of the last one; `--until never` removes that end. --schedule makes a silence repeat, and requires --for if the',
      'silence did not repeat before. Options that are left out change nothing. If a check is no longer silenced and is still down, its alert is sent at once.',
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
