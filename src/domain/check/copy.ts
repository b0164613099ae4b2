/** Copies of checks. */
import { codePoints } from '../schema.ts'
import { type Check, NEW_STATE, type NewCheck } from './check.ts'
import { NAME_LIMIT } from './fields.ts'
import { SLUG_LIMIT } from './slug.ts'

const LONG = '... (copy)'

/** Returns a new check with the settings of `check`. The new check has no slug if the copied slug would be too long. */
export function copyOf(check: Check, identity: NewCheck): Check {
  const slug = check.slug === '' ? '' : `${check.slug}-copy`
  return {
    ...check,
    ...identity,
    ...NEW_STATE,
    name: copiedName(check.name),
    slug: slug.length > SLUG_LIMIT ? '' : slug,
  }
}

/** Returns the copy's name; '' if the check has no name. */
function copiedName(name: string): string {
  const copied = name === '' ? '' : `${name} (copy)`
  return codePoints(copied) <= NAME_LIMIT ? copied : [...name].slice(0, NAME_LIMIT - LONG.length).join('') + LONG
}
