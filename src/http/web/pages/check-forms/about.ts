/** The fields that describe a check: name, slug, tags, description. */
import { LABEL_FIELDS, type Members } from '../../../../domain/check/fields.ts'
import { splitTags } from '../../../../domain/check/tags.ts'
import type { Form } from '../../form.ts'
import type { Html } from '../../html.ts'
import { areaField, type Field, type FieldErrors, textField } from '../../parts/forms/fields.ts'

/** The values that the user typed into the form. */
export type AboutValues = Members<typeof LABEL_FIELDS>

interface Input extends Pick<Field, 'label' | 'help'> {
  readonly isCode?: boolean
  /** number of rows, for multi-line text */
  readonly rows?: number
  /** converts the typed text to the value to store; by default, trims it */
  readonly read?: (typed: string) => string
}

/**
 * The form's inputs. This list defines both which fields are shown and which are read, because saving would clear a field that is read but
 * not shown.
 */
const INPUTS: Readonly<Record<keyof AboutValues, Input>> = {
  name: { label: 'Name', help: 'What the job does, such as Nightly database backup.' },
  slug: { label: 'Slug', help: 'Used in ping URLs with the ping key of the project.', isCode: true },
  tags: { label: 'Tags', help: 'Separate tags with spaces: db backup', read: (typed) => splitTags(typed).join(' ') },
  desc: { label: 'Description', help: 'Runbook: what to do when this check goes down', rows: 3 },
}

/** Field names in the form and in the API, in display order. */
export const ABOUT_FIELDS = Object.values(LABEL_FIELDS).map(({ wire }) => wire)

export function readAbout(form: Form): AboutValues {
  const labels = ABOUT_FIELDS.map((name) => {
    const { read = (typed) => typed.trim() } = INPUTS[name]
    return [name, read(form.text(name).replaceAll('\r\n', '\n'))]
  })
  return Object.fromEntries(labels) as AboutValues
}

/** @param suggestsSlug whether the script derives the slug from the name */
export function aboutFields(
  values: AboutValues,
  errors: FieldErrors,
  { focus, suggestsSlug }: { readonly focus: string | null; readonly suggestsSlug: boolean },
): readonly Html[] {
  return ABOUT_FIELDS.map((name) => {
    const { read: _, rows, ...input } = INPUTS[name]
    const field = { ...input, name, value: values[name], error: errors[name], hasFocus: focus === name }
    if (rows !== undefined) return areaField({ ...field, rows })
    const isSuggested = name === 'slug' && suggestsSlug
    return textField(
      isSuggested ? { ...field, help: `${input.help} If empty, it is derived from the name.`, slugOf: 'name' } : field,
    )
  })
}
