/** `wants` of kinds with a flag for each status, and of kinds that report only one. */
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

/** Returns true only for a check going down, for kinds that open a ticket or call: a recovery is no reason to do that again. */
export function wantsOnlyDown(_: unknown, { newStatus }: Pick<Flip, 'newStatus'>): boolean {
  return newStatus === 'down'
}
