/** `/p/<project>/checks/new`: creates a check. While the user types a schedule, the script requests `…/new/preview`. */

import type { Actor } from '../../../../domain/actor.ts'
import type { Channel } from '../../../../domain/channel/channel.ts'
import type { CheckSpec } from '../../../../domain/check/check.ts'
import { LABEL_FIELDS, membersOf, NEW_SETTINGS } from '../../../../domain/check/fields.ts'
import type { CheckWithChannels } from '../../../../domain/check/representation.ts'
import { slugify } from '../../../../domain/check/slug.ts'
import { Refusal } from '../../../../domain/errors.ts'
import { listChannels } from '../../../../services/channels/channels.ts'
import { getCheckByPublicId, upsertCheck } from '../../../../services/checks/checks.ts'
import { checkPath, projectPath } from '../../href.ts'
import { html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { ENTER, formActs, linkButton, submit } from '../../parts/forms/buttons.ts'
import { type FieldErrors, firstBad } from '../../parts/forms/fields.ts'
import { integrationSwitches, noIntegrations, readIntegrations } from '../../parts/forms/integration-switches.ts'
import { card } from '../../parts/lists.ts'
import type { FrameContent, PageAnswer, ProjectVisit, Route } from '../../route.ts'
import { again } from '../forms.ts'
import { projectRoute } from '../new-route.ts'
import { ABOUT_FIELDS, type AboutValues, aboutFields, readAbout } from './about.ts'
import { CHECK_FORM_LIMIT, formRoutes } from './check-form.ts'
import { SCHEDULE_FIELDS, scheduleFields } from './schedule/fields.ts'
import { type MeantSchedule, meaningFragment, meantSchedule } from './schedule/meaning.ts'
import { MEANING_PARTS, meaningCard } from './schedule/preview.ts'
import { PREVIEW, readSchedule, type ScheduleValues, scheduleOf, scheduleSpec } from './schedule-values.ts'
import { askAboutSlug, askedField } from './slug-twin.ts'
import { specErrors } from './spec-errors.ts'

export function newCheckRoutes(deps: PageDeps): readonly Route[] {
  const form = formRoutes('checks/new', {
    async show(visit) {
      const { actor, account, url } = visit
      const channels = await listChannels(deps, actor)
      const last = await findLast(deps, actor, url.searchParams.get(AFTER))
      const channelIds = last?.channelIds ?? channels.map(({ id }) => id)
      const about = { ...membersOf(LABEL_FIELDS, NEW_SETTINGS), tags: last?.check.tags ?? '' }
      const schedule = scheduleOf(last?.check ?? NEW_SETTINGS, account.tz)
      return filledNewCheck(deps, visit, channels, channelIds, about, schedule)
    },
    act: (visit) => create(deps, visit),
  })
  const preview = async (visit: ProjectVisit): Promise<PageAnswer> => {
    const meant = await meantSchedule(deps, visit, null, readSchedule(visit.form))
    return { kind: 'fragment', fragment: meaningFragment(meant) }
  }
  return [...form, projectRoute('POST', 'checks/new/preview', 'write', preview, { formLimit: CHECK_FORM_LIMIT })]
}

/**
 * Query parameter with the public id of the check that the user has just created. The form for the next check starts with the same
 * schedule, tags and integrations.
 */
const AFTER = 'after'
const SAVE_AND_ADD = { name: PREVIEW.name, value: 'add-another' } as const

async function findLast(deps: PageDeps, actor: Actor, publicId: string | null): Promise<CheckWithChannels | null> {
  try {
    return publicId === null ? null : await getCheckByPublicId(deps, actor, publicId)
  } catch (error) {
    // The check may have been deleted in the meantime.
    if (error instanceof Refusal && error.code === 'not-found') return null
    throw error
  }
}

async function create(deps: PageDeps, visit: ProjectVisit): Promise<PageAnswer> {
  const { actor, form } = visit
  const channels = await listChannels(deps, actor)
  const channelIds = readIntegrations(form, channels)
  const schedule = readSchedule(form)
  const typed = readAbout(form)
  const name = typed.name || (schedule.pasted?.name ?? '')
  const about = { ...typed, name, slug: typed.slug || slugify(name) }
  const spec = { ...about, channels: channelIds.join(','), ...scheduleSpec(schedule) }
  const page = async (errors: FieldErrors, asked: string | null) => {
    const meant = await meantSchedule(deps, visit, null, { ...schedule, pasted: null })
    return newCheckPage({ visit, channels, channelIds, about, meant, errors, asked })
  }
  const mistakes = specErrors(spec, schedule)
  const hasMistakes = Object.keys(mistakes).length > 0
  if (form.text(PREVIEW.name) === PREVIEW.value && !hasMistakes) return await page({}, null)
  const slug = await askAboutSlug(deps, visit, about.slug, null)
  const errors = { ...slug.errors, ...mistakes }
  if (Object.keys(errors).length > 0) return again(await page(errors, slug.asked))
  const { check } = await upsertCheck(deps, actor, spec as CheckSpec, false)
  const { slug: project } = actor.project
  const isLast = form.text(SAVE_AND_ADD.name) !== SAVE_AND_ADD.value
  const another = `${projectPath(project, 'checks/new')}?${new URLSearchParams({ [AFTER]: check.publicId })}`
  return { kind: 'redirect', to: isLast ? checkPath(project, check.publicId) : another, done: 'check-made' }
}

/** Renders the form filled in with values from another page, without storing anything. @param channelIds ids of the selected channels */
export async function filledNewCheck(
  deps: PageDeps,
  visit: ProjectVisit,
  channels: readonly Channel[],
  channelIds: readonly string[],
  about: AboutValues,
  schedule: ScheduleValues,
): Promise<FrameContent> {
  const meant = await meantSchedule(deps, visit, null, schedule)
  return newCheckPage({ visit, channels, channelIds, about, meant, errors: {}, asked: null })
}

interface NewCheckData {
  readonly visit: ProjectVisit
  /** all of the project's channels */
  readonly channels: readonly Channel[]
  /** ids of the selected channels */
  readonly channelIds: readonly string[]
  readonly about: AboutValues
  readonly meant: MeantSchedule
  readonly errors: FieldErrors
  /** slug that the form asks the user to confirm; null if no confirmation is needed */
  readonly asked: string | null
}

function newCheckPage({ visit, channels, channelIds, about, meant, errors, asked }: NewCheckData): FrameContent {
  const { href } = visit.site
  const checks = projectPath(visit.actor.project.slug, 'checks')
  const focus = firstBad([...ABOUT_FIELDS, ...SCHEDULE_FIELDS], errors) ?? 'name'
  return {
    layout: 'frame',
    help: 'schedules',
    title: 'New check',
    intro: 'A check expects pings from one of your jobs, and alerts you when a ping does not arrive.',
    crumbs: [{ path: checks, text: 'Checks' }],
    actions: linkButton({ text: 'Paste a crontab', href: href(`${checks}/new/crontab`) }),
    body: html`<form class="cols even made" method="post" action="${href(`${checks}/new`)}" autocomplete="off">${ENTER}
${card({ title: 'Details', body: html`<div class="form">${aboutFields(about, errors, { focus, suggestsSlug: true })}</div>` })}
${card({ title: 'When it runs', body: scheduleFields(meant.typed, focus, { path: href(`${checks}/new/preview`), into: MEANING_PARTS }) })}
${meaningCard(meant.meaning)}
${card({ title: 'Alerts go to', body: channels.length === 0 ? noIntegrations(visit.site.href(projectPath(visit.actor.project.slug, 'integrations'))) : html`<div class="picks">${integrationSwitches(channels, channelIds)}</div>` })}
${askedField(asked)}${formActs({ text: 'Create check', look: 'primary' }, href(checks), submit({ text: 'Save and add another', field: SAVE_AND_ADD }))}
</form>`,
  }
}
