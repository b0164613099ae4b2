/** For kinds whose users choose by a flag for each status what they are told. */
import type { Flip } from '../domain/flip.ts'
import { type Static, type TObject, Type } from '../domain/schema.ts'

export const statusFlags = {
  down: Type.Boolean({ title: 'When a check goes down' }),
  up: Type.Boolean({ title: 'When a check comes up again' }),
}
type StatusFlags = Static<TObject<typeof statusFlags>>

export function wantsByFlag({ down, up }: StatusFlags, { newStatus }: Pick<Flip, 'newStatus'>): boolean {
  return newStatus === 'down' ? down : up
}
