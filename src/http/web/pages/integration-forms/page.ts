/** The page with an integration's form. */
import type { Channel } from '../../../../domain/channel/channel.ts'
import type { ChannelKind } from '../../../../domain/channel/channel-kind.ts'
import { settingsAgain, type Typed } from '../../../../domain/channel/typed-settings.ts'
import type { Instant } from '../../../../lib/time.ts'
import type { ChannelForm } from '../../../../services/channels/channel-form.ts'
import { integrationPath, projectPath } from '../../href.ts'
import { type HtmlValue, html } from '../../html.ts'
import { channelKind, channelName } from '../../parts/channels.ts'
import { linkButton, submit } from '../../parts/forms/buttons.ts'
import { switchField, textField } from '../../parts/forms/fields.ts'
import { zoneList } from '../../parts/forms/zone-list.ts'
import { card } from '../../parts/lists.ts'
import { alertNote, note } from '../../parts/notes.ts'
import type { FrameContent, ProjectVisit } from '../../route.ts'
import { quietFields, type TypedQuiet } from './quiet-fields.ts'
import { type FormProblems, type Lack, NO_FORM_PROBLEMS, offWords } from './refusals.ts'
import { settingsFields } from './settings-fields.ts'

/** The values in the form. */
export interface Filled {
  readonly name: string
  readonly typed: Typed
  /** true to assign a new integration to all checks */
  readonly isForAll: boolean
}

export interface FormData {
  readonly visit: ProjectVisit
  readonly kind: ChannelKind
  /** the integration; null for a new one */
  readonly channel: Channel | null
  readonly form: ChannelForm
  readonly filled: Filled
  /** quiet hours that the user typed; null for a group, because each member has its own */
  readonly quiet: TypedQuiet | null
  readonly now: Instant
  readonly problems: FormProblems
  /** content above the form */
  readonly above: HtmlValue
  /** content next to the form; null for a new integration */
  readonly beside: HtmlValue
}

export function integrationPage(data: FormData): FrameContent {
  const { visit, kind, channel, above, beside } = data
  const { slug } = visit.actor.project
  const own = channel === null ? projectPath(slug, `integrations/new/${kind}`) : integrationPath(slug, channel.id)
  const title = channel === null ? newTitle(kind) : 'Integration'
  const fields = html`<form class="stack" method="post" action="${visit.site.href(own)}" autocomplete="off">${formCard(data)}</form>`
  return {
    layout: 'frame',
    title,
    ...(channel === null ? {} : { heading: channelName(channel), intro: `${channelKind(kind)}.` }),
    crumbs: [{ path: projectPath(slug, 'integrations'), text: 'Integrations' }],
    isNarrow: beside === null,
    body:
      beside === null
        ? html`${above}${fields}`
        : html`${above}<div class="cols even">${fields}<div class="stack">${beside}</div></div>`,
  }
}

function newTitle(kind: ChannelKind): string {
  return `New integration: ${channelKind(kind)}`
}

/** Returns the page that replaces the form if this kind of integration is turned off. */
export function offPage({ actor, site }: ProjectVisit, lack: Lack): FrameContent {
  const list = projectPath(actor.project.slug, 'integrations')
  return {
    layout: 'frame',
    title: newTitle(lack.kind),
    crumbs: [{ path: list, text: 'Integrations' }],
    isNarrow: true,
    body: html`${note('late', offWords(lack))}<p class="acts">${linkButton({ text: 'Other services', href: site.href(`${list}#add`) })}</p>`,
  }
}

function formCard(data: FormData): HtmlValue {
  const { visit, kind, channel, form, filled, problems } = data
  const { name, isForAll } = filled
  const isRefused = problems !== NO_FORM_PROBLEMS
  const { typed, mistakes } = isRefused
    ? settingsAgain(form.fields, filled.typed, problems.settings)
    : { typed: filled.typed, mistakes: problems.settings }
  const kept = form.kept(channel?.settings ?? null)
  const nameField = textField({
    name: 'name',
    label: 'Name',
    value: name,
    help: `Optional. Default: ${channelKind(kind)}.`,
    error: problems.name ?? undefined,
    hasFocus: problems.name !== null,
  })
  const body = html`${problems.whole !== null && alertNote(problems.whole)}<div class="form">${nameField}</div>
${settingsFields({ fields: form.fields, typed, mistakes, kept })}
${quietPart(data)}
${channel === null && html`<div class="form">${switchField({ name: FOR_ALL, label: 'Use for all checks', isOn: isForAll, help: 'You can change this for each check.' })}</div>`}
${buttons(visit, channel)}${zoneList()}`
  return card({
    title: 'Settings',
    body: html`<div class="form integration">${body}</div>`,
  })
}

function quietPart({ visit, quiet, now, problems }: FormData): HtmlValue {
  const { site, actor } = visit
  const preview = site.href(projectPath(actor.project.slug, QUIET_PREVIEW))
  const mayFocus = problems.name === null && Object.keys(problems.settings).length === 0
  return quiet && quietFields(quiet, preview, now, mayFocus)
}

/** Path below the project that the script requests while the user types quiet hours. */
export const QUIET_PREVIEW = 'integrations/quiet-hours/preview'

export const FOR_ALL = 'for-all'
export const SEND_TEST = { name: 'action', value: 'test' } as const

function buttons({ actor, site }: ProjectVisit, channel: Channel | null): HtmlValue {
  const { slug } = actor.project
  const isNew = channel === null
  const saveAndTest = submit({
    text: isNew ? 'Add and send test' : 'Save and send test',
    icon: 'send',
    field: SEND_TEST,
  })
  const last = isNew
    ? linkButton({ text: 'Cancel', look: 'quiet', href: site.href(projectPath(slug, 'integrations')) })
    : linkButton({ text: 'Delete…', look: 'quiet', href: site.href(integrationPath(slug, channel.id, 'delete')) })
  return html`<div class="acts">${submit({ text: isNew ? 'Add integration' : 'Save integration', look: 'primary' })}${saveAndTest}${last}</div>`
}
