/** Hides advice from all members of a project. */
import { type AdviceKey, isSameAdvice, puttingOff, takingUp } from '../../domain/advice/stored-advice.ts'
import { auditedPutOff } from '../../domain/audit/subjects.ts'
import type { Instant } from '../../lib/time.ts'
import { findAdvice, writeAdvice } from '../advice/looks.ts'
import type { AuditTrail } from '../audit.ts'
import type { StoredAdvice } from '../interface/advice.ts'
import { type Changing, editsOf, NO_CHANGES } from '../revisions/revisions.ts'
import type { Sql } from '../sql/database.ts'
import { findCheck } from './checks.ts'

/**
 * Hides a piece of advice or shows it again.
 * @param until null to show it
 * @returns the stored advice after the change; null if the check has no such advice
 */
export async function putOffAdvice(
  sql: Sql,
  trail: AuditTrail,
  checkId: string,
  advice: AdviceKey,
  until: Instant | null,
  now: Instant,
): Promise<Changing<StoredAdvice | null>> {
  await sql.lock('check', [checkId])
  const [check, before] = [await findCheck(sql, checkId), await findAdvice(sql, checkId)]
  const given = before?.advice.find((one) => isSameAdvice(one, advice))
  if (!(check && before && given)) return { result: null, changes: NO_CHANGES }
  const putOff =
    until === null
      ? takingUp(before.putOff, given)
      : puttingOff(before.putOff, given, until.epochMilliseconds, trail.author.name)
  await writeAdvice(sql, { ...before, putOff }, now)
  await trail.note(auditedPutOff(check, before), auditedPutOff(check, { putOff }))
  return { result: await findAdvice(sql, checkId), changes: editsOf([[before.projectId, [checkId]]]) }
}
