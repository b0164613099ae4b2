/** `overdue delivery …` */
import { DELIVERY_STATES, type DeliveryEntry } from '../domain/delivery.ts'
import { UserError } from '../domain/errors.ts'
import { isoSeconds } from '../domain/time.ts'
import { listDeliveries, retryDelivery } from '../services/notifications.ts'
import { adviceOn } from './advice.ts'
import { type Command, openProject, timeOrNull } from './command.ts'
import { type Cell, shortIds } from './screen.ts'

const LIMIT_MAX = 1000

export const deliveryCommands: readonly Command[] = [
  {
    words: 'delivery list',
    usage: '--project NAME_OR_ID [--state pending|sent|failed] [--limit N]',
    summary: 'list the alerts owed to channels, newest first, and how each ended',
    details: `N is 1 to ${LIMIT_MAX}, 50 unless given.`,
    example: 'overdue delivery list --project Default --state failed',
    options: {
      project: { type: 'string' },
      state: { type: 'string', choices: DELIVERY_STATES },
      limit: { type: 'string', default: '50' },
    },
    async run({ openDeps, values, print }) {
      const state = values.state === undefined ? null : DELIVERY_STATES.find((known) => known === values.state)
      if (state === undefined)
        throw new UserError(`unknown state "${values.state}"`, `use one of: ${DELIVERY_STATES.join(', ')}`)
      const limit = Number(values.limit)
      if (!Number.isInteger(limit) || limit < 1 || limit > LIMIT_MAX) {
        throw new UserError(`--limit ${values.limit} is not usable`, `use a whole number from 1 to ${LIMIT_MAX}`)
      }
      const { deps, project } = await openProject({ openDeps, values })
      const entries = await listDeliveries(deps, project, state, limit)
      const heads = ['OWED SINCE', 'CHECK', 'WENT', 'CHANNEL', 'STATE', 'ATTEMPTS', 'NEXT', 'LAST ERROR', 'ID']
      const ids = shortIds(entries.map(({ delivery }) => delivery.id))
      const advice = adviceOn(entries.map(({ error }) => error))
      const rows = entries.map((entry, index) => [...cells(entry), ids[index] ?? ''])
      print(entries.map(represent), [{ rows: [heads, ...rows] }, ...advice])
    },
  },
  {
    words: 'delivery retry',
    takes: ['ID'],
    summary: 'send a failed delivery again',
    details: [
      'ID is the id of the delivery, or its first characters as `overdue delivery list` shows them.',
      'A running server tries it within a second. If that fails too, it is tried again only within a day after the alert was owed.',
    ].join('\n'),
    example: 'overdue delivery retry 1a2b3c4d',
    async run({ openDeps, positionals: [id = ''], print }) {
      const { id: whole, attempts } = await retryDelivery(await openDeps(), id)
      print(
        { id: whole, state: 'pending', attempts },
        `delivery ${whole} is pending again; a running server sends it now`,
      )
      return 0
    },
  },
]

function represent({ delivery, status, checkName, channelName, channelKind, ...entry }: DeliveryEntry) {
  return {
    id: delivery.id,
    check: { uuid: delivery.checkId, name: checkName },
    status,
    channel: { id: delivery.channelId, name: channelName, kind: channelKind },
    state: delivery.state,
    attempts: delivery.attempts,
    owed_since: isoSeconds(delivery.createdAt),
    next_attempt: timeOrNull(entry.nextAttemptAt),
    ended: timeOrNull(entry.endedAt),
    error: entry.error,
  }
}

function cells({ delivery, status, checkName, channelName, channelKind, nextAttemptAt, error }: DeliveryEntry): Cell[] {
  return [
    delivery.createdAt,
    checkName || delivery.checkId,
    { status },
    channelName || channelKind,
    delivery.state,
    String(delivery.attempts),
    nextAttemptAt,
    error,
  ]
}
