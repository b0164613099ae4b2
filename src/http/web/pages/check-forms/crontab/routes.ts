/** `/p/<project>/checks/new/crontab`: creates checks for the jobs in a crontab. While the user types, the script requests `…/preview`. */
import type { Channel } from '../../../../../domain/channel/channel.ts'
import type { CheckSpec } from '../../../../../domain/check/check.ts'
import { type NewJob, type ReadCrontab, readPastedCrontab } from '../../../../../import/engine/pasted-crontab.ts'
import { listChannels } from '../../../../../services/channels/channels.ts'
import { createChecks } from '../../../../../services/checks/creations.ts'
import { listKeys } from '../../../../../services/projects/keys.ts'
import { projectPath } from '../../../href.ts'
import type { PageDeps } from '../../../page.ts'
import type { FieldErrors } from '../../../parts/forms/fields.ts'
import type { PageAnswer, ProjectVisit, Route } from '../../../route.ts'
import { again } from '../../forms.ts'
import { projectRoute } from '../../new-route.ts'
import { CHECK_FORM_LIMIT, formRoutes } from '../check-form.ts'
import { filledNewCheck } from '../new.ts'
import { scheduleOf } from '../schedule-values.ts'
import { spanSeconds } from '../span-field.ts'
import { timingOf } from './jobs.ts'
import { ACTION, CRONTAB_PATH, type CrontabData, crontabFragment, crontabPage } from './page.ts'
import {
  type CrontabValues,
  creationErrors,
  newValues,
  pingingOf,
  readChoice,
  readingErrors,
  readValues,
} from './values.ts'

export function crontabRoutes(deps: PageDeps): readonly Route[] {
  const form = formRoutes(CRONTAB_PATH, {
    async show(visit) {
      const channels = await listChannels(deps, visit.actor)
      const { siteRoot } = deps.site.links
      const hasPingKey = (await pingKeyOf(deps, visit)) !== null
      return crontabPage({ visit, channels, values: newValues(channels), errors: {}, read: null, hasPingKey, siteRoot })
    },
    act: (visit) => deps.longReads.during(visit.person, () => act(deps, visit)),
  })
  const preview = (visit: ProjectVisit): Promise<PageAnswer> =>
    deps.longReads.during(visit.person, async () => ({
      kind: 'fragment',
      fragment: crontabFragment(await readForm(deps, visit)),
    }))
  return [...form, projectRoute('POST', `${CRONTAB_PATH}/preview`, 'write', preview, { formLimit: CHECK_FORM_LIMIT })]
}

async function act(deps: PageDeps, visit: ProjectVisit): Promise<PageAnswer> {
  const data = await readForm(deps, visit)
  const { read, errors } = data
  if (Object.keys(errors).length > 0) return again(crontabPage(data))
  if (visit.form.text(ACTION) === 'create') return create(deps, data)
  const [only, ...more] = read?.jobs ?? []
  if (only?.kind !== 'new' || more.length > 0) return crontabPage(data)
  return openNewCheck(deps, data, only)
}

/** Opens the form for a new check if the crontab has a single line. */
async function openNewCheck(deps: PageDeps, { visit, channels, values }: CrontabData, { check }: NewJob) {
  const { name, slug, tags } = check
  const timing = { ...timingOf(check), tz: values.tz || visit.account.tz }
  const schedule = scheduleOf(timing, visit.account.tz)
  return filledNewCheck(deps, visit, channels, values.channelIds, { name, slug, tags, desc: '' }, schedule)
}

/** Creates checks for all selected jobs, or no checks if one of the jobs has a mistake. */
async function create(deps: PageDeps, data: CrontabData): Promise<PageAnswer> {
  const { visit, channels, values, read } = data
  const jobs = chosenJobs(read)
  const none: FieldErrors = jobs.length === 0 ? { crontab: 'Choose at least one job that has no check yet.' } : {}
  const errors = { ...none, ...creationErrors(values, channels) }
  const hasMistake = jobs.some(({ mistake }) => mistake !== null)
  if (hasMistake || Object.keys(errors).length > 0) return again(crontabPage({ ...data, errors }))
  const { created, left, undo } = await createChecks(
    deps,
    visit.actor,
    jobs.map(({ check }) => specOf(check, values)),
  )
  const to = projectPath(visit.actor.project.slug, 'checks')
  if (created === 0) return { kind: 'redirect', to, done: 'nothing-changed' }
  return { kind: 'redirect', to, done: { code: 'checks-made', count: created, left, undo } }
}

function chosenJobs(read: ReadCrontab | null): readonly NewJob[] {
  return read?.jobs.filter((job) => job.kind === 'new').filter(({ isChosen }) => isChosen) ?? []
}

function specOf({ name, slug, tags, timing, graceSeconds }: NewJob['check'], { channelIds }: CrontabValues): CheckSpec {
  return { name, slug, tags, ...timing, grace: graceSeconds, channels: channelIds.join(',') }
}

/** Time zone to use for the preview until the user chooses one. It doesn't affect the preview's wording. */
const NO_ZONE = 'UTC'

async function readForm(deps: PageDeps, visit: ProjectVisit): Promise<CrontabData> {
  const channels: readonly Channel[] = await listChannels(deps, visit.actor)
  const values = readValues(visit.form, channels)
  const errors = readingErrors(values)
  const pingKey = await pingKeyOf(deps, visit)
  const data = { visit, channels, values, errors, hasPingKey: pingKey !== null, siteRoot: deps.site.links.siteRoot }
  if (values.text.trim() === '' || Object.keys(errors).length > 0) return { ...data, read: null }
  const read = await readPastedCrontab(deps, visit.actor, {
    ...readChoice(visit.form),
    text: values.text,
    isOfSystem: values.isOfSystem,
    zone: values.tz || NO_ZONE,
    graceSeconds: values.grace.amount === '' ? null : spanSeconds(values.grace),
    pinging: pingingOf(values),
    pingEndpoint: deps.site.links.pingEndpoint,
    pingKey,
  })
  return { ...data, read }
}

/** Returns the newest ping key, because older keys might be revoked soon. */
async function pingKeyOf(deps: PageDeps, { actor }: ProjectVisit): Promise<string | null> {
  const keys = await listKeys(deps, actor)
  return keys.findLast(({ kind }) => kind === 'ping')?.lookup ?? null
}
