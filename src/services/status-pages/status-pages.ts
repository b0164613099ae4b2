/** Reads and changes the content of a project's status page. */
import { type Actor, requireRight } from '../../domain/actor.ts'
import { isPublicId } from '../../domain/check/public-id.ts'
import { hasTags } from '../../domain/check/tags.ts'
import { Refusal } from '../../domain/errors.ts'
import type { ListEntry } from '../../domain/list/check-list.ts'
import { fits } from '../../domain/schema.ts'
import { proposedName } from '../../domain/status-page/proposed-name.ts'
import {
  countServices,
  movedUp,
  newStatusPage,
  SECTIONS_LIMIT,
  SERVICES_LIMIT,
  type Section,
  SectionName,
  type Service,
  ServiceName,
  ServiceText,
  type StatusPage,
  StatusPageSettings,
  withoutChecks,
  withoutSection,
  withSection,
  withSectionUp,
  withSettings,
} from '../../domain/status-page/status-page.ts'
import { randomText, SMALL_AND_DIGITS } from '../../lib/secrets/random-text.ts'
import { findChecks } from '../checks/checks.ts'
import { authorOf } from '../common/author.ts'
import type { Deps } from '../common/deps.ts'
import { type CheckListDeps, readCheckList } from '../overview/check-list.ts'

type WriteDeps = Pick<Deps, 'store' | 'now' | 'random'>

const SECTION_ID_LENGTH = 8
const RANDOM_SLUG_LENGTH = 10

/** Returns the saved page, without checks that are no longer in the project. If no page has been saved, returns the initial page. */
export async function getStatusPage(deps: WriteDeps, actor: Actor): Promise<StatusPage> {
  requireRight(actor, 'write')
  const stored = await deps.store.statusPages.find(actor.project.id)
  return stored ? withoutChecks(stored, await findGone(deps, actor, stored)) : beginning(deps, actor)
}

/** Returns the page's slug, for people who are allowed to read the project. Returns null if the page is not public. */
export async function findPublicSlug({ store }: Pick<Deps, 'store'>, { project }: Actor): Promise<string | null> {
  const page = await store.statusPages.find(project.id)
  return page?.isPublic ? page.slug : null
}

/**
 * Returns the initial page, which uses the time zone of the person who creates it. Its slug is random, because the project's slug would
 * reveal the project's name.
 */
async function beginning({ store, now, random }: WriteDeps, { project, by }: Actor): Promise<StatusPage> {
  const account = by.kind === 'person' ? await store.accounts.find(by.accountId) : null
  const slug = `status-${randomText(RANDOM_SLUG_LENGTH, SMALL_AND_DIGITS, random.bytes)}`
  return newStatusPage({ projectId: project.id, slug, tz: account?.tz ?? 'UTC', updatedAt: now() })
}

/** Returns the ids of checks on the page that have been deleted or moved to another project. */
async function findGone(
  deps: Pick<Deps, 'store'>,
  actor: Actor,
  { sections }: StatusPage,
): Promise<ReadonlySet<string>> {
  const gone = new Set(sections.flatMap(({ services }) => services.map(({ checkId }) => checkId)))
  for await (const page of findChecks(deps, actor, [...gone])) {
    for (const { check } of page) gone.delete(check.id)
  }
  return gone
}

async function change(deps: WriteDeps, actor: Actor, decide: (page: StatusPage) => StatusPage): Promise<StatusPage> {
  requireRight(actor, 'write')
  const author = authorOf(deps, actor.by)
  const known = await deps.store.statusPages.find(actor.project.id)
  const gone = known ? await findGone(deps, actor, known) : new Set<string>()
  const fresh = known ?? (await beginning(deps, actor))
  return deps.store.by(author).statusPages.change(actor.project.id, (stored) => {
    const page = decide(stored ? withoutChecks(stored, gone) : fresh)
    if (countServices(page) > SERVICES_LIMIT) {
      throw new Refusal('status-page-full', `a status page shows at most ${SERVICES_LIMIT} services`, {
        limit: SERVICES_LIMIT,
      })
    }
    return { ...page, updatedAt: author.at }
  })
}

/** @throws Refusal `invalid` if the settings don't match their schema; `status-slug-taken` */
export async function saveSettings(deps: WriteDeps, actor: Actor, settings: StatusPageSettings): Promise<StatusPage> {
  if (!fits(StatusPageSettings, settings)) throw new Refusal('invalid', 'these settings of a status page are not valid')
  return change(deps, actor, (page) => withSettings(page, settings))
}

/**
 * @param tag null for a section whose checks are chosen individually
 * @throws Refusal `invalid` if the section's name is invalid; `status-page-full`
 */
export async function addSection(
  deps: WriteDeps,
  actor: Actor,
  { name, tag }: Pick<Section, 'name' | 'tag'>,
): Promise<Section> {
  requireSectionName(name)
  const section: Section = {
    id: randomText(SECTION_ID_LENGTH, SMALL_AND_DIGITS, deps.random.bytes),
    name,
    tag,
    services: [],
  }
  await change(deps, actor, (page) => {
    if (page.sections.length >= SECTIONS_LIMIT) {
      throw new Refusal('status-page-full', `a status page has at most ${SECTIONS_LIMIT} sections`, {
        limit: SECTIONS_LIMIT,
      })
    }
    return withSection(page, section)
  })
  return section
}

export async function moveSectionUp(deps: WriteDeps, actor: Actor, id: string): Promise<void> {
  await change(deps, actor, (page) => withSectionUp(page, id))
}

export async function removeSection(deps: WriteDeps, actor: Actor, id: string): Promise<void> {
  await change(deps, actor, (page) => withoutSection(page, id))
}

/** A check that can be selected in a section's form. */
export interface ServiceChoice {
  readonly publicId: string
  /** the check's name within the project, which is not public */
  readonly ownName: string
  /** true if the check is listed on the page, as `name` */
  readonly isShown: boolean
  /** public name of the check; if the check is not on the page, a suggested name */
  readonly name: string
  readonly text: string
  /** true if the check is listed on the page but no longer has the section's tag; it is hidden until it has the tag again */
  readonly lacksTag: boolean
}

export interface SectionChoices {
  readonly section: Section
  /** checks to choose from: first the ones on the page, in page order, and then the others */
  readonly choices: readonly ServiceChoice[]
  /** number of further matching checks, which are not listed */
  readonly more: number
}

/** Maximum number of checks to list that are not on the page yet. */
const PROPOSED = 100

/**
 * Lists the checks to choose from for a section: its current checks, and other matching checks.
 * @param text text to search in names, tags and slugs; '' matches all checks
 * @throws Refusal `not-found`
 */
export async function listChoices(
  deps: CheckListDeps & WriteDeps,
  actor: Actor,
  sectionId: string,
  text: string,
): Promise<SectionChoices> {
  const section = sectionOf(await getStatusPage(deps, actor), sectionId)
  const tags = section.tag === null ? [] : [section.tag]
  const query = { text, tags, states: [], advice: [], sort: 'name', isReversed: false } as const
  const { entries } = await readCheckList(deps, actor, query, deps.now())
  const shown = new Set(section.services.map(({ checkId }) => checkId))
  const others = entries.filter(({ id }) => !shown.has(id))
  const choices = [...(await shownChoices(deps, actor, section)), ...others.slice(0, PROPOSED).map(proposal)]
  return { section, choices, more: Math.max(0, others.length - PROPOSED) }
}

async function shownChoices(
  deps: Pick<Deps, 'store'>,
  actor: Actor,
  { services, tag }: Section,
): Promise<readonly ServiceChoice[]> {
  const byId = new Map(services.map((service) => [service.checkId, service]))
  const choices: ServiceChoice[] = []
  for await (const page of findChecks(deps, actor, [...byId.keys()])) {
    for (const { check } of page) {
      const { name = '', text = '' } = byId.get(check.id) ?? {}
      const lacksTag = tag !== null && !hasTags(check.tags, [tag])
      choices.push({ publicId: check.publicId, ownName: check.name, isShown: true, name, text, lacksTag })
    }
  }
  return choices
}

function proposal({ publicId, name }: ListEntry): ServiceChoice {
  return { publicId, ownName: name, isShown: false, name: proposedName(name), text: '', lacksTag: false }
}

function sectionOf({ sections }: StatusPage, id: string): Section {
  const section = sections.find((each) => each.id === id)
  if (!section) throw new Refusal('not-found', 'not found')
  return section
}

/** A section's submitted form. Services that are not in the form are kept. */
export interface SectionEdit {
  readonly name: string
  readonly rows: readonly Pick<ServiceChoice, 'publicId' | 'isShown' | 'name' | 'text'>[]
  /** public id of the check to move up by one position; null to move no check */
  readonly up: string | null
}

/** @throws Refusal `not-found` if the section does not exist; `invalid` if a name or text is invalid; `status-page-full` */
export async function saveSection(deps: WriteDeps, actor: Actor, id: string, edit: SectionEdit): Promise<StatusPage> {
  requireRight(actor, 'write')
  requireSectionName(edit.name)
  const rows = await findRows(deps, actor, edit.rows)
  for (const { service, isShown } of rows) {
    if (isShown && !(fits(ServiceName, service.name) && fits(ServiceText, service.text))) {
      throw new Refusal('invalid', 'a service needs a name, and its texts must not be too long')
    }
  }
  const upId = rows.find(({ publicId }) => publicId === edit.up)?.service.checkId
  return change(deps, actor, (page) => {
    const section = sectionOf(page, id)
    const edited = section.services.flatMap((service) => {
      const row = rows.find((each) => each.service.checkId === service.checkId)
      if (!row) return [service]
      return row.isShown ? [row.service] : []
    })
    const isNew = ({ checkId }: Service) => section.services.every((service) => service.checkId !== checkId)
    const added = rows.filter(({ isShown, service }) => isShown && isNew(service)).map(({ service }) => service)
    const services = movedUp([...edited, ...added], ({ checkId }) => checkId === upId)
    return withSection(page, { ...section, name: edit.name, services })
  })
}

interface FoundRow {
  readonly publicId: string
  readonly isShown: boolean
  readonly service: Service
}

/** Finds rows with index lookups. Skips checks that have been deleted in the meantime. */
async function findRows(
  { store }: Pick<Deps, 'store'>,
  { project }: Actor,
  rows: SectionEdit['rows'],
): Promise<readonly FoundRow[]> {
  const found: FoundRow[] = []
  for (const { publicId, isShown, name, text } of rows) {
    const known = isPublicId(publicId) ? await store.checks.findByPublicId(project.id, publicId) : null
    if (known) found.push({ publicId, isShown, service: { checkId: known.check.id, name, text } })
  }
  return found
}

/** @throws Refusal `invalid` */
function requireSectionName(name: string): void {
  if (!fits(SectionName, name)) throw new Refusal('invalid', 'a section needs a name of 1 to 100 characters')
}
