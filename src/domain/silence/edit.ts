/**
 * The body of a request that changes a silence. Omitted fields stay the same. The list of checks that the silence applies to can't be
 * changed.
 */
import { type Instant, isBefore } from '../../lib/time.ts'
import { InstantText } from '../instant.ts'
import { problemInWords } from '../problem-words.ts'
import { listProblems, type Static, Type } from '../schema.ts'
import type { Silence } from './silence.ts'
import { readSilence, SilenceSpec, specOf } from './spec.ts'

const { match: _, ...EDITED } = SilenceSpec.properties

export const SilenceEdit = Type.Object(
  {
    ...EDITED,
    ends_at: Type.Optional(
      Type.Union([InstantText, Type.Null()], { description: 'Null: it repeats until somebody ends it.' }),
    ),
  },
  { additionalProperties: false },
)

/** @returns the changed silence, or a description of the mistake without a trailing period */
export function editSilence(silence: Silence, body: unknown, now: Instant): Silence | string {
  const [problem] = listProblems(SilenceEdit, body, 1)
  if (problem !== undefined) return problemInWords(problem)
  const given = body as Static<typeof SilenceEdit>
  const { ends_at, ...asked } = { ...specOf(silence), ...given }
  const wanted = readSilence({ ...asked, ...(ends_at === null ? {} : { ends_at }) }, now)
  if (typeof wanted === 'string') return wanted
  const hasBegun = given.starts_at === undefined && isBefore(silence.startsAt, now)
  return { ...silence, ...wanted, match: silence.match, ...(hasBegun && { startsAt: silence.startsAt }) }
}
