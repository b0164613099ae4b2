/** Identifies who made a change, for the audit log. */
import type { KeyHolder, Operator, Person } from '../../domain/actor.ts'
import type { Author } from '../../domain/author.ts'
import type { Deps } from './deps.ts'

/** Returns the author of a change. Call this function once for each change. */
export function authorOf({ now, random }: Pick<Deps, 'now' | 'random'>, by: KeyHolder | Person | Operator): Author {
  const change = { changeId: random.uuid(), at: now() }
  switch (by.kind) {
    case 'person':
      return { ...change, kind: 'person', accountId: by.accountId, name: by.email, address: by.address }
    case 'key':
      return { ...change, kind: 'key', accountId: null, name: by.hint, address: by.address }
    case 'operator':
      return { ...change, kind: 'command', accountId: null, name: '', address: null }
  }
}
