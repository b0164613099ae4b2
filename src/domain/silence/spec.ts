/** The body of a request that creates a silence. */
import { type Instant, Temporal } from '../../lib/time.ts'
import { isTag } from '../check/tags.ts'
import { InstantText } from '../instant.ts'
import { problemInWords } from '../problem-words.ts'
import { defineFormat, listProblems, type Static, Text, Type } from '../schema.ts'
import { REASON_LIMIT, type Silence } from './silence.ts'
import { windowOf } from './window.ts'

/** An empty list is refused: a script that has found no check would silence the whole project. */
const LISTED = { minItems: 1, maxItems: 100 } as const
const UUID = '^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$'

defineFormat('tag', isTag)

/** Unknown members are refused: a misspelt one would silence more checks, or for longer, than was meant. */
const STRICT = { additionalProperties: false } as const

export const SilenceSpec = Type.Object(
  {
    match: Type.Object(
      {
        checks: Type.Optional(
          Type.Array(Text({ pattern: UUID, means: 'the UUID of a check' }), {
            ...LISTED,
            description: 'UUIDs of checks. Left out: any check.',
          }),
        ),
        tags: Type.Optional(
          Type.Array(Text({ format: 'tag', means: 'a tag' }), {
            ...LISTED,
            description: 'Tags, all of which a check has. Left out: any check.',
          }),
        ),
      },
      { ...STRICT, description: 'The checks that are silenced. `{}`: all checks of the project.' },
    ),
    starts_at: Type.Optional(InstantText),
    ends_at: Type.Optional(InstantText),
    until_healthy: Type.Optional(
      Type.Boolean({
        description: 'The next success of a check ends the silence for it; after 7 days it ends anyway.',
      }),
    ),
    up_to: Type.Optional(Type.Union([Type.Literal('warning'), Type.Literal('down')])),
    reason: Type.Optional(Text({ maxLength: REASON_LIMIT })),
  },
  STRICT,
)

/** A requested silence. */
export type WantedSilence = Pick<Silence, 'match' | 'startsAt' | 'endsAt' | 'untilHealthy' | 'upTo' | 'reason'>

/** @returns the silence, or what to change in words without a full stop. The caller has to find out whether the checks exist. */
export function readSilence(body: unknown, now: Instant): WantedSilence | string {
  const [problem] = listProblems(SilenceSpec, body, 1)
  if (problem !== undefined) return problemInWords(problem)
  const { match, starts_at, ends_at, until_healthy, up_to, reason } = body as Static<typeof SilenceSpec>
  const wanted = { startsAt: instantOf(starts_at), endsAt: instantOf(ends_at), untilHealthy: until_healthy ?? false }
  const window = windowOf(wanted, now)
  if (typeof window === 'string') return window
  const checks = [...new Set(match.checks?.map((id) => id.toLowerCase()))]
  const tags = [...new Set(match.tags)]
  return { ...window, match: { checks, tags }, upTo: up_to ?? 'down', reason: reason?.trim() ?? '' }
}

function instantOf(text: string | undefined): Instant | null {
  return text === undefined ? null : Temporal.Instant.from(text)
}
