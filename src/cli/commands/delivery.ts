/** `overdue delivery …` */
import { operatorIn } from '../../domain/actor.ts'
import { ATTEMPTS_KEPT, type Attempt } from '../../domain/alert/attempt.ts'
import { attemptsMissing, attemptWords, laterError } from '../../domain/alert/attempt-words.ts'
import { DELIVERY_STATES, type DeliveryEntry } from '../../domain/alert/delivery.ts'
import { Refusal } from '../../domain/errors.ts'
import { oneLine } from '../../lib/text.ts'
import { isoSeconds } from '../../lib/time.ts'
import {
  getDelivery,
  listDeliveries,
  type OpenedDelivery,
  openAnyDelivery,
  retryDelivery,
} from '../../services/deliveries.ts'
import { adviceOn } from '../advice.ts'
import { type Command, openProject, PROJECT, timeOrNull } from '../command.ts'
import { type Cell, shortIds, type Table } from '../screen.ts'

const LIMIT_MAX = 1000

export const deliveryCommands: readonly Command[] = [
  {
    words: 'delivery list',
    usage: '--project NAME_OR_ID [--state pending|sent|failed] [--limit N]',
    summary: 'list the alerts to channels, newest first, and the outcome of each',
    details: `N is 1 to ${LIMIT_MAX}; the default is 50.`,
    example: 'overdue delivery list --project Default --state failed',
    options: {
      ...PROJECT,
      state: { type: 'string', choices: DELIVERY_STATES },
      limit: { type: 'string', default: '50' },
    },
    async run({ openDeps, values, print }) {
      const state = values.state === undefined ? null : DELIVERY_STATES.find((known) => known === values.state)
      if (state === undefined) {
        throw new Refusal('unknown-choice', `unknown state "${values.state}"`, { choices: DELIVERY_STATES })
      }
      const limit = Number(values.limit)
      if (!Number.isInteger(limit) || limit < 1 || limit > LIMIT_MAX) {
        throw new Refusal('out-of-range', `--limit ${values.limit} is not valid`, { minimum: 1, maximum: LIMIT_MAX })
      }
      const { deps, actor } = await openProject({ openDeps, values })
      const entries = await listDeliveries(deps, actor, state, limit)
      const heads = ['OWED SINCE', 'CHECK', 'WENT', 'CHANNEL', 'STATE', 'ATTEMPTS', 'NEXT', 'LAST ERROR', 'ID']
      const ids = shortIds(entries.map(({ delivery }) => delivery.id))
      const advice = adviceOn(entries.map(({ error }) => error))
      const rows = entries.map((entry, index) => [...cells(entry), ids[index] ?? ''])
      print(entries.map(represent), [{ rows: [heads, ...rows] }, ...advice])
    },
  },
  {
    words: 'delivery show',
    takes: ['ID'],
    summary: 'show the tries of a delivery and what the receiver answered',
    details: [
      'ID is the id of the delivery, or the first characters that `overdue delivery list` shows.',
      `The newest ${ATTEMPTS_KEPT} tries are kept. Secrets of the channel are not.`,
    ].join('\n'),
    example: 'overdue delivery show 1a2b3c4d',
    async run({ openDeps, positionals: [id = ''], print }) {
      const opened = await openAnyDelivery(await openDeps(), id)
      const { entry, attempts } = opened
      const { delivery, error } = entry
      print(
        { id: delivery.id, state: delivery.state, error, attempts: attempts.map(representAttempt) },
        shownTries(opened),
      )
    },
  },
  {
    words: 'delivery retry',
    takes: ['ID'],
    summary: 'send a failed delivery again',
    details: [
      'ID is the id of the delivery, or the first characters that `overdue delivery list` shows.',
      'A running server sends it within a second. If that fails, it retries only within a day of the alert.',
    ].join('\n'),
    example: 'overdue delivery retry 1a2b3c4d',
    async run({ openDeps, positionals: [id = ''], print }) {
      const deps = await openDeps()
      const found = await getDelivery(deps, id)
      await retryDelivery(deps, operatorIn(found.project), found)
      const { id: whole, attempts } = found.delivery
      print(
        { id: whole, state: 'pending', attempts },
        `delivery ${whole} is pending again; a running server sends it now`,
      )
      return 0
    },
  },
]

function seconds(microseconds: number): number {
  return microseconds / 1_000_000
}

/** The words of the page of a delivery. */
function shownTries({ entry, attempts }: OpenedDelivery): (string | Table)[] {
  const later = laterError(entry, attempts)
  const missing = attemptsMissing(entry, attempts)
  const heads = ['TRY', 'BEGAN', 'TOOK', 'RESULT', 'ERROR']
  const rows = attempts.map((attempt): Cell[] => {
    const { result, why, took } = attemptWords(attempt)
    return [String(attempt.n), attempt.beganAt, took, result, why]
  })
  return [
    ...(later === null ? [] : [later]),
    ...(attempts.length === 0 ? ['no try has ended yet'] : [{ rows: [heads, ...rows] }]),
    ...(missing > 0 ? [`earlier tries that are not kept: ${missing}`] : []),
    ...attempts.flatMap(answerLines),
  ]
}

function answerLines({ n, answer }: Attempt): string[] {
  if (answer === null || (answer.headers.length === 0 && answer.body === '')) return []
  const headers = answer.headers.map(([name, value]) => oneLine(`${name}: ${value}`))
  return [['', `answer to try ${n}:`, ...headers, ...(answer.body === '' ? [] : ['', answer.body])].join('\n')]
}

function representAttempt({ n, beganAt, duration, error, answer }: Attempt) {
  return { n, began: isoSeconds(beganAt), seconds: seconds(duration), error, answer }
}

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
