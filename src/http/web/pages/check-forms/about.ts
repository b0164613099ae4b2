/** The fields of what a check is called and where its alerts go: name, slug, tags, description, integrations. */
import type { Channel } from '../../../../domain/channel/channel.ts'
import { LABEL_FIELDS, type Members } from '../../../../domain/check/fields.ts'
import { splitTags } from '../../../../domain/check/tags.ts'
import type { Form } from '../../form.ts'
import type { Html } from '../../html.ts'
import { areaField, type FieldErrors, textField } from '../../parts/forms/fields.ts'
import { readIntegrations } from '../../parts/forms/integration-switches.ts'
import type { TypedSpec } from './schedule-values.ts'

type Labels = Members<typeof LABEL_FIELDS>

/** As they were typed. */
export interface AboutValues extends Labels {
  /** ids of the integrations that are on */
  readonly channelIds: readonly string[]
}

interface Input {
  /** @returns what is stored of what was typed */
  read(typed: string): string
  /** @param suggestsSlug true: the script makes the slug of the name */
  show(
    field: { name: string; value: string; error: string | undefined; hasFocus: boolean },
    suggestsSlug: boolean,
  ): Html
}

const trimmed = (typed: string) => typed.trim()
const SLUG_HELP = 'Used in ping URLs with the ping key of the project.'

/** What is read is shown, or each save would empty it. */
const INPUTS: Readonly<Record<keyof Labels, Input>> = {
  name: {
    read: trimmed,
    show: (field) =>
      textField({ ...field, label: 'Name', help: 'What the job does, such as Nightly database backup.' }),
  },
  slug: {
    read: trimmed,
    show: (field, suggestsSlug) =>
      textField({
        ...{ ...field, label: 'Slug', isCode: true },
        ...(suggestsSlug ? { help: `${SLUG_HELP} Made from the name if empty.`, slugOf: 'name' } : { help: SLUG_HELP }),
      }),
  },
  tags: {
    read: (typed) => splitTags(typed).join(' '),
    show: (field) => textField({ ...field, label: 'Tags', help: 'Separate tags with spaces: db backup' }),
  },
  desc: {
    read: (typed) => typed.replaceAll('\r\n', '\n').trim(),
    show: (field) =>
      areaField({ ...field, label: 'Description', rows: 3, help: 'Runbook: what to do when this goes down' }),
  },
}

/** Their names, in their order. */
export const ABOUT_FIELDS = Object.values(LABEL_FIELDS).map(({ wire }) => wire)

export function readAbout(form: Form, channels: readonly Channel[]): AboutValues {
  const labels = ABOUT_FIELDS.map((name) => [name, INPUTS[name].read(form.text(name))])
  return { ...(Object.fromEntries(labels) as Labels), channelIds: readIntegrations(form, channels) }
}

export function aboutSpec({ channelIds, ...texts }: AboutValues): TypedSpec {
  return { ...texts, channels: channelIds.join(',') }
}

export function aboutFields(
  values: AboutValues,
  errors: FieldErrors,
  { focus, suggestsSlug }: { readonly focus: string | null; readonly suggestsSlug: boolean },
): readonly Html[] {
  return ABOUT_FIELDS.map((name) =>
    INPUTS[name].show({ name, value: values[name], error: errors[name], hasFocus: focus === name }, suggestsSlug),
  )
}
