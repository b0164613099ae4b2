/** The signed URLs of badges as an API lists them: with the key of the project and the signatures of its tags. */

import { ALL_TAGS } from '../../domain/badge-urls.ts'
import type { ImportedBadge } from '../../domain/import/import-source.ts'
import { isStorable } from '../../lib/text/text.ts'
import { memberOf } from './answers.ts'

interface ApiBadges {
  readonly badgeKey: string
  readonly badges: readonly ImportedBadge[]
}

const BADGE = /\/badge\/([-\w]{1,100})\/([-\w]{8})(?:-2)?(?:\/[^/]+)?\.\w+$/

/** Null when the answer has no badge: each project has one, that of all its checks. */
export function readBadges(json: unknown): ApiBadges | null {
  const byTag = memberOf(json, 'badges')
  if (typeof byTag !== 'object' || byTag === null) return null
  const badges: ImportedBadge[] = []
  let badgeKey: string | null = null
  for (const [tag, urls] of Object.entries(byTag)) {
    const url = memberOf(urls, 'svg')
    const [, key = null, signature] = typeof url === 'string' ? (BADGE.exec(url) ?? []) : []
    if (key === null || signature === undefined || !isStorable(tag)) continue
    // The key of the project is the same in all of them.
    if (tag === ALL_TAGS || badgeKey === null) badgeKey = key
    badges.push({ tag, signature })
  }
  return badgeKey === null ? null : { badgeKey, badges }
}
