/** A project's status page: services that members publish under public names. */
import type { Instant } from '../../lib/time.ts'
import { canonicalTimeZone } from '../schedule/time-zones.ts'
import { type Static, Text, Type } from '../schema.ts'

/** A check in the form shown to the public. */
export interface Service {
  readonly checkId: string
  /** public name, shown instead of the check's own name, which stays private */
  readonly name: string
  /** one line of text below the name; '' for none */
  readonly text: string
}

export interface Section {
  /** id that stays the same when sections are moved; not public */
  readonly id: string
  readonly name: string
  /** tag that the check must have for the service to be shown; null: the service is always shown */
  readonly tag: string | null
  /** services in the order in which the page shows them */
  readonly services: readonly Service[]
}

export interface StatusPage {
  readonly projectId: string
  /** part of the page's URL; no two pages have the same slug */
  readonly slug: string
  /** false: the URL responds as if the page did not exist */
  readonly isPublic: boolean
  /** false: the page asks search engines not to index it */
  readonly isIndexed: boolean
  readonly title: string
  /** text below the title; '' for none */
  readonly text: string
  /** IANA name of the time zone in which days begin */
  readonly tz: string
  readonly sections: readonly Section[]
  readonly updatedAt: Instant
}

export const STATUS_SLUG_LIMIT = 60
export const TITLE_LIMIT = 100
export const TEXT_LIMIT = 1_000
export const SECTION_NAME_LIMIT = 100
export const SERVICE_NAME_LIMIT = 100
export const SERVICE_TEXT_LIMIT = 200
export const SECTIONS_LIMIT = 20
/** Maximum number of services on a page, over all its sections. More would be slow, because each service's flips must be read. */
export const SERVICES_LIMIT = 100

const SLUG = '^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$'

/** The status page settings that its form contains. */
export const StatusPageSettings = Type.Object({
  slug: Text({ maxLength: STATUS_SLUG_LIMIT, pattern: SLUG }),
  title: Text({ maxLength: TITLE_LIMIT, pattern: '\\S' }),
  text: Text({ maxLength: TEXT_LIMIT }),
  tz: Text({ format: 'timezone' }),
  isPublic: Type.Boolean(),
  isIndexed: Type.Boolean(),
})
export type StatusPageSettings = Static<typeof StatusPageSettings>

export const SectionName = Text({ maxLength: SECTION_NAME_LIMIT, pattern: '\\S' })
export const ServiceName = Text({ maxLength: SERVICE_NAME_LIMIT, pattern: '\\S' })
export const ServiceText = Text({ maxLength: SERVICE_TEXT_LIMIT })

/** Whether a text looks like a status page's slug. If it does not, no look-up is needed. */
export function isStatusSlug(text: string): boolean {
  return text.length <= STATUS_SLUG_LIMIT && new RegExp(SLUG).test(text)
}

/**
 * Returns the status page of a project that has not saved one yet. Nothing on it is public.
 * @param begin includes a slug that does not reveal the project's name, because that is private
 */
export function newStatusPage(begin: Pick<StatusPage, 'projectId' | 'slug' | 'tz' | 'updatedAt'>): StatusPage {
  return { ...begin, isPublic: false, isIndexed: false, title: 'Status', text: '', sections: [] }
}

/** @param settings valid for the settings' schema */
export function withSettings(page: StatusPage, settings: StatusPageSettings): StatusPage {
  return { ...page, ...settings, tz: canonicalTimeZone(settings.tz) ?? page.tz }
}

/** Replaces the section with the same id, or adds the section at the end if there is none. */
export function withSection(page: StatusPage, section: Section): StatusPage {
  const isKnown = page.sections.some(({ id }) => id === section.id)
  if (!isKnown) return { ...page, sections: [...page.sections, section] }
  return { ...page, sections: page.sections.map((each) => (each.id === section.id ? section : each)) }
}

export function withoutSection(page: StatusPage, id: string): StatusPage {
  return { ...page, sections: page.sections.filter((section) => section.id !== id) }
}

/** Swaps a section with the one above it. */
export function withSectionUp(page: StatusPage, id: string): StatusPage {
  return { ...page, sections: movedUp(page.sections, (section) => section.id === id) }
}

export function movedUp<Item>(items: readonly Item[], isMoved: (item: Item) => boolean): readonly Item[] {
  const index = items.findIndex(isMoved)
  const [moved, above] = [items[index], items[index - 1]]
  if (moved === undefined || above === undefined) return items
  return items.map((item) => (item === moved ? above : item === above ? moved : item))
}

/** @param gone ids of checks that were deleted or moved to another project */
export function withoutChecks(page: StatusPage, gone: ReadonlySet<string>): StatusPage {
  const stays = ({ checkId }: Service) => !gone.has(checkId)
  return {
    ...page,
    sections: page.sections.map((section) => ({ ...section, services: section.services.filter(stays) })),
  }
}

export function countServices({ sections }: Pick<StatusPage, 'sections'>): number {
  return sections.reduce((sum, { services }) => sum + services.length, 0)
}
