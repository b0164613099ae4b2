/** Describes the `overdue delivery` commands. */
import { ATTEMPTS_KEPT } from '../../domain/alert/attempt.ts'
import { DELIVERY_STATES } from '../../domain/alert/delivery.ts'
import { type Command, PROJECT } from '../command.ts'
import { COUNT_MAX } from '../count-option.ts'

const actions = () => import('./actions.ts')

export const deliveryCommands: readonly Command[] = [
  {
    words: 'delivery list',
    summary: 'list the alerts to channels, newest first, and the outcome of each',
    details: `N is 1 to ${COUNT_MAX}; the default is 50.`,
    example: 'overdue delivery list --project Default --state failed',
    options: {
      ...PROJECT,
      state: { type: 'string', choices: DELIVERY_STATES },
      limit: { type: 'string', value: 'N', default: '50' },
    },
    run: async (context) => (await actions()).list(context),
  },
  {
    words: 'delivery show',
    takes: ['ID'],
    summary: "show the attempts of a delivery and the receiver's answers",
    details: [
      'ID is the id of the delivery, or the first characters that `overdue delivery list` shows.',
      `The newest ${ATTEMPTS_KEPT} attempts are kept. The channel's secrets are removed from them.`,
    ].join('\n'),
    example: 'overdue delivery show 1a2b3c4d',
    run: async (context) => (await actions()).show(context),
  },
  {
    words: 'delivery retry',
    takes: ['ID'],
    summary: 'send a failed delivery again',
    details: [
      'ID is the id of the delivery, or the first characters that `overdue delivery list` shows.',
      'A running server sends it within a second. If the attempt fails, the server retries only within a day of the alert.',
    ].join('\n'),
    example: 'overdue delivery retry 1a2b3c4d',
    run: async (context) => (await actions()).retry(context),
  },
]
