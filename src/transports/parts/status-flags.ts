/** Implements `wants` for kinds with a flag for each status, and for kinds that report only one status. */
import type { Flip } from '../../domain/check/flip.ts'
import { type Static, type TObject, Type } from '../../domain/schema.ts'

export const statusFlags = {
  down: Type.Boolean({ title: 'When a check goes down', default: true }),
  up: Type.Boolean({ title: 'When a check recovers', default: true }),
}
type StatusFlags = Static<TObject<typeof statusFlags>>

export function wantsByFlag({ down, up }: StatusFlags, { newStatus }: Pick<Flip, 'newStatus'>): boolean {
  return newStatus === 'down' ? down : up
}

/** Returns true only if the check goes down. Meant for kinds that open a ticket or make a call, which a recovery does not need. */
export function wantsOnlyDown(_: unknown, { newStatus }: Pick<Flip, 'newStatus'>): boolean {
  return newStatus === 'down'
}
