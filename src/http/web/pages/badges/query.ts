/** Parses and builds the badges page's URL, such as `?tag=db&format=shields&states=3&q=backup`. */
import { BADGE_FORMATS, type BadgeFormat, type BadgeStates } from '../../../../domain/badge-urls.ts'
import { addressState, oneOfOr, text } from '../../../../lib/text/address-state.ts'
import type { BadgeQuery, BadgeSubject } from '../../../../services/badges/badge-choice.ts'

export interface BadgePageQuery extends BadgeQuery {
  readonly format: BadgeFormat
  readonly states: BadgeStates
}

const TEXT_LIMIT = 200

export const {
  read: readBadgeQuery,
  pairs: badgePairs,
  search: badgeSearch,
} = addressState<BadgePageQuery>({
  text: text('q', TEXT_LIMIT),
  subject: { read: readSubject, write: writeSubject },
  format: oneOfOr('format', BADGE_FORMATS, 'svg'),
  states: oneOfOr('states', [2, 3], 2),
})

function readSubject(parameters: URLSearchParams): BadgeSubject {
  const [tag, publicId] = [parameters.get('tag') ?? '', parameters.get('check') ?? '']
  if (publicId !== '') return { kind: 'check', publicId }
  return tag === '' ? { kind: 'all' } : { kind: 'tag', tag }
}

function writeSubject(subject: BadgeSubject): readonly (readonly [name: string, value: string])[] {
  if (subject.kind === 'tag') return [['tag', subject.tag]]
  return subject.kind === 'check' ? [['check', subject.publicId]] : []
}
