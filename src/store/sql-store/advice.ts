/** The store's methods for advice about checks, and for their runs by day. */
import type { AdviceKey } from '../../domain/advice/stored-advice.ts'
import type { Instant } from '../../lib/time.ts'
import * as list from '../advice/advice-list.ts'
import * as checkDays from '../advice/check-days.ts'
import { enrollMissing } from '../advice/enrollment.ts'
import * as looks from '../advice/looks.ts'
import * as surroundings from '../advice/surroundings.ts'
import { putOffAdvice } from '../checks/put-off.ts'
import type { Look, StoredAdvice } from '../interface/advice.ts'
import type { Access, AuthorAccess } from './access.ts'
import { each } from './methods.ts'

export function adviceStore({ steps, read, writeChanging, writeUntracked }: Access) {
  return {
    advice: {
      ...each(read, {
        nextLookAt: looks.nextAdviceLookAt,
        find: looks.findAdvice,
        findMany: list.findAdviceOf,
        list: list.listAdvice,
        listFixed: list.listFixed,
        count: list.countAdvice,
        countAll: list.countAllAdvice,
        listLastPings: surroundings.listLastPings,
      }),
      ...each(writeUntracked, { claimLooks: looks.claimLooks, claimLook: looks.claimLook }, 'upkeep'),
      findZones: surroundings.findZones.bind(null, read),
      enrollMissing: enrollMissing.bind(null, steps),
      writeLooks: (made: readonly Look[], now: Instant): Promise<number> =>
        writeChanging((sql) => looks.writeLooks(sql, made, now), 'upkeep'),
    },
    checkDays: each(read, { list: checkDays.listDays }),
  }
}

export function adviceWrites({ trail, writeChanging }: AuthorAccess) {
  return {
    advice: {
      /**
       * Hides a piece of advice or shows it again.
       * @param until null to show it
       * @returns the stored advice after the change; null if the check has no such advice
       */
      putOff: (checkId: string, advice: AdviceKey, until: Instant | null, now: Instant): Promise<StoredAdvice | null> =>
        writeChanging((sql) => putOffAdvice(sql, trail(sql), checkId, advice, until, now)),
    },
  }
}
