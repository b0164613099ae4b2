/** Converts the validation errors of a typed check to messages for the form's fields. */
import { CheckSpec } from '../../../../domain/check/check.ts'
import { SLUG_LIMIT, slugify } from '../../../../domain/check/slug.ts'
import { listProblems, type Problem } from '../../../../domain/schema.ts'
import { zoneError } from '../../parts/forms/account-fields.ts'
import type { FieldErrors } from '../../parts/forms/fields.ts'
import { shown } from '../../parts/words/text.ts'
import { scheduleMistake } from './schedule-mistake.ts'
import type { ScheduleValues, TypedSpec } from './schedule-values.ts'

const MAX_PROBLEMS = 20

/** Returns the messages for all errors. @param schedule values that the schedule was built from; null for a form without a schedule */
export function specErrors(spec: TypedSpec, schedule: ScheduleValues | null): FieldErrors {
  const errors: Record<string, string> = {}
  for (const problem of listProblems(CheckSpec, spec, MAX_PROBLEMS)) {
    const name = problem.path.slice(1)
    errors[FIELDS[name] ?? name] = inWords(problem, name, spec)
  }
  const mistake = schedule && scheduleMistake(schedule)
  if (schedule && mistake) errors[schedule.kind] = mistake.words
  return errors
}

/** Form fields whose names differ from those in the spec. */
const FIELDS: Readonly<Record<string, string>> = { timeout: 'period' }

function inWords(problem: Problem, name: string, spec: TypedSpec): string {
  const text = String(spec[name as keyof TypedSpec] ?? '')
  switch (name) {
    case 'timeout':
    case 'grace':
      return spanError(problem)
    case 'tz':
      return zoneError(text)
    case 'slug':
      return problem.violation === 'mismatch' ? slugError(text) : tooLong(problem)
    default:
      return tooLong(problem)
  }
}

function spanError({ violation }: Problem): string {
  if (violation === 'too small') return 'Too short: it must be at least 1 minute.'
  if (violation === 'too large') return 'Too long: it must be at most 365 days.'
  return 'Type a whole number, such as 30, and choose its unit.'
}

function slugError(text: string): string {
  const meant = slugify(text)
  const words = `‘${shown(text)}’ is not a slug: use only a-z, 0-9, - and _.`
  return meant === '' || meant.length > SLUG_LIMIT ? words : `${words} ${meant}?`
}

function tooLong({ violation, accepted }: Problem): string {
  return violation === 'too long'
    ? `This is too long: use ${accepted}.`
    : 'This text contains characters that cannot be stored.'
}
