/** Generates a new check's random parts. */
import type { NewCheck } from '../../domain/check/check.ts'
import { makePublicId } from '../../domain/check/public-id.ts'
import type { Random } from './deps.ts'

export function newIdentity(random: Random): Pick<NewCheck, 'id' | 'badgeKey' | 'publicId'> {
  return { id: random.uuid(), badgeKey: random.uuid(), publicId: makePublicId(random.bytes) }
}
