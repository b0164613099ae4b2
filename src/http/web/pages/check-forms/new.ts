/** `/p/<project>/checks/new`. */
import type { Channel } from '../../../../domain/alert/channel.ts'
import { type CheckSpec, NEW_SETTINGS } from '../../../../domain/check/check.ts'
import { slugify } from '../../../../domain/check/slug.ts'
import { listChannels } from '../../../../services/channels.ts'
import { upsertCheck } from '../../../../services/checks.ts'
import type { Deps } from '../../../../services/deps.ts'
import { checkPath, projectPath } from '../../href.ts'
import { html } from '../../html.ts'
import { type FieldErrors, firstBad } from '../../parts/fields.ts'
import { integrationSwitches, noIntegrations } from '../../parts/integration-switches.ts'
import { card } from '../../parts/lists.ts'
import { SCHEDULE_FIELDS, type ScheduleValues, scheduleFields } from '../../parts/schedule-fields.ts'
import { readSchedule, scheduleOf, scheduleSpec } from '../../parts/schedule-values.ts'
import type { FrameContent, PageAnswer, ProjectVisit, Route } from '../../route.ts'
import { ABOUT_FIELDS, type AboutValues, aboutFields, aboutSpec, readAbout } from './about.ts'
import { again, formActs, formRoutes } from './check-form.ts'
import { askAboutSlug, askedField } from './slug-twin.ts'
import { specErrors } from './spec-errors.ts'

export type NewCheckDeps = Pick<Deps, 'store' | 'now' | 'random' | 'transports' | 'log'>

export function newCheckRoutes(deps: NewCheckDeps): readonly Route[] {
  return formRoutes('/p/:project/checks/new', {
    async show(visit) {
      const channels = await listChannels(deps, visit.actor)
      const channelIds = channels.map(({ id }) => id)
      const about = { name: '', slug: '', tags: '', desc: '', channelIds }
      const schedule = scheduleOf(NEW_SETTINGS, visit.account.tz)
      return newCheckPage({ visit, channels, about, schedule, errors: {}, asked: null })
    },
    act: (visit) => create(deps, visit),
  })
}

async function create(deps: NewCheckDeps, visit: ProjectVisit): Promise<PageAnswer> {
  const { actor, form } = visit
  const channels = await listChannels(deps, actor)
  const typed = readAbout(form, channels)
  const about = { ...typed, slug: typed.slug || slugify(typed.name) }
  const schedule = readSchedule(form)
  const spec = { ...aboutSpec(about), ...scheduleSpec(schedule) }
  const data = { visit, channels, about, schedule }
  const slug = await askAboutSlug(deps, visit, about.slug, null)
  const errors = { ...slug.errors, ...specErrors(spec, schedule) }
  if (Object.keys(errors).length > 0) return again(newCheckPage({ ...data, errors, asked: slug.asked }))
  const { check } = await upsertCheck(deps, actor, spec as CheckSpec, false)
  return { kind: 'redirect', to: checkPath(actor.project.slug, check.publicId), done: 'check-made' }
}

export interface NewCheckData {
  readonly visit: ProjectVisit
  /** all of the project */
  readonly channels: readonly Channel[]
  readonly about: AboutValues
  readonly schedule: ScheduleValues
  readonly errors: FieldErrors
  /** the slug that the reader is asked about */
  readonly asked: string | null
}

export function newCheckPage({ visit, channels, about, schedule, errors, asked }: NewCheckData): FrameContent {
  const { href } = visit.site
  const checks = projectPath(visit.actor.project.slug, 'checks')
  const focus = firstBad([...ABOUT_FIELDS, ...SCHEDULE_FIELDS], errors) ?? 'name'
  return {
    layout: 'frame',
    title: 'New check',
    intro: 'A check waits for a ping from one of your jobs, and tells you when it does not come.',
    here: 'checks',
    crumbs: [{ path: checks, text: 'Checks' }],
    isNarrow: true,
    body: html`<form class="form" method="post" action="${href(`${checks}/new`)}">
${card({ title: 'What it is', body: html`<div class="form">${aboutFields(about, errors, { focus, suggestsSlug: true })}</div>` })}
${card({ title: 'When it runs', body: scheduleFields(schedule, errors, focus) })}
${card({ title: 'Alerts go to', body: channels.length === 0 ? noIntegrations() : html`<div class="picks">${integrationSwitches(channels, about.channelIds)}</div>` })}
${askedField(asked)}${formActs({ text: 'Create check', look: 'primary' }, href, checks)}
</form>`,
  }
}
