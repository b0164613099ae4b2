/** The tables that contain events and alerts. */
import type { Attempt } from '../../domain/alert/attempt.ts'
import type { Delivery } from '../../domain/alert/delivery.ts'
import type { Channel } from '../../domain/channel/channel.ts'
import type { Flip } from '../../domain/check/flip.ts'
import type { Mailing } from '../../domain/mail/mailing.ts'
import {
  columns,
  columnsOrNull,
  flag,
  instant,
  json,
  type Members,
  named,
  number,
  orNull,
  table,
  text,
  word,
} from '../sql/columns.ts'

const flip: Members<Flip> = {
  checkId: text,
  n: number,
  createdAt: instant,
  oldStatus: word(),
  newStatus: word(),
  reason: word(),
}

/** Rows of {@link EVENTS} whose kind is `flip`. */
export const FLIPS = columns(flip)

export const EVENTS = table<Flip & { readonly kind: 'flip' }>(
  'events',
  'check_id n',
  { ...flip, kind: word() },
  'detail',
)

export const CHANNELS = table<Channel>('channels', 'id', {
  id: text,
  projectId: text,
  name: text,
  kind: word(),
  settings: json(),
  createdAt: instant,
  disabledReason: orNull(text),
  lastError: orNull(text),
  host: text,
  awaitsConfirmation: flag,
  quietHours: columnsOrNull({
    schedule: named('quiet_schedule', text),
    tz: named('quiet_tz', text),
    seconds: named('quiet_seconds', number),
    upTo: named('quiet_up_to', word()),
  }),
})

export const DELIVERIES = table<Delivery>(
  'deliveries',
  'id',
  {
    id: text,
    checkId: text,
    eventN: number,
    channelId: text,
    state: word(),
    attempts: number,
    createdAt: instant,
    heldUntil: orNull(instant),
  },
  'next_attempt_at ended_at error',
)

export const ATTEMPT: Members<Attempt> = {
  n: number,
  beganAt: named('created_at', instant),
  duration: number,
  error: orNull(text),
  answer: orNull(json()),
}

export const ATTEMPTS = table<Attempt & { readonly deliveryId: string }>('attempts', 'delivery_id n', {
  deliveryId: text,
  ...ATTEMPT,
})

/** The columns of mailings that a claim needs. The date of a claimed mailing is never null. */
export const MAILINGS = table<Mailing>(
  'mailings',
  'channel_id kind',
  {
    channelId: text,
    kind: word(),
    projectId: text,
    dueAt: instant,
    attempts: number,
  },
  'period_seconds next_attempt_at error',
)
