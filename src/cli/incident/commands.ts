/** Describes the `overdue incident` commands. */
import { NOTE_LIMIT } from '../../domain/incident/event.ts'
import { CHECK_HELP } from '../check/options.ts'
import { type Command, PROJECT } from '../command.ts'
import { COUNT_MAX } from '../count-option.ts'
import { END_HELP, END_OPTIONS } from '../end-option.ts'

const actions = () => import('./actions.ts')

const INCIDENT_HELP = `INCIDENT is an id that \`overdue incident list\` shows, or CHECK for the newest incident of that check. ${CHECK_HELP}`
const NAMED = ['INCIDENT']

export const incidentCommands: readonly Command[] = [
  {
    words: 'incident list',
    summary: 'list incidents, newest first, with who was alerted and who is working on each',
    details: `N is 1 to ${COUNT_MAX}; the default is 50. --open lists only open incidents.`,
    example: 'overdue incident list --open',
    options: {
      ...PROJECT,
      open: { type: 'boolean', default: false },
      tag: { type: 'string', value: 'TAG' },
      limit: { type: 'string', value: 'N', default: '50' },
    },
    run: async (context) => (await actions()).list(context),
  },
  {
    words: 'incident show',
    takes: NAMED,
    summary: 'show the events of an incident and the actions of members',
    details: INCIDENT_HELP,
    example: 'overdue incident show backup',
    options: PROJECT,
    run: async (context) => (await actions()).show(context),
  },
  {
    words: 'incident take',
    takes: NAMED,
    summary: 'take an incident: you work on it, and alerts that were not sent yet are held',
    details: [
      INCIDENT_HELP,
      `${END_HELP} Without --for or --until, you keep the incident until the check is up again.`,
      'If somebody else is on it already, --take-over takes it from them.',
    ].join('\n'),
    example: "overdue incident take backup --note 'Disk is full, freeing space'",
    options: {
      ...PROJECT,
      note: { type: 'string', value: 'TEXT' },
      ...END_OPTIONS,
      'take-over': { type: 'boolean', default: false },
    },
    run: async (context) => (await actions()).take(context),
  },
  {
    words: 'incident release',
    takes: NAMED,
    summary: 'release an incident: nobody works on it, and held alerts are sent',
    details: INCIDENT_HELP,
    example: 'overdue incident release backup',
    options: PROJECT,
    run: async (context) => (await actions()).release(context),
  },
  {
    words: 'incident note',
    takes: [...NAMED, 'TEXT'],
    summary: 'add a note to an incident, even if it has ended',
    details: `${INCIDENT_HELP} TEXT has at most ${NOTE_LIMIT.toLocaleString('en')} characters.`,
    example: "overdue incident note backup 'The disk was full of old logs'",
    options: PROJECT,
    run: async (context) => (await actions()).note(context),
  },
]
