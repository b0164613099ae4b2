/** What is probably not meant with the settings, in words. */
import type { Config } from './config.ts'

/** One line each. */
export function notesOn({ withoutEffect, misspelled, warnings }: Config): readonly string[] {
  return [
    ...withoutEffect.map((name) => `${name} has no effect in this version`),
    ...misspelled.map(({ name, meant }) => `${name} is not a setting; did you mean ${meant}?`),
    ...warnings,
  ]
}
