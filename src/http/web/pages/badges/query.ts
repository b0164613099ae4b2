/** Which badge the address of the page of badges names: `?tag=db&format=shields&states=3&q=backup`. */
import { BADGE_FORMATS, type BadgeFormat, type BadgeStates } from '../../../../domain/badge-urls.ts'
import type { BadgeQuery, BadgeSubject } from '../../../../services/badges/badge-choice.ts'

export interface BadgePageQuery extends BadgeQuery {
  readonly format: BadgeFormat
  readonly states: BadgeStates
}

const TEXT_LIMIT = 200

/** Everything that is not understood is left out. */
export function readBadgeQuery(parameters: URLSearchParams): BadgePageQuery {
  return {
    subject: readSubject(parameters.get('tag') ?? '', parameters.get('check') ?? ''),
    text: (parameters.get('q') ?? '').trim().slice(0, TEXT_LIMIT),
    format: BADGE_FORMATS.find((format) => format === parameters.get('format')) ?? 'svg',
    states: parameters.get('states') === '3' ? 3 : 2,
  }
}

function readSubject(tag: string, publicId: string): BadgeSubject {
  if (publicId !== '') return { kind: 'check', publicId }
  return tag === '' ? { kind: 'all' } : { kind: 'tag', tag }
}

/** What an address consists of, by name and value. */
export function badgeParameters({
  subject,
  text,
  format,
  states,
}: BadgePageQuery): readonly (readonly [string, string])[] {
  return [
    ...(text === '' ? [] : [['q', text] as const]),
    ...(subject.kind === 'tag' ? [['tag', subject.tag] as const] : []),
    ...(subject.kind === 'check' ? [['check', subject.publicId] as const] : []),
    ...(format === 'svg' ? [] : [['format', format] as const]),
    ...(states === 2 ? [] : [['states', '3'] as const]),
  ]
}

/** With its question mark; '' for the badge of all checks as an image with two states. */
export function badgeSearch(query: BadgePageQuery): string {
  const parameters = new URLSearchParams(Object.fromEntries(badgeParameters(query)))
  return parameters.size === 0 ? '' : `?${parameters}`
}
