/** Describes the `overdue channel` commands. */
import { TEST_STATUSES } from '../choices.ts'
import { type Command, PROJECT } from '../command.ts'

const actions = () => import('./actions.ts')
const testActions = () => import('./test-actions.ts')

const QUIET_OPTIONS = {
  'quiet-from': { type: 'string', value: 'EXPR' },
  'quiet-until': { type: 'string', value: 'TIME', with: 'quiet-from' },
  'quiet-tz': { type: 'string', value: 'ZONE', with: 'quiet-from' },
} as const

const QUIET_HELP = [
  'Alerts and recoveries are held during quiet hours and sent when they end. Quiet hours begin at EXPR, which is a time such as 22:00, an OnCalendar',
  'expression such as "Mon..Fri 22:00", or cron. TIME is a time of day, or a duration such as 9h. Times are in ZONE (default UTC).',
].join('\n')

const CREATE_OPTIONS = {
  ...PROJECT,
  kind: { type: 'string', value: 'KIND', required: true },
  name: { type: 'string', value: 'NAME', default: '' },
  settings: { type: 'string', value: 'JSON', required: true },
  ...QUIET_OPTIONS,
} as const

const CREATE_DETAILS = [
  'docs/channels.md lists the settings of each kind. --settings - reads them from standard input, which keeps secrets out of',
  'the list of processes. A channel is stored even if this version cannot send to its kind.',
  `A webhook needs only its URL: --settings '{"url": "https://example.org/hook"}'`,
].join('\n')

export const channelCommands: readonly Command[] = [
  {
    words: 'channel create',
    summary: 'create a channel that checks can be assigned to',
    example: `overdue channel create --project Default --kind email --name Ops --settings '"ops@example.org"'`,
    options: CREATE_OPTIONS,
    run: async (context) => (await actions()).create(context),
    async loadRest() {
      const { CHANNEL_KINDS } = await import('../../services/channels/channel-kinds.ts')
      return {
        details: `Kinds: ${CHANNEL_KINDS.join(', ')}.\n${CREATE_DETAILS}\n${QUIET_HELP}`,
        options: { ...CREATE_OPTIONS, kind: { ...CREATE_OPTIONS.kind, choices: CHANNEL_KINDS } },
      }
    },
  },
  {
    words: 'channel set',
    takes: ['CHANNEL'],
    summary: 'change a channel; if it is disabled, also enable it',
    details: `CHANNEL is a name or an id. --settings replaces all settings; --settings - reads them from standard input.\n${QUIET_HELP}`,
    example: 'overdue channel set Ops --project Default --name Operations',
    options: {
      ...PROJECT,
      name: { type: 'string', value: 'NAME' },
      settings: { type: 'string', value: 'JSON' },
      ...QUIET_OPTIONS,
      'no-quiet-hours': { type: 'boolean', default: false },
    },
    run: async (context) => (await actions()).set(context),
  },
  {
    words: 'channel delete',
    takes: ['CHANNEL'],
    summary: 'delete a channel, its assignments and its pending alerts',
    details: 'CHANNEL is a name or an id. On a terminal, it asks first unless --yes is given.',
    example: 'overdue channel delete Ops --project Default --yes',
    options: { ...PROJECT, yes: { type: 'boolean', default: false } },
    run: async (context) => (await actions()).remove(context),
  },
  {
    words: 'channel list',
    summary: "list a project's channels and whether they work",
    details: 'STATUS is the outcome of the last alert or test. QUIET is listed if a channel has quiet hours.',
    example: 'overdue channel list --project Default',
    options: PROJECT,
    run: async (context) => (await actions()).list(context),
  },
  {
    words: 'channel test',
    takes: ['CHANNEL'],
    summary: 'send a test message through a channel; if it is accepted, also enable a disabled channel',
    details: [
      'CHANNEL is a name or an id. The message is about a check named TEST, which does not exist. The members of a group are tested',
      'one by one. The exit status is 1 if a message was not accepted. The message is sent with the settings of this command, not',
      'with those of the server.',
    ].join('\n'),
    example: 'overdue channel test Ops --project Default',
    options: { ...PROJECT, status: { type: 'string', default: 'down', choices: TEST_STATUSES } },
    run: async (context) => (await testActions()).test(context),
  },
]
