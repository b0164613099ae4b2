/** The fields of what a check is called and where its alerts go: name, slug, tags, description, integrations. */
import type { Channel } from '../../../../domain/channel/channel.ts'
import { LABEL_FIELDS, type Members } from '../../../../domain/check/fields.ts'
import { splitTags } from '../../../../domain/check/tags.ts'
import type { Form } from '../../form.ts'
import { type Html, html } from '../../html.ts'
import { areaField, type FieldErrors, textField } from '../../parts/forms/fields.ts'
import { readIntegrations } from '../../parts/forms/integration-switches.ts'
import type { TypedSpec } from './schedule-values.ts'

/** As they were typed. */
export interface AboutValues extends Members<typeof LABEL_FIELDS> {
  /** ids of the integrations that are on */
  readonly channelIds: readonly string[]
}

/** Their names, in their order. */
export const ABOUT_FIELDS = Object.values(LABEL_FIELDS).map(({ wire }) => wire)

export function readAbout(form: Form, channels: readonly Channel[]): AboutValues {
  return {
    name: form.text('name').trim(),
    slug: form.text('slug').trim(),
    tags: splitTags(form.text('tags')).join(' '),
    desc: form.text('desc').replaceAll('\r\n', '\n').trim(),
    channelIds: readIntegrations(form, channels),
  }
}

export function aboutSpec({ channelIds, ...texts }: AboutValues): TypedSpec {
  return { ...texts, channels: channelIds.join(',') }
}

/** @param suggestsSlug true: the script makes the slug of the name */
export function aboutFields(
  values: AboutValues,
  errors: FieldErrors,
  { focus, suggestsSlug }: { readonly focus: string | null; readonly suggestsSlug: boolean },
): Html {
  const common = (name: (typeof ABOUT_FIELDS)[number]) => ({ name, error: errors[name], hasFocus: focus === name })
  const slugHelp = suggestsSlug
    ? 'Used in ping URLs with the ping key of the project. Made from the name if empty.'
    : 'Used in ping URLs with the ping key of the project.'
  return html`${textField({ ...common('name'), label: 'Name', value: values.name, help: 'What the job does, such as Nightly database backup.' })}
${textField({ ...common('slug'), label: 'Slug', value: values.slug, isCode: true, help: slugHelp, ...(suggestsSlug ? { slugOf: 'name' } : {}) })}
${textField({ ...common('tags'), label: 'Tags', value: values.tags, help: 'Separate tags with spaces: db backup' })}
${areaField({ ...common('desc'), label: 'Description', value: values.desc, rows: 3, help: 'Runbook: what to do when this goes down' })}`
}
