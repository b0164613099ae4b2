/**
 * Each word in the index is prefixed with a scope: a few characters for the project, and two for a part of its checks. A search lists the
 * scopes that it may read, so nothing of another project is read, and no part is so large that reading it takes long.
 */
import { hash32 } from '../../lib/hash.ts'
import type { Check } from '../check/check.ts'
import type { WordPattern } from './query.ts'

/** Number of parts of a project: with a million long entries, each part has 16,000. */
const PARTS = 64
const PROJECT_LENGTH = 5

/** Returns the scope of a check. Two projects may have the same scope, so a hit has to be looked up. */
export function scopeOf({ id, projectId }: Pick<Check, 'id' | 'projectId'>): string {
  const project = (hash32(projectId) % 36 ** PROJECT_LENGTH).toString(36).padStart(PROJECT_LENGTH, '0')
  return project + (hash32(id) % PARTS).toString(36).padStart(2, '0')
}

export function scoped(pattern: WordPattern, scope: string): WordPattern {
  return pattern.map((phrases) =>
    phrases.map(({ words, isPrefix }) => ({ words: words.map((word) => scope + word), isPrefix })),
  )
}
