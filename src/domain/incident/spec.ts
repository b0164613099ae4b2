/** Bodies of the requests that acknowledge an incident, end its acknowledgement or add a note. */
import { type Instant, isAtOrAfter, Temporal } from '../../lib/time.ts'
import { InstantText } from '../instant.ts'
import { problemInWords } from '../problem-words.ts'
import { listProblems, type Static, Text, type TSchema, Type } from '../schema.ts'
import { NOTE_LIMIT } from './event.ts'
import type { Taking } from './take.ts'

/** Unknown fields are rejected, because an acknowledgement with a misspelled `until` would never expire. */
const STRICT = { additionalProperties: false } as const

export const AcknowledgementSpec = Type.Object(
  {
    note: Type.Optional(Text({ maxLength: NOTE_LIMIT })),
    until: Type.Optional(InstantText),
    takes_over: Type.Optional(
      Type.Boolean({ description: 'If true, take the incident over from another person who is on it.' }),
    ),
  },
  STRICT,
)

export const ReleaseSpec = Type.Object({}, STRICT)

export const NoteSpec = Type.Object(
  { text: Text({ maxLength: NOTE_LIMIT, pattern: '\\S', means: 'a note: it is blank' }) },
  STRICT,
)

/** @returns the acknowledgement to create, or a description of the mistake without a full stop */
export function readTaking(body: unknown, now: Instant): Omit<Taking, 'by'> | string {
  const problem = problemOf(AcknowledgementSpec, body)
  if (problem !== null) return problem
  const { note, until, takes_over } = body as Static<typeof AcknowledgementSpec>
  const end = until === undefined ? null : Temporal.Instant.from(until)
  if (end !== null && isAtOrAfter(now, end)) return 'until is in the past'
  return { note: note?.trim() ?? '', until: end, takesOver: takes_over ?? false }
}

/** @returns the body, or a description of the mistake without a full stop */
export function readRelease(body: unknown): Static<typeof ReleaseSpec> | string {
  return problemOf(ReleaseSpec, body) ?? {}
}

/** @returns the note's text, or a description of the mistake without a full stop */
export function readNote(body: unknown): { readonly text: string } | string {
  const problem = problemOf(NoteSpec, body)
  return problem ?? { text: (body as Static<typeof NoteSpec>).text.trim() }
}

function problemOf(schema: TSchema, body: unknown): string | null {
  const [problem] = listProblems(schema, body, 1)
  return problem === undefined ? null : problemInWords(problem)
}
