/** `/p/<project>/integrations/new/<kind>` and `/p/<project>/integrations/<integration>`: an integration's form. */
import type { Channel } from '../../../../domain/channel/channel.ts'
import type { ChannelKind } from '../../../../domain/channel/channel-kind.ts'
import type { QuietHours } from '../../../../domain/channel/quiet-hours.ts'
import { Refusal } from '../../../../domain/errors.ts'
import { type ChannelForm, channelForm, isChannelName } from '../../../../services/channels/channel-form.ts'
import { isChannelKind, listKinds } from '../../../../services/channels/channel-kinds.ts'
import { createChannel, editChannel, getChannelById } from '../../../../services/channels/channels.ts'
import { assignToAll } from '../../../../services/checks/bulk.ts'
import { explainRetry } from '../../../errors.ts'
import { integrationPath } from '../../href.ts'
import { type HtmlValue, html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { note } from '../../parts/notes.ts'
import type { PageAnswer, ProjectVisit, Route } from '../../route.ts'
import { CHECK_FORM_LIMIT, formRoutes } from '../check-forms/check-form.ts'
import { again } from '../forms.ts'
import { integrationsContext } from '../integrations/context.ts'
import { whatToSet } from '../integrations/state.ts'
import { projectRoute } from '../new-route.ts'
import { besideForm } from './beside.ts'
import { type Filled, FOR_ALL, type FormData, integrationPage, offPage, QUIET_PREVIEW, SEND_TEST } from './page.ts'
import { hasMistakes, quietFragment, quietHoursOf, readQuiet, storedQuiet } from './quiet-fields.ts'
import { type FormProblems, hostMistakes, type Lack, NO_FORM_PROBLEMS, offWords, refusalProblems } from './refusals.ts'
import { sendTest } from './send-test.ts'
import { readTyped } from './settings-fields.ts'
import type { ShownTest } from './test-card.ts'

export function integrationFormsRoutes(deps: PageDeps): readonly Route[] {
  const show = async (visit: ProjectVisit) =>
    integrationPage(await ofChannel(deps, visit, await channelIn(deps, visit)))
  return [
    ...formRoutes('integrations/new/:kind', {
      show: async (visit) => {
        const lack = lackOf(deps, visit, kindIn(visit))
        return lack?.isOff ? offPage(visit, lack) : integrationPage(await blank(deps, visit))
      },
      act: (visit) => create(deps, visit),
    }),
    ...formRoutes('integrations/:channel', { show, act: (visit) => edit(deps, visit) }),
    projectRoute(
      'POST',
      QUIET_PREVIEW,
      'write',
      async ({ form }) => {
        const now = deps.now()
        return { kind: 'fragment', fragment: quietFragment(readQuiet(form, now), now) }
      },
      { formLimit: CHECK_FORM_LIMIT },
    ),
    ...formRoutes('integrations/:channel/test', {
      // Handles reloads of the page that was returned for the POST request.
      show,
      act: async (visit) => tested(deps, visit, await channelIn(deps, visit)),
    }),
  ]
}

function channelIn(deps: PageDeps, { actor, params }: ProjectVisit): Promise<Channel> {
  return getChannelById(deps, actor, params.channel ?? '')
}

/** Sends a test, and shows the result next to the form. */
async function tested(deps: PageDeps, visit: ProjectVisit, channel: Channel): Promise<PageAnswer> {
  deps.tests.take(visit)
  const test = await sendTest(deps, visit, channel)
  // The test may have changed whether the integration is turned on.
  const current = await getChannelById(deps, visit.actor, channel.id)
  return integrationPage(await ofChannel(deps, visit, current, test))
}

/** @throws Refusal `not-found` */
function kindIn({ params }: ProjectVisit): ChannelKind {
  const { kind = '' } = params
  if (isChannelKind(kind)) return kind
  throw new Refusal('not-found', 'not found')
}

/** Returns the form for a new integration. */
async function blank(deps: PageDeps, visit: ProjectVisit): Promise<FormData> {
  const kind = kindIn(visit)
  const form = await channelForm(deps, visit.actor, kind)
  const typed = withZone(form, form.shown(null), visit.account.tz)
  const filled: Filled = { name: '', typed, isForAll: true }
  return {
    visit,
    kind,
    channel: null,
    form,
    filled,
    ...quietOf(deps, visit, kind, null),
    problems: NO_FORM_PROBLEMS,
    above: lacksNote(lackOf(deps, visit, kind)),
    beside: null,
  }
}

/** Returns the reason why the server cannot send alerts to this kind of integration; null if it can. */
function lackOf(deps: PageDeps, visit: ProjectVisit, kind: ChannelKind): Lack | null {
  const offered = listKinds(deps).find((known) => known.kind === kind)
  if (offered === undefined || offered.lacks.length === 0) return null
  return { kind, isOff: offered.isOff, remedy: whatToSet(offered.lacks, integrationsContext(deps, visit)) }
}

function lacksNote(lack: Lack | null): HtmlValue {
  // If the kind is turned off while the form is open, the user finds out after submitting the form.
  return lack && !lack.isOff && note('late', html`This server is not set up to send to it yet. ${lack.remedy}`)
}

/** Fills in the reader's time zone in a form's time zone field, if there is one. */
function withZone(form: ChannelForm, typed: Filled['typed'], tz: string): Filled['typed'] {
  const zone = form.fields.find(({ kind }) => kind.type === 'text' && kind.isZone)
  return zone === undefined ? typed : { ...typed, [zone.name]: tz }
}

/** Returns the form for an existing integration. */
async function ofChannel(
  deps: PageDeps,
  visit: ProjectVisit,
  channel: Channel,
  test: ShownTest | null = null,
): Promise<FormData> {
  const { kind, name, settings, quietHours } = channel
  const form = await channelForm(deps, visit.actor, kind)
  const filled: Filled = { name, typed: form.shown(settings), isForAll: false }
  const beside = await besideForm(deps, visit, channel, test)
  const quiet = quietOf(deps, visit, kind, quietHours)
  return { visit, kind, channel, form, filled, ...quiet, problems: NO_FORM_PROBLEMS, above: null, beside }
}

function quietOf(
  { now }: PageDeps,
  { account }: ProjectVisit,
  kind: ChannelKind,
  stored: QuietHours | null,
): Pick<FormData, 'quiet' | 'now'> {
  return { quiet: kind === 'group' ? null : storedQuiet(stored, account.tz), now: now() }
}

async function create(deps: PageDeps, visit: ProjectVisit): Promise<PageAnswer> {
  const { actor } = visit
  const data = typedInto(await blank(deps, visit), visit)
  return orAgain(deps, data, async (settings, quietHours) => {
    const { filled, kind } = data
    const channel = await createChannel(deps, actor, { kind, name: filled.name, settings, quietHours })
    if (filled.isForAll) await assignToAll(deps, actor, channel.id)
    if (wantsTest(visit)) return toTest(visit, channel)
    return { kind: 'redirect', to: integrationPath(actor.project.slug, channel.id), done: 'integration-made' }
  })
}

async function edit(deps: PageDeps, visit: ProjectVisit): Promise<PageAnswer> {
  const { actor } = visit
  const channel = await channelIn(deps, visit)
  const data = typedInto(await ofChannel(deps, visit, channel), visit)
  return orAgain(deps, data, async (settings, quietHours) => {
    const edited = await editChannel(deps, actor, channel, { name: data.filled.name, settings, quietHours })
    if (wantsTest(visit)) return toTest(visit, edited)
    return { kind: 'redirect', to: integrationPath(actor.project.slug, channel.id), done: 'integration-saved' }
  })
}

/**
 * Has the browser resend the form to the path that sends the test. Reloading the resulting page sends another test, but doesn't add or save
 * the integration again.
 */
function toTest({ actor }: ProjectVisit, { id }: Channel): PageAnswer {
  return { kind: 'resend', to: integrationPath(actor.project.slug, id, 'test') }
}

function wantsTest({ form }: ProjectVisit): boolean {
  return form.text(SEND_TEST.name) === SEND_TEST.value
}

function typedInto(data: FormData, { form }: ProjectVisit): FormData {
  const typed = readTyped(form, data.form.fields)
  const quiet = data.quiet && readQuiet(form, data.now)
  return { ...data, quiet, filled: { name: form.text('name').trim(), typed, isForAll: form.has(FOR_ALL) } }
}

/** Saves the typed values. If they contain mistakes, shows the form again with a message for each of them. */
async function orAgain(
  deps: PageDeps,
  data: FormData,
  save: (settings: unknown, quietHours: QuietHours | null) => Promise<PageAnswer>,
): Promise<PageAnswer> {
  const { visit, kind, channel, form, filled, quiet } = data
  const { settings, mistakes, refusedHosts } = form.read(filled.typed, channel?.settings ?? null)
  const name = isChannelName(filled.name) ? null : 'This is too long: use at most 100 characters.'
  const all = { ...hostMistakes(visit, refusedHosts), ...mistakes }
  const refuse = (problems: FormProblems) => again(integrationPage({ ...data, problems }))
  const lack = channel === null ? lackOf(deps, visit, kind) : null
  const whole = lack?.isOff ? offWords(lack) : null
  const isWrong = name !== null || whole !== null || Object.keys(all).length > 0 || (quiet && hasMistakes(quiet))
  if (isWrong) return refuse({ name, settings: all, whole })
  try {
    return await save(settings, quiet && quietHoursOf(quiet, channel?.quietHours ?? null))
  } catch (error) {
    const problems = error instanceof Refusal && refusalProblems(error)
    if (!problems) throw error
    return { ...refuse(problems), ...explainRetry(error) }
  }
}
