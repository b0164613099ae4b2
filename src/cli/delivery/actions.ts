/** Implements the `overdue delivery` commands. */

import { operatorIn } from '../../domain/actor.ts'
import type { Attempt } from '../../domain/alert/attempt.ts'
import { attemptsMissing, attemptWords, laterError } from '../../domain/alert/attempt-words.ts'
import { DELIVERY_STATES, type DeliveryEntry } from '../../domain/alert/delivery.ts'
import { Refusal } from '../../domain/errors.ts'
import { oneLine } from '../../lib/text/text.ts'
import { isoSeconds } from '../../lib/time.ts'
import {
  getDelivery,
  listDeliveries,
  type OpenedDelivery,
  openAnyDelivery,
  retryFailed,
} from '../../services/alerts/deliveries.ts'
import { adviceOn } from '../advice.ts'
import type { Context } from '../command.ts'
import { readCount } from '../count-option.ts'
import { openProject } from '../project/open-project.ts'
import { type Cell, shortIds, type Table } from '../terminal/screen.ts'
import { timeOrNull } from '../times.ts'

/** Indexes of the columns that a narrow terminal omits first: ATTEMPTS and NEXT. */
const LEAST_WANTED = [5, 6]

/** Runs `overdue delivery list`. */
export async function list({ openDeps, values, print }: Context): Promise<undefined> {
  const state = values.state === undefined ? null : DELIVERY_STATES.find((known) => known === values.state)
  if (state === undefined) {
    throw new Refusal('unknown-choice', `unknown state "${values.state}"`, { choices: DELIVERY_STATES })
  }
  const limit = readCount(values, 'limit')
  const { deps, actor } = await openProject({ openDeps, values })
  const entries = await listDeliveries(deps, actor, state, limit)
  const heads = ['TRIGGERED', 'CHECK', 'WENT', 'CHANNEL', 'STATE', 'ATTEMPTS', 'NEXT', 'LAST ERROR', 'ID']
  const ids = shortIds(entries.map(({ delivery }) => delivery.id))
  const advice = adviceOn(entries.map(({ error }) => error))
  const rows = entries.map((entry, index) => [...cells(entry), ids[index] ?? null])
  print(entries.map(represent), [{ rows: [heads, ...rows], leastWanted: LEAST_WANTED }, ...advice])
}

/** Runs `overdue delivery show`. */
export async function show({ openDeps, argument: id, print }: Context): Promise<undefined> {
  const opened = await openAnyDelivery(await openDeps(), id)
  const { entry, attempts } = opened
  const { delivery, error } = entry
  print({ id: delivery.id, state: delivery.state, error, attempts: attempts.map(representAttempt) }, shownTries(opened))
}

/** Runs `overdue delivery retry`. */
export async function retry({ openDeps, argument: id, print }: Context): Promise<undefined> {
  const deps = await openDeps()
  const found = await getDelivery(deps, id)
  await retryFailed(deps, operatorIn(found.project), found)
  const { id: whole, attempts } = found.delivery
  print({ id: whole, state: 'pending', attempts }, `delivery ${whole} is pending again; a running server sends it now`)
}

function seconds(microseconds: number): number {
  return microseconds / 1_000_000
}

/** Returns the same text as the delivery page. */
function shownTries({ entry, attempts }: OpenedDelivery): (string | Table)[] {
  const later = laterError(entry, attempts)
  const missing = attemptsMissing(entry, attempts)
  const heads = ['ATTEMPT', 'BEGAN', 'TOOK', 'RESULT', 'ERROR']
  const rows = attempts.map((attempt): Cell[] => {
    const { result, why, took } = attemptWords(attempt)
    return [String(attempt.n), attempt.beganAt, took, result, why]
  })
  return [
    ...(later === null ? [] : [later]),
    ...(attempts.length === 0 ? ['no attempt has finished yet'] : [{ rows: [heads, ...rows] }]),
    ...(missing > 0 ? [`earlier attempts that were deleted: ${missing}`] : []),
    ...attempts.flatMap(answerLines),
  ]
}

function answerLines({ n, answer }: Attempt): string[] {
  if (answer === null || (answer.headers.length === 0 && answer.body === '')) return []
  const headers = answer.headers.map(([name, value]) => oneLine(`${name}: ${value}`))
  return [['', `answer to attempt ${n}:`, ...headers, ...(answer.body === '' ? [] : ['', answer.body])].join('\n')]
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
    { name: checkName || delivery.checkId },
    status === 'acknowledged' ? status : { status },
    { name: channelName || channelKind },
    delivery.state,
    String(delivery.attempts),
    nextAttemptAt,
    error,
  ]
}
