/** A project's status page, which shows services that members publish under public names. */
import type { Instant } from '../../lib/time.ts'
import { canonicalTimeZone } from '../schedule/time-zones.ts'
import { type Static, Text, Type } from '../schema.ts'

/** A check as it is shown to the public. */
export interface Service {
  readonly checkId: string
  /** public name, which is shown because the check's own name is private */
  readonly name: string
  /** one line of text below the name; '' for none */
  readonly text: string
}

export interface Section {
  /** ID that does not change when sections are moved; not public */
  readonly id: string
  readonly name: string
  /** tag that a check must have for its service to be shown; null if there is no such condition */
  readonly tag: string | null
  /** services, in the order in which they appear on the page */
  readonly services: readonly Service[]
}

export interface StatusPage {
  readonly projectId: string
  /** part of the page's URL; no two pages have the same slug */
  readonly slug: string
  /** false if the server responds as if the page did not exist */
  readonly isPublic: boolean
  /** false if the page asks search engines not to index it */
  readonly isIndexed: boolean
  readonly title: string
  /** text below the title; '' for none */
  readonly text: string
  /** IANA name of the time zone that determines when days begin */
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
/**
 * Maximum number of services on a page, across all of its sections. A page with more would be slow, because each service's flips must be
 * read.
 */
export const SERVICES_LIMIT = 100

const SLUG = '^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$'

/** The status page settings that can be edited in its form. */
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

/** Whether a string looks like a status page's slug. If it does not, no database lookup is needed. */
export function isStatusSlug(text: string): boolean {
  return text.length <= STATUS_SLUG_LIMIT && new RegExp(SLUG).test(text)
}

/**
 * Returns the initial status page of a project, which is not public.
 * @param begin includes a slug that must not reveal the project's name, because that is private
 */
export function newStatusPage(begin: Pick<StatusPage, 'projectId' | 'slug' | 'tz' | 'updatedAt'>): StatusPage {
  return { ...begin, isPublic: false, isIndexed: false, title: 'Status', text: '', sections: [] }
}

/** @param settings must be valid according to the schema */
export function withSettings(page: StatusPage, settings: StatusPageSettings): StatusPage {
  return { ...page, ...settings, tz: canonicalTimeZone(settings.tz) ?? page.tz }
}

/** Replaces the section that has the same ID or, if there is none, adds the section at the end. */
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

/** @param gone IDs of checks that were deleted or moved to another project */
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
