/** Warns about settings that are probably mistakes. */
import type { Config } from './config.ts'

/** Returns one line per warning. */
export function notesOn({ withoutEffect, misspelled, warnings }: Config): readonly string[] {
  return [
    ...withoutEffect.map((name) => `${name} has no effect in this version`),
    ...misspelled.map(({ name, meant }) => `${name} is not a setting; did you mean ${meant}?`),
    ...warnings,
  ]
}
