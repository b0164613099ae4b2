/**
 * Scopes: each word in the search index has a prefix of a few characters for the project and two for a subset of its checks. A search lists
 * the scopes that the reader has access to, so it never reads words that belong to other projects. A scope is small enough to be read
 * quickly.
 */
import { hash32 } from '../../lib/hash.ts'
import type { Check } from '../check/check.ts'
import type { WordPattern } from './query.ts'

/** Number of scopes per project. If a project has a million long entries, each scope contains about 16,000 of them. */
const PARTS = 64
const PROJECT_LENGTH = 5

/** Returns a check's scope. Two projects can have the same scope, so callers must verify each hit. */
export function scopeOf({ id, projectId }: Pick<Check, 'id' | 'projectId'>): string {
  const project = (hash32(projectId) % 36 ** PROJECT_LENGTH).toString(36).padStart(PROJECT_LENGTH, '0')
  return project + (hash32(id) % PARTS).toString(36).padStart(2, '0')
}

export function scoped(pattern: WordPattern, scope: string): WordPattern {
  return pattern.map((phrases) =>
    phrases.map(({ words, isPrefix }) => ({ words: words.map((word) => scope + word), isPrefix })),
  )
}
