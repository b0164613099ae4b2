/** `overdue delivery …` */
import { DELIVERY_STATES, type DeliveryEntry } from '../domain/delivery.ts'
import { UserError } from '../domain/errors.ts'
import { isoSeconds } from '../domain/time.ts'
import { listDeliveries } from '../services/notifications.ts'
import { adviceOn } from './advice.ts'
import { type Command, openProject, table, timeOrNull } from './command.ts'

const LIMIT_MAX = 1000

export const deliveryCommands: readonly Command[] = [
  {
    words: 'delivery list',
    usage: '--project NAME_OR_ID [--state pending|sent|failed] [--limit N]',
    summary: 'show what was owed to channels, newest first, and how it ended',
    options: { project: { type: 'string' }, state: { type: 'string' }, limit: { type: 'string', default: '50' } },
    positionals: 0,
    async run({ openDeps, values, print }) {
      const state = values.state === undefined ? null : DELIVERY_STATES.find((known) => known === values.state)
      if (state === undefined)
        throw new UserError(`unknown state "${values.state}"`, `give ${DELIVERY_STATES.join(', ')}`)
      const limit = Number(values.limit)
      if (!Number.isInteger(limit) || limit < 1 || limit > LIMIT_MAX) {
        throw new UserError(`--limit ${values.limit} is not usable`, `give a whole number from 1 to ${LIMIT_MAX}`)
      }
      const { deps, project } = await openProject({ openDeps, values })
      const entries = await listDeliveries(deps, project, state, limit)
      const heads = ['OWED SINCE', 'CHECK', 'WENT', 'CHANNEL', 'STATE', 'ATTEMPTS', 'NEXT', 'LAST ERROR']
      const advice = adviceOn(entries.map(({ error }) => error))
      print(entries.map(represent), table([heads, ...entries.map(cells)]) + advice)
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

function cells({
  delivery,
  status,
  checkName,
  channelName,
  channelKind,
  nextAttemptAt,
  error,
}: DeliveryEntry): string[] {
  return [
    isoSeconds(delivery.createdAt),
    checkName || delivery.checkId,
    status,
    channelName || channelKind,
    delivery.state,
    String(delivery.attempts),
    timeOrNull(nextAttemptAt) ?? '-',
    error ?? '-',
  ]
}
